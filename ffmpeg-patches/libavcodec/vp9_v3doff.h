/*
 * VP9: frames that libv3doff reconstructs; vp9_v3doff_words.c and vp9_v3doff_parse.c have the functions
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

#ifndef AVCODEC_VP9_V3DOFF_H
#define AVCODEC_VP9_V3DOFF_H

#include <v3doff/vp9.h>

#include "avcodec.h"
#include "vp9dec.h"

/** Returns whether libv3doff can reconstruct this frame: it and its references are in libv3doff's memory. */
int ff_vp9_v3doff_whole_possible(AVCodecContext *avctx);

/** Begins to parse a frame that libv3doff reconstructs. @return 0: there is no memory for it */
int ff_vp9_v3doff_whole_start(AVCodecContext *avctx, int nb_lanes);

/**
 * Records what was parsed, and waits until the references allow the submit.
 *
 * @param sb_rows rows of superblocks that the loop filter filters, if the frame has one
 */
int ff_vp9_v3doff_whole_record(AVCodecContext *avctx, int nb_lanes, int partial, int sb_rows);

/** Begins to parse superblocks of a frame that libv3doff reconstructs. @return 0: there is no memory for it */
int ff_vp9_v3doff_parse_start(VP9Context *s, int nb_lanes);

/** Frees the references, when the frame was submitted or given up. */
void ff_vp9_v3doff_whole_over(AVCodecContext *avctx);

#endif /* AVCODEC_VP9_V3DOFF_H */
