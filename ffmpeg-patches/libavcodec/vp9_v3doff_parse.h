/*
 * VP9: parsing of frames that libv3doff reconstructs
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

#ifndef AVCODEC_VP9_V3DOFF_PARSE_H
#define AVCODEC_VP9_V3DOFF_PARSE_H

#include "vp9dec.h"

/*
 * What blocks need to know of those above and on the left is a word for each 8x8 samples: a kind of
 * neighbour, and the fields below.
 */
enum {
    V3DOFF_NOTHING, V3DOFF_INTRA,
    V3DOFF_SINGLE,                       ///< plus the reference
    V3DOFF_COMPOUND = V3DOFF_SINGLE + 3, ///< plus the variable one
    V3DOFF_HAS_QUARTERS = 1 << 12,       ///< its vectors are those of above_mv_ctx and left_mv_ctx
    V3DOFF_NO_FILTER    = 3 << 6,
    V3DOFF_NO_NEIGHBOUR = V3DOFF_NOTHING | V3DOFF_NO_FILTER | NEARESTMV << 8,
};

#define KIND(neighbour)    ((neighbour) & 7)
#define SKIPPED(neighbour) ((neighbour) >> 3 & 1)
#define TX(neighbour)      ((neighbour) >> 4 & 3)
#define FILTER(neighbour)  ((neighbour) >> 6 & 3) ///< its number in the stream
#define MODE(neighbour)    ((neighbour) >> 8 & 15)

/** Begin a frame. */
void ff_vp9_v3doff_coefficients_start(VP9Context *s, int nb_lanes);
void ff_vp9_v3doff_contexts_start(VP9Context *s);

/** Parses a block. */
void ff_vp9_v3doff_block(VP9TileData *td, int row, int col, enum BlockLevel level,
                         enum BlockPartition partition);

/** Reads the vectors of a quarter of the current block; -1: of the block. */
void ff_vp9_v3doff_vectors(VP9TileData *td, VP9mv *mv, int mode, int quarter);

/** Appends the coefficients of the current block. @return 0: it has none */
int ff_vp9_v3doff_coefficients(VP9TileData *td);
void ff_vp9_v3doff_no_coefficients(VP9TileData *td);

#endif /* AVCODEC_VP9_V3DOFF_PARSE_H */
