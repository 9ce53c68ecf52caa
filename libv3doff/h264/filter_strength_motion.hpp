// SPDX-License-Identifier: BSD-2-Clause
// Motion of macroblocks in parts.
#pragma once

#include "h264/filter_strength_slices.hpp"

namespace v3doff::h264 {

struct MacroblockPlace {
    uint32_t type;        // without the lists that there are no arrays of
    size_t at, motion_at; // in the arrays
};

// A direct macroblock takes its type and its vectors from another picture's (8.4.1.2), each 8x8 or
// 4x4 block by itself. After damage there the type may say 16x8 or 8x16 although the blocks differ.
// Which edges such a macroblock has is then a matter of the decoder, not of the standard.
inline constexpr uint32_t split_partition = 1 << 10;
// A block uses neither list. Edges do not mind.
inline constexpr uint32_t unpredicted = 1 << 11;

// Completes the record of a macroblock whose parts may differ, in sets of pictures or in motion
// vectors; returns the place behind the vectors that it wrote from `next` on. `used` gets the
// pictures. `wrong` gathers what is wrong with reference indices, split_partition and unpredicted.
uint32_t *pack_parts(const StrengthInput &input, const MacroblockPlace &place,
                     const ReferencePictures &pictures, StrengthMb &mb, uint32_t *next,
                     PicturesUsed &used, uint32_t &wrong);

} // namespace v3doff::h264
