// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 deblocking (ITU-T H.264 8.7), compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_FILTER_H
#define V3DOFF_RECORDS_H264_FILTER_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::h264)

// One macroblock, four quads of words. In the arena the first quads of all macroblocks come first, in
// raster order, then the second ones, and so on. A "segment" is 4 luma samples along an edge.
//
// Strengths are nibbles, 0 to 4: that of segment s at strength_bit() of word s >> 1.
// 4 stands on edge 0 only, and there on all four segments (8.7.2.1 without MBAFF). Edges that are
// not filtered have strength 0: those at the picture's border, those which the slice switches off,
// edges 1 and 3 of luma where transform_size_8x8_flag is set.
//
// Thresholds of an edge are as the tables of 8.7.2.2 have them, for 8-bit samples; tc0, at most 25, is
// there for each strength from 1 to 3. All is 0 where alpha or beta is.
struct FilterMb {
    uint vertical[2];   // strengths of vertical edges, left to right; segments top to bottom
    uint horizontal[2]; // strengths of horizontal edges, top to bottom; segments left to right
    uint luma[3];       // thresholds of the left, the upper and the inner edges
    uint unused;
    uint cb[3];
    uint chroma_left;   // horizontal chroma edges of 4:2:0 and 4:2:2: segments 0 and 1 as above,
    uint cr[3];         // with edges 1 and 3 also where luma has none
    uint chroma_right;  // segments 2 and 3
};
const Bits THRESHOLD_ALPHA = {0, 8}, THRESHOLD_BETA = {8, 8};
RECORD_FUNCTION uint pack_tc0(uint tc0, uint strength) { return tc0 << (strength * 5u + 11u); }
RECORD_FUNCTION uint unpack_tc0(uint word, uint strength) { return word >> (strength * 5u + 11u) & 31u; }
RECORD_FUNCTION uint strength_bit(uint edge, uint segment) { return (segment & 1u) * 16u + edge * 4u; }

// Push constants of the four passes.
//
// Planes and their rows begin at multiples of 16 bytes: plane_n counts units of 16 bytes. Scratch
// is counted in cells: 4 lines of 4 samples, 4 words or 8 above 8 bits of depth. A "row" of it
// belongs to 4 lines of the picture. All passes share the layout; only the counts of rows of work
// differ.
struct FilterPush {
    uint plane_0, plane_1, plane_2;
    uint row_0, row_1, row_2; // 16-byte units from line to line
    uint line_0;              // words from line to line of luma
    uint mb_width, mb_height;
    uint records;       // of the FilterMb in the arena: its first quad
    uint macroblocks;   // how many there are: quads from one quad of a macroblock to the next
    // Numbers of macroblocks times 16, for the last pass: of a row, of all, of all but 1.
    uint number_pitch, all_numbers, last_number;
    uint chroma_rows;   // rows of work of Cb and of Cr, which come first
    uint luma_rows;     // those of each plane that is filtered as luma
    uint cells;         // cells of one plane filtered as luma, in 4:4:4
    uint inner;         // columns 8..11 of each line after its inner edges; column 8 is 0
    uint strip;         // columns 12..15 likewise
    uint strip_done;    // columns 12..15 after the horizontal edges
    uint tile;          // columns 0..11 after all vertical edges: 3 cells a macroblock, in tile_of()
                        // macroblocks' order
    uint tile_pitch;    // cells in a row of it
    uint slab;          // macroblock rows that an invocation of the last pass walks down
    uint slab_blocks;   // times 16 invocations for a row of tiles
    uint slab_scale;    // 2^20 / slab_blocks, rounded up
    uint chroma_tile;   // chroma after the vertical edges: 2 cells a row of a macroblock
    uint chroma_strip;  // 16-byte units: columns 6 and 7 of chroma after the horizontal edges, a
                        // word a line
    uint chroma_final;  // the same after the next macroblock's left edge
    uint chroma_bottom; // words: their last line after the lower macroblock's upper edge
    uint bit_depth;
};

RECORD_LAYOUT(sizeof(FilterMb) == 64 && offsetof(FilterMb, luma) == 16)
RECORD_LAYOUT(offsetof(FilterMb, cb) == 32 && offsetof(FilterMb, chroma_right) == 60)
RECORD_LAYOUT(sizeof(FilterPush) == 120 && offsetof(FilterPush, bit_depth) == 116)
RECORDS_END

#endif
