/*
 * VP9: what the files of libv3doff's part of the decoder share
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

#ifndef AVCODEC_VP9_V3DOFF_INTERNAL_H
#define AVCODEC_VP9_V3DOFF_INTERNAL_H

/**
 * @file
 * vp9dec.h has what the decoder itself calls. A frame is *whole* if libv3doff reconstructs all of it:
 * the decoder then only parses it (VP9Context.v3doff_whole). What it parses becomes records of 32-bit
 * words, the *words* of a *lane*. A lane is the list that one thread of the decoder appends to. With
 * slice threads, each column of tiles has a lane. Otherwise there is one.
 */

#include <v3doff/vp9.h>

#include "avcodec.h"
#include "vp9dec.h"

/* ---- vp9_v3doff_words.c: beginning and end of a whole frame ------------------ */

/** Returns whether the current frame can be whole: it and its references are in libv3doff's memory. */
int ff_vp9_v3doff_whole_possible(AVCodecContext *avctx);

/** Begins a whole frame. @return 0: there is no memory for it */
int ff_vp9_v3doff_whole_start(AVCodecContext *avctx, int nb_lanes);

/**
 * Hands what was parsed over to libv3doff, and waits until the references allow the submit.
 *
 * @param partial the frame is damaged: some blocks are missing
 * @param sb_rows rows of superblocks that the loop filter filters, if the frame has one
 */
int ff_vp9_v3doff_whole_record(AVCodecContext *avctx, int nb_lanes, int partial, int sb_rows);

/** Frees the references, when the frame was submitted or given up. */
void ff_vp9_v3doff_whole_over(AVCodecContext *avctx);

/* ---- vp9_v3doff_parse.c: superblocks of a whole frame ------------------------ */

/** Begins the frame. @return 0: there is no memory for it */
int ff_vp9_v3doff_parse_start(VP9Context *s, int nb_lanes);

/* ---- vp9_v3doff_block.c: blocks ---------------------------------------------- */

/*
 * What later blocks need to know of a block. v3doff_above and v3doff_left hold it for each 8x8
 * samples: a kind of neighbour, with the fields below.
 */
enum {
    V3DOFF_NOTHING,                      ///< outside the tile or the frame
    V3DOFF_INTRA,
    V3DOFF_SINGLE,                       ///< plus the reference
    V3DOFF_COMPOUND = V3DOFF_SINGLE + 3, ///< plus the variable one of its two references
    V3DOFF_HAS_QUARTERS = 1 << 12,       ///< smaller than 8x8: above_mv_ctx and left_mv_ctx have its vectors
    V3DOFF_NO_FILTER    = 3 << 6,
    V3DOFF_NO_NEIGHBOUR = V3DOFF_NOTHING | V3DOFF_NO_FILTER | NEARESTMV << 8,
};

#define KIND(neighbour)    ((neighbour) & 7)
#define SKIPPED(neighbour) ((neighbour) >> 3 & 1)
#define TX(neighbour)      ((neighbour) >> 4 & 3)
#define FILTER(neighbour)  ((neighbour) >> 6 & 3) ///< literal of interp_filter in the stream
#define MODE(neighbour)    ((neighbour) >> 8 & 15)

/** Parses a block (6.4.4, decode_block) and appends its words. */
void ff_vp9_v3doff_block(VP9TileData *td, int row, int col, enum BlockLevel level,
                         enum BlockPartition partition);

/* ---- vp9_v3doff_contexts.c: contexts of a block's modes ---------------------- */

/** Fills the tables of contexts, which depend on the frame's header. */
void ff_vp9_v3doff_contexts_start(VP9Context *s);

/* ---- vp9_v3doff_vectors.c: motion vectors ------------------------------------ */

/**
 * Finds or reads the motion vectors of the current block, one for each of its references.
 *
 * @param quarter of a block smaller than 8x8; -1: of a whole block
 */
void ff_vp9_v3doff_vectors(VP9TileData *td, VP9mv *mv, int mode, int quarter);

/* ---- vp9_v3doff_coefficients.c: residuals ------------------------------------ */

/** Makes the tables ready for a frame. */
void ff_vp9_v3doff_coefficients_start(VP9Context *s, int nb_lanes);

/** Parses the current block's coefficients, and appends them. @return 0: it has none */
int ff_vp9_v3doff_coefficients(VP9TileData *td);

/** Notes that the current block has no coefficients. */
void ff_vp9_v3doff_no_coefficients(VP9TileData *td);

#endif /* AVCODEC_VP9_V3DOFF_INTERNAL_H */
