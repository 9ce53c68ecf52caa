// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CHROMA_GLSL
#define H264_FILTER_CHROMA_GLSL

#include "h264/filter_chroma_edges.glsl"
#include "h264/filter_edges.glsl"

// Chroma of 4:2:0 and 4:2:2: 8 columns, 8 or 16 lines a macroblock. Its edges are 4 samples apart,
// read 2 samples on each side and write 1, so none depends on the one before it in the same
// direction. What the next macroblock's left edge reads, columns 6 and 7 ("the strip"), depends on
// horizontal edges only, and those on vertical edges only through the two lines above: so the first
// pass filters the strips, the second the vertical edges, the third the horizontal ones.

#ifdef CHROMA_422
const uint GROUPS = 4u; // of 4 lines, in a macroblock
#else
const uint GROUPS = 2u;
#endif
const uint LINES = GROUPS * 4u;

// Luma's edge that horizontal edge `e` and, of vertical edges, edge 1 take their strengths from.
uint edge_shift(uint e) { return e * (16u / GROUPS); }

// Cb or Cr.
struct ChromaPlane {
    uint at, line;   // 16-byte units
    uint thresholds; // quad of a record
    uint first;      // macroblocks of the plane before it
};

// Takes the plane out of a row of work.
ChromaPlane chroma_plane(inout uint row) {
    bool cr = row >= push.chroma_rows;
    row -= cr ? push.chroma_rows : 0u;
    return ChromaPlane(cr ? push.plane_2 : push.plane_1, cr ? push.row_2 : push.row_1,
                       cr ? CR : CB, cr ? push.mb_width * push.mb_height : 0u);
}

// Columns 6 and 7 of a line as the halves of a word.
uint strip_of(Quad quad) {
#ifdef HIGH_DEPTH
    return quad.y;
#else
    return (quad >> 16 & 0xffu) + (quad >> 8 & 0xff0000u);
#endif
}

// The same as they lie in memory.
uvec4 memory_strip(uvec4 strip) {
#ifdef HIGH_DEPTH
    return strip;
#else
    return (strip << 16) + (strip << 8 & 0xff000000u);
#endif
}

Quad with_strip(Quad quad, uint strip) {
#ifdef HIGH_DEPTH
    return uvec2(quad.x, strip);
#else
    return (quad & 0xffffu) + strip;
#endif
}

// Where the finished strip of 4 lines of a macroblock is.
uint final_strip(ChromaPlane plane, uint row, uint mb_x) {
    uint first = plane.first == 0u ? 0u : push.mb_height * GROUPS;
    return push.chroma_final + (first + row) * (push.mb_width + 1u) + mb_x + 1u;
}

uvec4 load_quad(uint at) {
    at *= 4u;
    return uvec4(scratch[at], scratch[at + 1u], scratch[at + 2u], scratch[at + 3u]);
}

void store_quad(uint at, uvec4 words) {
    at *= 4u;
    scratch[at] = words.x;
    scratch[at + 1u] = words.y;
    scratch[at + 2u] = words.z;
    scratch[at + 3u] = words.w;
}

#endif
