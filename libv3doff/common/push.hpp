// SPDX-License-Identifier: BSD-2-Clause
// The first push constants of most stages.
#pragma once

#include <cstring>

#include "picture/plan.hpp"

namespace v3doff {

// Sets where the planes lie, and the largest value of a sample.
template <typename Push>
void set_planes(Push &push, const SampleMap &map) {
    push.sample_max = (1u << map.format.bit_depth) - 1;
    std::memcpy(&push.plane_offset_0, map.offset_words, sizeof map.offset_words);
    std::memcpy(&push.plane_stride_0, map.stride_words, sizeof map.stride_words);
}

// Sets where the planes of the reference lie.
template <typename Push>
void set_reference(Push &push, const SampleMap &map) {
    std::memcpy(&push.reference_offset_0, map.offset_words, sizeof map.offset_words);
    std::memcpy(&push.reference_stride_0, map.stride_words, sizeof map.stride_words);
}

} // namespace v3doff
