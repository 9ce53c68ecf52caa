// SPDX-License-Identifier: BSD-2-Clause
// Which kernel predicts a block, how many invocations share it, and what they cost.
#pragma once

#include "picture/plan.hpp"
#include "records/vp9_inter.h"
#include "vp9/inter/reference.hpp"

namespace v3doff::vp9 {

// pairs: whether two words of a row may be written at once.
uint inter_kind(const InterInput &block, const PictureFormat &reference, uint32_t bit_depth,
                bool pairs);

// The words of samples that an invocation makes of each row, and the samples in one word.
inline uint inter_words(uint kind) {
    return kind < INTER_COPY_1 ? 2 : 1;
}
inline uint inter_samples_in_word(uint32_t bit_depth) {
    return bit_depth == 8 ? 4 : 2;
}

// How the invocations of a workgroup share a block.
struct InterShape {
    uint side_log2, lanes_log2, rows; // invocations side by side, all of them, rows of each
};
// many_lanes: for a device that runs tens of thousands of invocations at a time.
InterShape inter_shape(const InterInput &block, uint kind, uint32_t bit_depth, bool many_lanes);

// The instructions of an invocation that makes this number of rows.
uint inter_cost(const InterInput &block, uint kind, uint rows);

} // namespace v3doff::vp9
