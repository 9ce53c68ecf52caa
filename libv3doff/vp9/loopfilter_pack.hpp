// SPDX-License-Identifier: BSD-2-Clause
// From a decoder's loop filter arrays to what the shaders read, and the dispatches that filter the
// picture: plain data, no device.
#pragma once

#include "core/plan.hpp"
#include "vp9/loopfilter_input.hpp"

namespace v3doff::vp9 {

// Numbers of the shaders for the picture's bit depth (shaders/meson.build).
struct LoopfilterShaders {
    uint32_t wave = 0;
};

// Whether the shaders can address the planes: offsets and strides must be multiples of 16 bytes.
bool loopfilter_fits(const SampleMap &map);

// Appends the records of all superblocks to the arena, the dispatches, and the rows that they
// overwrite. The input has been checked (check_loopfilter). A picture without a marked edge gets
// no dispatch.
void plan_loopfilter(const LoopfilterInput &input, const SampleMap &map,
                     const LoopfilterShaders &shaders, Plan &plan);

} // namespace v3doff::vp9
