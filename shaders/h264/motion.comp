// SPDX-License-Identifier: BSD-2-Clause
// H.264 motion, to be sorted for inter prediction: makes the records and counts those of each bucket.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "records/h264_inter.h"

#include "h264/motion_io.glsl"

const uint NO_KEY = 0xffffffffu;

// By 8x8 block.
struct MotionBlocks {
    uvec4 key; // and MOTION_MOVES_CHROMA
    uvec4 weights, vector;
    bvec4 split; // its 4x4 blocks have vectors of their own
};

uint motion_of(uvec4 blocks, uint block) {
    uint upper = block == 0u ? blocks.x : blocks.y, lower = block == 2u ? blocks.z : blocks.w;
    return block < 2u ? upper : lower;
}

bool motion_alike(MotionBlocks blocks, int a, int b) {
    return blocks.key[a] == blocks.key[b] && blocks.weights[a] == blocks.weights[b] &&
           blocks.vector[a] == blocks.vector[b] && !blocks.split[a] && !blocks.split[b];
}

// The class of a rectangle at x, y, in luma samples. field: 1 in a field macroblock.
uint motion_class(uint vector, uvec2 place, uvec2 size, uint field, bool moves_chroma) {
    const int before = 2, behind = 3; // samples that luma's filter reads beside those it makes
    ivec2 moved = ivec2(unpack_signed(vector, LOWER_HALF), unpack_signed(vector, UPPER_HALF));
    ivec2 at = 4 * (ivec2(place) - before) + moved;
    ivec2 picture = ivec2(push.mb_width, push.mb_height >> field) * 16;
    ivec2 last = 4 * (picture - ivec2(size) - before - behind);
    if (any(lessThan(at, ivec2(0))) || any(greaterThan(at, last))) return MOTION_NEAR_EDGE;
    ivec2 fraction = moved & 3;
    if (fraction == ivec2(0)) return ((moved.x | moved.y) & 7) != 0 || moves_chroma ? 1u : 0u;
    if (fraction.y == 0) return 2u;
    if (fraction.x == 0) return 3u;
    if ((fraction.x & fraction.y & 1) != 0) return 4u;
    return fraction.x == 2 ? 5u : 6u;
}

// to: where the record goes; left: how many of this invocation's follow it; field, lower: 1 in a
// field macroblock, and in a lower one.
void motion_record(uint to, uint left, uint key, uint weights, uint vector, uvec2 place,
                   uint size_number, uint field, uint lower) {
    uvec2 size = size_number == 4u ? uvec2(4) : uvec2(size_number < 2u ? 16 : 8,
                                                      (size_number & 1u) != 0u ? 8 : 16);
    uint moves = key / MOTION_MOVES_CHROMA;
    uint bucket = key % MOTION_MOVES_CHROMA * MOTION_BUCKETS +
                  motion_class(vector, place, size, field, moves != 0u) * MOTION_SIZES + size_number;
    uint lines = pack(field, INTER_FIELD) | pack(lower, INTER_LOWER) |
                 pack(lower ^ moves & field, INTER_FROM_LOWER);
    atomicAdd(arena[push.buckets + bucket], 1u);
    uint where = weights == 0u ? 0u : push.weights + (weights - 1u) * 8u;
    arena_quads[to] = uvec4(pack(place.x >> 2, INTER_X) | pack(place.y >> 2, INTER_Y) |
                                pack(size.y, INTER_HEIGHT) | lines,
                            vector, where, pack(bucket, MOTION_BUCKET) | pack(left, MOTION_LEFT));
}

void main() {
    MotionList list = motion_list();
    if (list.own == MOTION_NOTHING) return;
    bool second = list.second != 0u;
    uint mb = list.mb, own = list.own, other = list.other;
    bool in_4x4 = motion_vectors_of_list(list.record) == 16u;
    bool whole = motion_vectors_of_list(list.record) == 1u;
    uint vectors = push.vectors + list.vectors;
    uint table = push.slices == 0u ? 0u : arena[push.slices + (mb >> 1)] >> (mb & 1u) * 16u & 0xffffu;
    table = push.tables + table * MOTION_TABLE_WORDS;
    uint field = min(list.record.x & MB_FIELD, 1u), lower = mb & field;
    uint pairs = arena[table + 2u * MOTION_LIST + field + lower];
    uint own_index = arena[(second ? push.indices_1 : push.indices_0) + mb];
    uint other_index = arena[(second ? push.indices_0 : push.indices_1) + mb];

    MotionBlocks blocks;
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint down = uint(i) >> 1, right = uint(i) & 1u;
        uint at = vectors + (in_4x4 ? down * 8u + right * 2u : whole ? 0u : uint(i));
        blocks.vector[i] = arena[at];
        blocks.split[i] = in_4x4 && (arena[at + 1u] != blocks.vector[i] ||
                                     arena[at + 4u] != blocks.vector[i] ||
                                     arena[at + 5u] != blocks.vector[i]);
        uint index = own_index >> i * 8 & 31u, beside = (other_index >> i * 8 & 31u) + 1u;
        bool both = (other >> i * 8 & 255u) != 255u;
        beside = both ? beside : 0u;
        uint source = arena[table + list.second * MOTION_LIST + (index >> field)];
        uint weights = 0u;
        if (pairs != 0u && (second || !both)) // of two, the second prediction combines both
            weights = arena[push.tables + pairs + (second ? beside * MOTION_PAIRS + index + 1u
                                                          : (index + 1u) * MOTION_PAIRS + beside)];
        uint mode = (second && both ? 2u : 0u) + (weights != 0u ? 1u : 0u);
        bool used = (own >> i * 8 & 255u) != 255u;
        blocks.key[i] = arena[push.lookup + mode * MOTION_SOURCES + (source & 31u)];
        // In a field macroblock, odd indices are of fields of the other parity.
        blocks.key[i] |= source & MOTION_MOVES_CHROMA | (index & field) * MOTION_MOVES_CHROMA;
        blocks.key[i] = used ? blocks.key[i] : NO_KEY;
        blocks.weights[i] = weights;
    }
    bool rows = motion_alike(blocks, 0, 1) && motion_alike(blocks, 2, 3);
    bool columns = motion_alike(blocks, 0, 2) && motion_alike(blocks, 1, 3);
    whole = whole || (rows && columns);

    // A frame macroblock of a pair has lines of the picture, a field macroblock those of its field.
    uint unit = mb >> push.pairs, frame_pair = push.pairs & ~field;
    uvec2 corner = uvec2(unit % push.mb_width, unit / push.mb_width);
    corner = uvec2(corner.x, (corner.y << frame_pair) + (mb & frame_pair)) * 16u;
    uint parts = whole ? 1u : rows ? 5u : columns ? 3u : 15u; // 8x8 blocks that begin one
    uint size = whole ? 0u : rows ? 1u : columns ? 2u : 3u;
    uint left = 0u;
    [[unroll]] for (int i = 0; i < 4; i++)
        if ((parts >> i & 1u) != 0u && blocks.key[i] != NO_KEY) left += blocks.split[i] ? 4u : 1u;
    uint to = (push.unsorted >> 2) + list.vectors; // no more records than vectors
    [[dont_unroll]] for (uint i = 0u; i < 4u; i++) {
        uint key = motion_of(blocks.key, i);
        if ((parts >> i & 1u) == 0u || key == NO_KEY) continue;
        uint first = vectors + (i >> 1) * 8u + (i & 1u) * 2u;
        bool split = i == 0u   ? blocks.split.x
                     : i == 1u ? blocks.split.y
                     : i == 2u ? blocks.split.z
                               : blocks.split.w;
        [[dont_unroll]] for (uint part = 0u; part < (split ? 4u : 1u); part++) {
            uint vector = motion_of(blocks.vector, i);
            if (part != 0u) vector = arena[first + (part >> 1) * 4u + (part & 1u)];
            uvec2 place = corner + uvec2(i & 1u, i >> 1) * 8u + uvec2(part & 1u, part >> 1) * 4u;
            motion_record(to++, --left, key, motion_of(blocks.weights, i), vector, place, split ? 4u : size,
                          field, lower);
        }
    }
}
