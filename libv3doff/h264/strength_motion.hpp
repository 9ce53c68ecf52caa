// SPDX-License-Identifier: BSD-2-Clause
// Motion of macroblocks in parts, and how arrays are read for packing.
#pragma once

#include <cstring>

#include "h264/strength_slices.hpp"

namespace v3doff::h264 {

inline constexpr uint32_t uses_list[2] = {mb_uses_list_0, mb_uses_list_1};

inline uint64_t load64(const void *from) {
    uint64_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline uint32_t load32(const void *from) {
    uint32_t value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Bit n: byte n of 16 is not 0. The compiler makes NEON or SSE2 of the first half.
inline uint32_t bytes_set(const void *from) {
    using Bytes = uint8_t __attribute__((vector_size(16)));
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    const Bytes bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const Bytes set = bit & ~Bytes(bytes == 0);
    uint64_t half[2];
    std::memcpy(half, &set, sizeof half);
    // Sums of eight bytes, in the highest one.
    const uint64_t sum = 0x0101010101010101;
    return uint32_t(half[0] * sum >> 56 | (half[1] * sum >> 56) << 8);
}

struct MacroblockPlace {
    uint32_t type;        // without the lists that there are no arrays of
    size_t at, motion_at; // in the arrays
};

// Completes the record of a macroblock whose parts may differ, in sets of pictures or in motion
// vectors; returns the place behind the vectors that it wrote from `next` on. `wrong` gathers what
// is wrong with reference indices.
uint32_t *pack_parts(const StrengthInput &input, const MacroblockPlace &place,
                     const ReferencePictures &pictures, StrengthMb &mb, uint32_t *next,
                     uint32_t &wrong);

} // namespace v3doff::h264
