/*
 * VP9: what the parts of the libv3doff glue share
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

#include <v3doff/vp9.h>

#ifndef AVCODEC_VP9_V3DOFF_H
#define AVCODEC_VP9_V3DOFF_H

#include "avcodec.h"
#include "vp9dec.h"

/** Can libv3doff reconstruct this frame: has it all references in its own memory? */
int ff_vp9_v3doff_whole_possible(AVCodecContext *avctx);

/** Begin to parse a frame that libv3doff reconstructs. @return 0: there is no memory for it */
int ff_vp9_v3doff_whole_start(AVCodecContext *avctx, int nb_lanes);

/** What was parsed becomes what is submitted, but for the loop filter. */
int ff_vp9_v3doff_whole_record(AVCodecContext *avctx, int nb_lanes, int partial);

/** All that is recorded is made ready; returns when it can be submitted. */
void ff_vp9_v3doff_whole_await(AVCodecContext *avctx);

void ff_vp9_v3doff_whole_over(AVCodecContext *avctx);

#endif /* AVCODEC_VP9_V3DOFF_H */
