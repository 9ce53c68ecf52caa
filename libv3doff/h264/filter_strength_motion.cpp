// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter_strength_motion.hpp"

#include <bit>
#include <cstring>

#include "h264/filter_strength_arrays.hpp"

namespace v3doff::h264 {
namespace {

enum Shape : uint32_t { whole = 0, in_8x8 = STRENGTH_MOTION_8X8, in_4x4 = STRENGTH_MOTION_4X4 };

// The pictures of four 8x8 blocks.
uint32_t references(const std::array<uint16_t, 256> &pictures, const int8_t *indices,
                    std::array<uint64_t, 1024> &used, uint32_t &wrong) {
    uint32_t packed = 0;
    for (unsigned block = 0; block < 4; block++) {
        const uint32_t found = pictures[uint8_t(indices[block])];
        wrong |= found;
        used[found] += one_block_uses;
        packed |= (found & 255) << 8 * block;
    }
    return packed;
}

// Whether one of the bytes is 255.
bool has_full_byte(uint32_t bytes) {
    return (~bytes - 0x01010101) & bytes & 0x80808080;
}

// Without a branch for each 8x8 block: whether one is split is as good as random.
uint32_t shape_of(uint32_t type, const int16_t (*motion)[2], size_t stride) {
    if (type & mb_16x16) return whole;
    if (type & (mb_16x8 | mb_8x16)) return in_8x8;
    uint64_t different = 0;
    for (unsigned half = 0; half < 2; half++, motion += 2 * stride) {
        const uint64_t left = load64(motion), right = load64(motion + 2);
        different |= (left ^ load64(motion + stride)) | (right ^ load64(motion + stride + 2)) |
                     (left ^ std::rotl(left, 32)) | (right ^ std::rotl(right, 32));
    }
    return different ? in_4x4 : in_8x8;
}

// Whether vectors or references differ inside of a 16x8 or 8x16 partition.
bool is_split(uint32_t type, const int8_t *indices, const int16_t (*motion)[2], size_t stride) {
    const bool rows = type & mb_16x8;
    uint64_t line[4][2], different = 0;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned half = 0; half < 2; half++) {
            line[y][half] = load64(motion + y * stride + 2 * half);
            different |= line[y][half] ^ std::rotl(line[y][half], 32);
        }
    for (unsigned y = 0; y < 4; y += 2) // the lines of 8x8 blocks
        different |= (line[y][0] ^ line[y + 1][0]) | (line[y][1] ^ line[y + 1][1]);
    different |= rows ? (line[0][0] ^ line[0][1]) | (line[2][0] ^ line[2][1])
                      : (line[0][0] ^ line[2][0]) | (line[0][1] ^ line[2][1]);
    const unsigned beside = rows ? 1 : 2, last = rows ? 2 : 1;
    return different || indices[0] != indices[beside] || indices[last] != indices[3];
}

uint32_t *append(const int16_t (*motion)[2], size_t stride, uint32_t shape, uint32_t *next) {
    if (shape == whole) {
        *next = load32(motion);
        return next + 1;
    }
    if (shape == in_8x8) {
        const auto *const lower = motion + 2 * stride;
        next[0] = load32(motion), next[1] = load32(motion + 2);
        next[2] = load32(lower), next[3] = load32(lower + 2);
        return next + 4;
    }
    for (unsigned line = 0; line < 4; line++, motion += stride, next += 4)
        std::memcpy(next, motion, 16);
    return next;
}

} // namespace

uint32_t *pack_parts(const StrengthInput &input, const MacroblockPlace &place,
                     const ReferencePictures &pictures, StrengthMb &mb, uint32_t *next,
                     PicturesUsed &used, uint32_t &wrong) {
    uint32_t shape = whole;
    for (unsigned list = 0; list < 2; list++) {
        mb.reference[list] = ~0u;
        if (!(place.type & uses_list[list])) continue;
        mb.reference[list] =
            references(pictures.of[list], input.reference[list] + 4 * place.at, used[list], wrong);
        if (mb.reference[list] == ~0u) continue;
        const auto *const motion = input.motion[list] + place.motion_at;
        shape |= shape_of(place.type, motion, input.motion_stride);
        if (place.type & mb_direct && place.type & (mb_16x8 | mb_8x16) &&
            is_split(place.type, input.reference[list] + 4 * place.at, motion, input.motion_stride))
            wrong |= split_partition;
    }
    if (has_full_byte(mb.reference[0] & mb.reference[1])) wrong |= unpredicted;
    if (shape & in_4x4) shape = in_4x4;
    mb.bits |= shape;
    for (unsigned list = 0; list < 2; list++)
        if (mb.reference[list] != ~0u)
            next = append(input.motion[list] + place.motion_at, input.motion_stride, shape, next);
    return next;
}

} // namespace v3doff::h264
