// SPDX-License-Identifier: BSD-2-Clause
// What of a picture is the device's, but for the balance: a function of what is known.
#pragma once

#include <array>

#include "policy/families.hpp"
#include "policy/recipe.hpp"

namespace v3doff {

enum class DeviceState { opening, ready, failed };

// What a recipe says of one family.
struct Known {
    Verdict verdict = Verdict::unknown;
    bool overridden = false; // by a person
    double saved_us = 0;     // CPU time of a picture that the device saves
};
using KnownFamilies = std::array<Known, V3DOFF_FAMILIES>;

struct Situation {
    v3doff_codec codec = V3DOFF_CODEC_VP9;
    v3doff_mode mode = V3DOFF_MODE_AUTO; // CPU: off
    v3doff_scope wanted = V3DOFF_SCOPE_AUTO;
    DeviceState device = DeviceState::ready;
    uint32_t possible = 0; // bits 1 << v3doff_family
    KnownFamilies recipe;
};

struct Decision {
    v3doff_scope scope = V3DOFF_SCOPE_NONE;
    uint32_t families = 0;
    const char *reason = nullptr; // of NONE; null: there is nothing to do
};
Decision decide(const Situation &situation);

// The families that the decision depends on: of the codec, possible and of a scope that is wanted.
uint32_t asked_families(const Situation &situation);

} // namespace v3doff
