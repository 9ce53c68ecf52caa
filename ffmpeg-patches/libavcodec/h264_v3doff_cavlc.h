/*
 * H.264: CAVLC tables of the parsers for pictures that libv3doff reconstructs
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#ifndef AVCODEC_H264_V3DOFF_CAVLC_H
#define AVCODEC_H264_V3DOFF_CAVLC_H

#include <stdint.h>
#include <stdlib.h>

#include "libavutil/attributes.h"
#include "libavutil/attributes_internal.h"

/**
 * A code and its value. Its index in a table is 8 times the number of zeros that it begins with, plus the
 * 3 bits after the first 1.
 */
typedef struct H264V3DoffCode {
    uint8_t value;       ///< 255: the code is not valid
    uint8_t length;      ///< in bits
} H264V3DoffCode;

/** A level (9.2.2.1). Its index in a table is the next 8 bits. */
typedef struct H264V3DoffLevel {
    int8_t level;
    uint8_t length : 4;  ///< 0: the code has more than 8 bits
    uint8_t next   : 4;  ///< the table of the next level, as an index of H264V3DoffCavlcTables.levels
} H264V3DoffLevel;

/** A level with a code of any length. */
typedef struct H264V3DoffLongLevel {
    int level;
    uint8_t length;      ///< 0: the code is not valid
    uint8_t next;
} H264V3DoffLongLevel;

/**
 * Tables of levels 0 to 6 are for that suffixLength. The two from here on are for the first level of a
 * block with less than three trailing ones, with suffixLength 0 and 1. That level is not 1 or -1, because
 * it would be a trailing one.
 */
#define V3DOFF_FIRST_LEVEL 7

FF_VISIBILITY_PUSH_HIDDEN
extern struct H264V3DoffCavlcTables {
    H264V3DoffCode tokens[8][128];           ///< coeff_token by nC
    H264V3DoffCode chroma_tokens[2][128];    ///< of chroma DC in 4:2:0 and in 4:2:2
    H264V3DoffCode zeros[16][128];           ///< total_zeros by the number of coefficients
    H264V3DoffCode chroma_zeros[2][8][128];
    H264V3DoffCode runs[16][8];              ///< run_before by zerosLeft and 3 bits; length 0: it has more
    H264V3DoffLevel levels[9][256];
} ff_h264_v3doff_cavlc;
FF_VISIBILITY_POP_HIDDEN

/** Returns the level of a levelCode (9.2.2.1). row: an index of levels[] */
static av_always_inline H264V3DoffLongLevel v3doff_level(int row, int code, int length)
{
    const int first = !row || row >= V3DOFF_FIRST_LEVEL;
    int size;

    code += row >= V3DOFF_FIRST_LEVEL ? 2 : 0;
    size  = (code + 2) >> 1;
    return (H264V3DoffLongLevel) {
        code & 1 ? -size : size, length,
        first ? 1 + (size > 3) : row + (row < 6 && size > 3 << (row - 1))
    };
}

#endif /* AVCODEC_H264_V3DOFF_CAVLC_H */
