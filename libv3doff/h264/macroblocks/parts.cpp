// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/parts.hpp"

#include <bit>
#include <cstring>

namespace v3doff::h264 {
namespace {

enum Shape : uint32_t { whole = 0, in_8x8 = MB_MOTION_8X8, in_4x4 = MB_MOTION_4X4 };

// A macroblock's motion in one list: indices of its 8x8 blocks, vectors of its 4x4 blocks.
struct ListMotion {
    const int8_t *indices;
    const int16_t (*vectors)[2];
    size_t stride;
};

// The pictures of four 8x8 blocks.
uint32_t references(const std::array<uint16_t, 256> &pictures, const int8_t *indices,
                    std::array<uint64_t, 256> &used, uint32_t &wrong) {
    uint32_t packed = 0;
    for (unsigned block = 0; block < 4; block++) {
        const uint32_t found = pictures[uint8_t(indices[block])];
        wrong |= found;
        used[uint8_t(indices[block])] += MacroblockTable::one_block_uses;
        packed |= (found & 255) << 8 * block;
    }
    return packed;
}

// Without a branch for each 8x8 block: whether one is split is as good as random.
uint32_t shape_of(uint32_t type, const ListMotion &of) {
    if (type & mb_16x16) return whole;
    if (type & (mb_16x8 | mb_8x16)) return in_8x8;
    uint64_t different = 0;
    for (unsigned half = 0; half < 2; half++) {
        const auto *const upper = of.vectors + 2 * half * of.stride, *const lower =
                                                                         upper + of.stride;
        const uint64_t left = load64(upper), right = load64(upper + 2);
        different |= (left ^ load64(lower)) | (right ^ load64(lower + 2)) |
                     (left ^ std::rotl(left, 32)) | (right ^ std::rotl(right, 32));
    }
    return different ? in_4x4 : in_8x8;
}

// Whether vectors or references differ inside of a 16x8 or 8x16 partition.
bool is_split(uint32_t type, const ListMotion &of) {
    const bool rows = type & mb_16x8;
    uint64_t line[4][2], different = 0;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned half = 0; half < 2; half++) {
            line[y][half] = load64(of.vectors + y * of.stride + 2 * half);
            different |= line[y][half] ^ std::rotl(line[y][half], 32);
        }
    for (unsigned y = 0; y < 4; y += 2) // the lines of 8x8 blocks
        different |= (line[y][0] ^ line[y + 1][0]) | (line[y][1] ^ line[y + 1][1]);
    different |= rows ? (line[0][0] ^ line[0][1]) | (line[2][0] ^ line[2][1])
                      : (line[0][0] ^ line[2][0]) | (line[0][1] ^ line[2][1]);
    const unsigned beside = rows ? 1 : 2, last = rows ? 2 : 1;
    return different || of.indices[0] != of.indices[beside] || of.indices[last] != of.indices[3];
}

uint32_t *append(const ListMotion &of, uint32_t shape, uint32_t *next) {
    const auto *motion = of.vectors;
    if (shape == whole) {
        *next = load32(motion);
        return next + 1;
    }
    if (shape == in_8x8) {
        const auto *const lower = motion + 2 * of.stride;
        next[0] = load32(motion), next[1] = load32(motion + 2);
        next[2] = load32(lower), next[3] = load32(lower + 2);
        return next + 4;
    }
    for (unsigned line = 0; line < 4; line++, motion += of.stride, next += 4)
        std::memcpy(next, motion, 16);
    return next;
}

// Copies with whole partitions.
struct WholePartitions {
    int8_t indices[4];
    int16_t vectors[16][2];

    ListMotion make(uint32_t type, const ListMotion &from) {
        for (unsigned i = 0; i < 16; i++) {
            const unsigned first = type & mb_16x8 ? i & 8 : i & 2; // 4x4 block of the partition
            std::memcpy(vectors[i], from.vectors[first / 4 * from.stride + first % 4],
                        sizeof vectors[i]);
            indices[i / 8 * 2 + i % 4 / 2] = from.indices[first / 8 * 2 + first % 4 / 2];
        }
        return {indices, vectors, 4};
    }
};

} // namespace

size_t add_parts(const Arrays &input, const MacroblockPlace &place,
                 const ReferencePictures &pictures, MacroblockTable &table, size_t at, size_t next,
                 uint32_t &wrong) {
    MacroblockRecord &mb = table.macroblocks[at];
    ListMotion of[2];
    WholePartitions whole_partitions[2];
    uint32_t shape = whole;
    auto &used = table.used[(mb.bits & MB_FIELD) != 0];
    for (unsigned list = 0; list < 2; list++) {
        mb.reference[list] = ~0u;
        if (!(place.type & uses_list[list])) continue;
        of[list] = {input.reference[list] + 4 * place.at, input.motion[list] + place.motion_at,
                    input.motion_stride};
        if (place.type & mb_direct && place.type & (mb_16x8 | mb_8x16) &&
            is_split(place.type, of[list])) {
            if (input.filtered) wrong |= split_partition;
            of[list] = whole_partitions[list].make(place.type, of[list]);
            table.indices[list][at] = load32(of[list].indices);
        }
        mb.reference[list] = references(pictures.of[list], of[list].indices, used[list], wrong);
        if (mb.reference[list] != ~0u) shape |= shape_of(place.type, of[list]);
    }
    if (mb.reference[1] != ~0u) table.two_lists = true;
    if (shape & in_4x4) shape = in_4x4;
    mb.bits |= shape;
    uint32_t *to = &table.motion[next];
    for (unsigned list = 0; list < 2; list++)
        if (mb.reference[list] != ~0u) to = append(of[list], shape, to);
    return size_t(to - table.motion.data());
}

} // namespace v3doff::h264
