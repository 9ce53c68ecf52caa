// SPDX-License-Identifier: BSD-2-Clause
#include "policy/decision.hpp"

namespace v3doff {
namespace {

Decision nothing(const char *reason) {
    return {V3DOFF_SCOPE_NONE, 0, reason};
}

template <typename Visit>
void each_family(uint32_t families, Visit visit) {
    for (uint32_t i = 0; i < V3DOFF_FAMILIES; i++)
        if (families >> i & 1) visit(v3doff_family(i), family_of(v3doff_family(i)));
}

uint32_t of_scope(uint32_t families, v3doff_scope scope) {
    uint32_t found = 0;
    each_family(families, [&](v3doff_family number, const Family &family) {
        if (family.scope == scope) found |= 1u << number;
    });
    return found;
}

// A family that needs another one is left to the CPU if that one has work and the CPU does it.
uint32_t filters_that_pay(const Situation &situation, uint32_t filters) {
    uint32_t paying = filters;
    if (situation.mode == V3DOFF_MODE_FORCE) return paying;
    each_family(filters, [&](v3doff_family number, const Family &) {
        if (situation.recipe[number].verdict == Verdict::cpu) paying &= ~(1u << number);
    });
    const uint32_t left_out = filters & ~paying;
    each_family(paying, [&](v3doff_family number, const Family &family) {
        if (family.needs & left_out) paying &= ~(1u << number);
    });
    return paying;
}

// A family that needs another one has pictures that the device may be too slow for. Like the other,
// it counts as the device's until something else is known.
bool reconstruction_pays(const Situation &situation, uint32_t whole) {
    bool pays = false, refused = false;
    each_family(whole, [&](v3doff_family number, const Family &family) {
        refused |= situation.recipe[number].verdict == Verdict::cpu;
        pays |= !family.needs;
    });
    return pays && !refused;
}

} // namespace

uint32_t asked_families(const Situation &situation) {
    uint32_t asked = 0;
    each_family(situation.possible, [&](v3doff_family number, const Family &family) {
        if (family.codec == situation.codec &&
            (family.scope == V3DOFF_SCOPE_FILTERS || situation.wanted != V3DOFF_SCOPE_FILTERS))
            asked |= 1u << number;
    });
    return asked;
}

Decision decide(const Situation &situation) {
    const uint32_t asked = asked_families(situation);
    const uint32_t filters = of_scope(asked, V3DOFF_SCOPE_FILTERS);
    const uint32_t whole = of_scope(asked, V3DOFF_SCOPE_RECONSTRUCTION);
    if (!asked) return nothing(nullptr);
    if (situation.mode == V3DOFF_MODE_CPU) return nothing("switched off");
    if (situation.device == DeviceState::failed) return nothing("the device failed");
    if (situation.device == DeviceState::opening) return nothing("the device was not open yet");
    if (situation.obstacle) return nothing(situation.obstacle);
    if (whole &&
        (situation.wanted == V3DOFF_SCOPE_RECONSTRUCTION || reconstruction_pays(situation, whole)))
        return {V3DOFF_SCOPE_RECONSTRUCTION, whole, nullptr};
    if (!filters) return nothing(nullptr);
    const uint32_t paying = filters_that_pay(situation, filters);
    if (!paying) return nothing("not offloaded: does not pay");
    return {V3DOFF_SCOPE_FILTERS, paying, nullptr};
}

} // namespace v3doff
