/*
 * H.264: what is left to libv3doff
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

#ifndef AVCODEC_H264_V3DOFF_H
#define AVCODEC_H264_V3DOFF_H

#include "config.h"

#include "h264dec.h"
#include "v3doff.h"

/** The filter itself, of macroblocks in one row. */
void ff_h264_loop_filter_row(const H264Context *h, H264SliceContext *sl,
                             int start_x, int end_x);

/** Puts what the filter needs of a macroblock into the slice's context; nonzero: it needs no filtering. */
int ff_h264_fill_filter_caches(const H264Context *h, H264SliceContext *sl, int mb_type);

#if CONFIG_LIBV3DOFF

/**
 * A frame or field begins: leave its loop filter to libv3doff, if it can.
 * Until ff_h264_v3doff_finish() no macroblock of it is filtered.
 */
void ff_h264_v3doff_start(H264Context *h);

/**
 * Another frame or field is about to begin. One that is still open has no slice:
 * the header of its first one was refused late, and the decoder drops it.
 */
void ff_h264_v3doff_cancel(H264Context *h);

/** A slice's header is known; also to be called if nothing is left to libv3doff. */
void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl);

/** Are references of the slice still being filtered? Without frame threads only. */
int ff_h264_v3doff_must_await(const H264SliceContext *sl);

/** Wait for a row of such a reference; row and field as for ff_thread_await_progress(). */
void ff_h264_v3doff_await(const H264Picture *pic, int row, int field);

/**
 * To be called before queued slices are decoded. If they do not continue where
 * the last one ended, macroblocks may be decoded twice, and the time of
 * filtering matters: from here on FFmpeg filters the frame itself.
 */
void ff_h264_v3doff_check_order(H264Context *h);

/**
 * A row was decoded: leave in the slice's context what FFmpeg's filter would
 * leave there now. It only matters after an error: a skipped macroblock then
 * adds the coefficients that a damaged one has left, if the context says that
 * there are some.
 */
void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                               int start_x, int end_x);

/** Called instead of reconstructing a macroblock, if libv3doff reconstructs the frame. */
void ff_h264_v3doff_macroblock(const H264Context *h, H264SliceContext *sl, int mb_type);

/**
 * Wait until this row of macroblocks of a frame that libv3doff reconstructs is
 * parsed, its motion vectors known.
 *
 * @return 0: libv3doff does not reconstruct this frame
 */
int ff_h264_v3doff_await_parsed(const H264Picture *pic, int mb_y);

/** Called instead of filtering macroblocks of a row. */
void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                            int start_x, int end_x);

/**
 * All slices were decoded, errors are not concealed yet. Where there are none
 * the filter is handed over; else it is done here, as without libv3doff.
 */
void ff_h264_v3doff_finish(H264Context *h);

/**
 * The progress of the current frame or field is reported when it is filtered.
 * A field's thread is not the only one that would report it: so would that of
 * the next packet, if no field begins in that.
 */
int ff_h264_v3doff_reports(const H264Context *h);

void ff_h264_v3doff_free(H264Context *h);

#else

static inline void ff_h264_v3doff_start(H264Context *h) { }
static inline void ff_h264_v3doff_cancel(H264Context *h) { }
static inline void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl) { }
static inline int ff_h264_v3doff_must_await(const H264SliceContext *sl) { return 0; }
static inline void ff_h264_v3doff_await(const H264Picture *pic, int row, int field) { }
static inline void ff_h264_v3doff_check_order(H264Context *h) { }
static inline void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                                             int start_x, int end_x) { }
static inline void ff_h264_v3doff_macroblock(const H264Context *h, H264SliceContext *sl,
                                             int mb_type) { }
static inline int ff_h264_v3doff_await_parsed(const H264Picture *pic, int mb_y) { return 0; }
static inline void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                                          int start_x, int end_x) { }
static inline void ff_h264_v3doff_finish(H264Context *h) { }
static inline int ff_h264_v3doff_reports(const H264Context *h) { return 0; }
static inline void ff_h264_v3doff_free(H264Context *h) { }

#endif /* CONFIG_LIBV3DOFF */

#endif /* AVCODEC_H264_V3DOFF_H */
