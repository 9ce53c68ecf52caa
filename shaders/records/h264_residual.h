// SPDX-License-Identifier: BSD-2-Clause
// Records of the H.264 inverse transforms, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_RESIDUAL_H
#define V3DOFF_RECORDS_H264_RESIDUAL_H

#include "records/residual.h"

RECORDS_BEGIN(v3doff::h264)

// ResidualRecord::place: x and y in units of 4 samples of that plane. In a field the block has every second
// row, from row y * 4 + parity on.
const Bits RESIDUAL_X = {0, 12}, RESIDUAL_Y = {12, 12}, RESIDUAL_PLANE = {24, 2};
const Bits RESIDUAL_FIELD = {26, 1}, RESIDUAL_PARITY = {27, 1};
// Residuals in scratch memory: the word offset, and words from row to row; a word has two values.
const Bits RESIDUAL_SCRATCH = {0, 28}, RESIDUAL_SCRATCH_STRIDE = {28, 4};

// Push constants. Offsets and strides count 32-bit words.
struct ResidualPush {
    uint groups; // word offset in the arena of the first group of this dispatch
    uint sample_max;
    uint plane_offset_0, plane_offset_1, plane_offset_2;
    uint plane_stride_0, plane_stride_1, plane_stride_2;
};

// Kinds: everything that steers the control flow, so that a workgroup has one of it.
const uint RESIDUAL_DC_4 = 0;
const uint RESIDUAL_DC_8 = 1;
const uint RESIDUAL_BYPASS_4 = 2; // transform bypass; the residual, row after row
const uint RESIDUAL_4 = 3;
const uint RESIDUAL_8_4 = 4; // 8x8, of which only the 4x4 corner holds coefficients
const uint RESIDUAL_8 = 5;
const uint RESIDUAL_KINDS = 6;

// What is coded of a macroblock that was recorded as words. An invocation makes the records of its
// blocks.
//   place:   as above, but in macroblocks and without a plane, and RESIDUAL_TRANSFORM_8X8. Of a field
//            macroblock in an MBAFF frame, y is that of the upper one. RESIDUAL_BYPASS: its blocks bypass the
//            transform.
//   coded:   16 bits a plane: the 4x4 blocks in the order of 6.4.3, chroma's in raster order. Above
//            the last plane's, bit 4 * plane + n: 8x8 block n is one of RESIDUAL_8_4.
//   source:  where its coefficients are, counted from ResidualBlocksPush::coefficients.
//   record:  by kind, from RESIDUAL_4 on, the number of its first record. Records of a bypass stand
//            before those of RESIDUAL_4, so the number is less than 0, modulo 2^32.
struct ResidualMacroblock {
    uint place, coded_01, coded_2, source, record_4, record_8_4, record_8;
};
const uint RESIDUAL_TRANSFORM_8X8 = 1u << 31;
const uint RESIDUAL_BYPASS = 1u << 29;
const uint RESIDUAL_MACROBLOCKS = 64; // of a workgroup

// By kind, from RESIDUAL_4 on: the word offset of the first record, a multiple of 2.
struct ResidualFirst {
    uint of_4, of_8_4, of_8;
};
struct ResidualBlocksPush {
    uint macroblocks; // word offset of the first one
    uint in_picture, count; // those whose residuals are added to the picture; with those that go to
                            // scratch memory, behind them
    uint coefficients, block_words;
    uint scratch_words; // of a macroblock
    uint shift_x, shift_y; // of chroma
    uint chroma_as_luma;
    ResidualFirst picture, scratch;
};

RECORD_LAYOUT(sizeof(ResidualMacroblock) == 28 && sizeof(ResidualBlocksPush) == 60)
RECORD_LAYOUT(sizeof(ResidualPush) == 32 && offsetof(ResidualPush, plane_stride_0) == 20)
RECORDS_END

#endif
