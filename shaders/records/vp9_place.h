// SPDX-License-Identifier: BSD-2-Clause
// Where blocks are, in records of VP9 and in words (v3doff/vp9_words.h). Compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_VP9_PLACE_H
#define V3DOFF_RECORDS_VP9_PLACE_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::vp9)

// The place of all records: x and y are in units of 4 samples of that plane.
const Bits PLACE_X = {0, 14}, PLACE_Y = {14, 14}, PLACE_PLANE = {28, 4};
RECORD_FUNCTION uint pack_place(uint x, uint y, uint plane) {
    return pack(x, PLACE_X) | pack(y, PLACE_Y) | pack(plane, PLACE_PLANE);
}

// The first word of a block, whose row and column are in units of 8 luma samples, and its third word.
const Bits BLOCK_ROW = {0, 13}, BLOCK_COL = {13, 13}, BLOCK_SIZE = {26, 4}, BLOCK_IS_INTRA = {30, 1};
const Bits BLOCK_FLAG = {31, 1};

const Bits BLOCK_FILTER = {4, 2}, BLOCK_CHROMA_MODE = {16, 4}, BLOCK_TX = {20, 2}, BLOCK_SEGMENT = {24, 8};
RECORD_FUNCTION uint block_reference(uint word, uint which) { return word >> 2u * which & 3u; }
// The first word of a transform; TRANSFORM_PLACE is all but its type.
const Bits TRANSFORM_X = {0, 13}, TRANSFORM_Y = {13, 13}, TRANSFORM_PLANE = {26, 2}, TRANSFORM_TX = {28, 2};
const Bits TRANSFORM_TYPE = {30, 2}, TRANSFORM_PLACE = {0, 30};
const Bits COEFFICIENT_PLACE = {0, 10}, COEFFICIENT_VALUE = {10, 22};

RECORDS_END

#endif
