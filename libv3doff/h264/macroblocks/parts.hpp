// SPDX-License-Identifier: BSD-2-Clause
// Motion of macroblocks in parts.
#pragma once

#include "h264/macroblocks/slices.hpp"
#include "h264/macroblocks/table.hpp"

namespace v3doff::h264 {

struct MacroblockPlace {
    uint32_t type;        // without the lists that there are no arrays of
    size_t at, motion_at; // in the arrays
};

// A direct macroblock takes its type and its vectors from another picture's (8.4.1.2), each 8x8 or
// 4x4 block by itself. After damage there the type may say 16x8 or 8x16 although the blocks differ.
// Which edges such a macroblock has is then a matter of the decoder, not of the standard. A
// partition is predicted as its first block is.
inline constexpr uint32_t split_partition = 1 << 10;

// Completes macroblock `at` of the table, whose parts may differ in pictures or in motion vectors;
// returns the place behind the vectors that it writes from `next` on. `wrong` gathers what is wrong
// with reference indices, and in pictures that are filtered split_partition.
size_t add_parts(const Arrays &input, const MacroblockPlace &place,
                 const ReferencePictures &pictures, MacroblockTable &table, size_t at, size_t next,
                 uint32_t &wrong);

} // namespace v3doff::h264
