// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_IO_GLSL
#define H264_FILTER_IO_GLSL

#include "records/h264_filter.h"
#ifdef MBAFF
#include "records/h264_filter_mbaff.h"
#define FilterPush FilterMbaffPush
#endif

layout(std430, set = 0, binding = 0) buffer Samples {
    uint samples[];
};
layout(std430, set = 0, binding = 1) readonly buffer Arena {
    uint arena[];
};
layout(std430, set = 0, binding = 1) readonly buffer ArenaQuads {
    uvec4 arena_quads[];
};
layout(std430, set = 0, binding = 2) buffer Scratch {
    uint scratch[];
};
layout(push_constant) uniform Push {
    FilterPush push;
};

// A workgroup is 8 macroblocks wide and 32 rows of work high. Taken apart here and not by a second
// dimension of local_size, for which V3D's compiler emits 50 instructions of division.
const uint GROUP_WIDTH = 8u, GROUP_HEIGHT = 32u;

uint group_x() { return gl_WorkGroupID.x * GROUP_WIDTH + (gl_LocalInvocationIndex & 7u); }

// Far below everything where there is no macroblock.
uint row_of_work(uint mb_x) {
    uint row = gl_WorkGroupID.y * GROUP_HEIGHT + (gl_LocalInvocationIndex >> 3);
    return mb_x < push.mb_width ? row : 0x80000000u;
}

// A quad is 4 samples of a line: one word, or two above 8 bits. Neighbouring words are joined to
// one access by the compiler where it can see that they lie in the same 16 bytes: hence the
// addresses in such units.
#ifdef HIGH_DEPTH
#define Quad uvec2
const uint QUAD = 2u;

Quad load_samples(uint at) { return uvec2(samples[at], samples[at + 1u]); }

void store_samples(uint at, Quad quad) {
    samples[at] = quad.x;
    samples[at + 1u] = quad.y;
}

Quad load_scratch(uint at) { return uvec2(scratch[at], scratch[at + 1u]); }

void store_scratch(uint at, Quad quad) {
    scratch[at] = quad.x;
    scratch[at + 1u] = quad.y;
}
#else
#define Quad uint
const uint QUAD = 1u;

Quad load_samples(uint at) { return samples[at]; }

void store_samples(uint at, Quad quad) { samples[at] = quad; }

Quad load_scratch(uint at) { return scratch[at]; }

void store_scratch(uint at, Quad quad) { scratch[at] = quad; }
#endif

const uint CELL = 4u * QUAD; // words

// Four lines of a quad.
struct Block {
    Quad line[4];
};

Block load_cell(uint cell) {
    Block block;
    [[unroll]] for (uint i = 0; i < 4; i++) block.line[i] = load_scratch(cell * CELL + i * QUAD);
    return block;
}

void store_cell(uint cell, Block block) {
    [[unroll]] for (uint i = 0; i < 4; i++) store_scratch(cell * CELL + i * QUAD, block.line[i]);
}

Block load_block(uint at, uint line) {
    Block block;
    [[unroll]] for (uint i = 0; i < 4; i++) block.line[i] = load_samples(at + i * line);
    return block;
}

// Adds up the address, so that no multiple of `line` occupies a register.
void store_block(uint at, uint line, Block block) {
    store_samples(at, block.line[0]);
    at += line;
    store_samples(at, block.line[1]);
    at += line;
    store_samples(at, block.line[2]);
    at += line;
    store_samples(at, block.line[3]);
}

#ifndef MBAFF
// -- records ---------------------------------------------------------------------------------

// A record's quads are push.macroblocks apart: so invocations side by side read words side by side.
const uint LUMA = 1u, CB = 2u, CR = 3u;       // quads of a record: a plane's thresholds
const uint VERTICAL = 0u, HORIZONTAL = 2u;    // words of its first quad
const uint OUTER_LEFT = 0u, OUTER_UPPER = 1u, INNER = 2u, CHROMA_STRENGTHS = 3u; // of the others

// Its first quad.
uint record_of(uint mb_x, uint mb_y) { return push.records + mb_y * push.mb_width + mb_x; }

// The strengths of a segment, a nibble an edge.
uint load_strengths(uint record, uint direction, uint segment) {
    return arena[record * 4u + direction + (segment >> 1)] >> (segment & 1u) * 16u;
}

uint load_word(uint record, uint quad, uint word) {
    return arena[(record + quad * push.macroblocks) * 4u + word];
}

// By OUTER_LEFT, OUTER_UPPER, INNER.
uvec4 load_thresholds(uint record, uint quad) {
    return arena_quads[record + quad * push.macroblocks];
}

#endif

uint depth_shift() {
#ifdef HIGH_DEPTH
    return push.bit_depth - 8u;
#else
    return 0u;
#endif
}

uint alpha_of(uint thresholds) { return unpack(thresholds, THRESHOLD_ALPHA) << depth_shift(); }

uint beta_of(uint thresholds) { return unpack(thresholds, THRESHOLD_BETA) << depth_shift(); }

uint tc0_of(uint thresholds, uint strength) {
    return unpack_tc0(thresholds, strength) << depth_shift();
}

#ifndef MBAFF
// -- planes that are filtered as luma ----------------------------------------------------------

struct Plane {
    uint at, line;   // 16-byte units
    uint thresholds; // quad of a record
    uint cells;      // those of the planes before it
    uint tiles;      // the same of their tiles
};

// Tiles have three cells a macroblock; four macroblocks beside each other have their first ones, then
// their second ones: so what is side by side in the picture is near each other in both directions.
const uint TILE = 4u; // cells from one of a macroblock to its next one

uint tile_of(uint mb_x) { return (mb_x >> 2) * 3u * TILE + (mb_x & TILE - 1u); }

#ifdef CHROMA_444
const uint LUMA_PLANES = 3u;

// Takes the plane out of a row of work.
Plane luma_plane(inout uint row) {
    uint tiles = push.tile_pitch * push.mb_height * 4u;
    if (row >= push.luma_rows * 2u) {
        row -= push.luma_rows * 2u;
        return Plane(push.plane_2, push.row_2, CR, push.cells * 2u, tiles * 2u);
    }
    if (row >= push.luma_rows) {
        row -= push.luma_rows;
        return Plane(push.plane_1, push.row_1, CB, push.cells, tiles);
    }
    return Plane(push.plane_0, push.row_0, LUMA, 0u, 0u);
}
#else
const uint LUMA_PLANES = 1u;

Plane luma_plane(inout uint row) { return Plane(push.plane_0, push.row_0, LUMA, 0u, 0u); }
#endif

#endif

#endif
