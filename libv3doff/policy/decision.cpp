// SPDX-License-Identifier: BSD-2-Clause
#include "policy/decision.hpp"

namespace v3doff {
namespace {

Decision nothing(const char *reason) {
    return {V3DOFF_SCOPE_NONE, 0, reason};
}

uint32_t possible_in(const Situation &situation, v3doff_scope scope) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < V3DOFF_FAMILIES; i++) {
        const Family &family = family_of(v3doff_family(i));
        if (situation.possible >> i & 1 && family.codec == situation.codec && family.scope == scope)
            found |= 1u << i;
    }
    return found;
}

} // namespace

Decision decide(const Situation &situation) {
    const uint32_t filters = possible_in(situation, V3DOFF_SCOPE_FILTERS);
    const uint32_t whole = situation.wanted == V3DOFF_SCOPE_FILTERS
                               ? 0
                               : possible_in(situation, V3DOFF_SCOPE_RECONSTRUCTION);
    if (!filters && !whole) return nothing(nullptr);
    if (situation.mode == V3DOFF_MODE_CPU) return nothing("switched off");
    if (situation.device == DeviceState::failed) return nothing("the device failed");
    if (situation.device == DeviceState::absent) return nothing("no suitable device was found");
    if (situation.device == DeviceState::opening) return nothing("the device was not open yet");
    if (situation.obstacle) return nothing(situation.obstacle);
    if (whole) return {V3DOFF_SCOPE_RECONSTRUCTION, whole, nullptr};
    return {V3DOFF_SCOPE_FILTERS, filters, nullptr};
}

} // namespace v3doff
