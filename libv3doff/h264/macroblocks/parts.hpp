// SPDX-License-Identifier: BSD-2-Clause
// How a decoder's arrays are read for packing: many bytes at a time, and without branches. And the
// motion of macroblocks in parts, which are packed one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "h264/macroblocks/table.hpp"

namespace v3doff::h264 {

inline constexpr uint32_t uses_list[2] = {mb_uses_list_0, mb_uses_list_1};
inline constexpr uint32_t both_lists = mb_uses_list_0 | mb_uses_list_1;

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

// A loop of its own, which the compiler makes vectors of.
inline uint32_t highest(const int8_t *qp, uint32_t count) {
    uint8_t found = 0; // what is negative is too high as well
    for (uint32_t i = 0; i < count; i++)
        found = std::max(found, uint8_t(qp[i]));
    return found;
}

// What makes all indices of a list that the macroblock does not use negative.
inline uint32_t unused(uint32_t type, uint32_t uses) {
    return type & uses ? 0 : ~0u;
}

inline uint32_t unlike(uint32_t references) {
    return references ^ std::rotl(references, 8);
}

// The arrays from a run's first macroblock on.
struct RunArrays {
    const uint32_t *type;
    const int8_t *reference[2] = {}; // null where there are none
    const int16_t (*motion[2])[2] = {};

    RunArrays(const Arrays &in, uint32_t lists, size_t at, size_t motion_at)
        : type(in.mb_type + at) {
        for (unsigned list = 0; list < 2; list++)
            if (lists & uses_list[list]) {
                reference[list] = in.reference[list] + 4 * at;
                motion[list] = in.motion[list] + motion_at;
            }
    }

    // Whether macroblock i has one part at most, and then the indices of its four blocks in `used`:
    // four that are the same.
    template <bool two_lists>
    bool is_whole(size_t i, uint32_t list_0, uint32_t (&used)[2]) const {
        const bool one_part = type[i] & mb_16x16;
        used[1] = ~0u;
        if (two_lists) {
            used[0] = load32(reference[0] + 4 * i) | unused(type[i], mb_uses_list_0);
            used[1] = load32(reference[1] + 4 * i) | unused(type[i], mb_uses_list_1);
            return one_part && !(unlike(used[0]) | unlike(used[1]));
        }
        if (!one_part || !(type[i] & list_0) || type[i] & mb_uses_list_1) return false;
        used[0] = load32(reference[0] + 4 * i);
        return !unlike(used[0]) && int32_t(used[0]) >= 0;
    }
};

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
