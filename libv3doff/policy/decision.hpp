// SPDX-License-Identifier: BSD-2-Clause
// Decides which work of a picture the device can do, before the balance decides who does it. It
// depends only on its arguments.
#pragma once

#include "policy/families.hpp"
#include "policy/recipe.hpp"

namespace v3doff {

enum class DeviceState { opening, ready, absent, failed };

struct Situation {
    v3doff_codec codec = V3DOFF_CODEC_VP9;
    v3doff_mode mode = V3DOFF_MODE_AUTO; // CPU: off
    v3doff_scope wanted = V3DOFF_SCOPE_AUTO;
    DeviceState device = DeviceState::ready;
    uint32_t possible = 0;          // bits 1 << v3doff_family
    const char *obstacle = nullptr; // why the decoder does the picture itself
};

struct Decision {
    v3doff_scope scope = V3DOFF_SCOPE_NONE;
    uint32_t families = 0;
    const char *reason = nullptr; // why NONE; null: the picture has no such work
};
Decision decide(const Situation &situation);

} // namespace v3doff
