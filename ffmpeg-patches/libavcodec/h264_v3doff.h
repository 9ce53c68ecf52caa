/*
 * H.264: frames and fields that are left to libv3doff
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

/**
 * @file
 * What the H.264 decoder calls so that libv3doff filters or reconstructs its pictures, which are frames
 * or fields. While H264Context.v3doff is set, libv3doff filters the current picture. While v3doff_whole
 * is also set, libv3doff reconstructs it, and the decoder only parses it:
 *
 * ff_h264_v3doff_start()       a picture begins; this may set v3doff and v3doff_whole
 * ff_h264_v3doff_add_slice()   for each slice header
 * ff_h264_v3doff_check_order() before queued slices are decoded
 * ff_h264_v3doff_begin_slice(), ff_h264_v3doff_decode_mb() and ff_h264_v3doff_end_mb_cabac()
 *                              to parse a slice's macroblocks, and to record them if v3doff_whole is set
 * ff_h264_v3doff_add_row()     instead of filtering macroblocks, if v3doff is set
 * ff_h264_v3doff_finish()      all slices were decoded
 *
 * Each of these calls may give the picture up: it resets v3doff and v3doff_whole. Then the decoder has
 * filtered what was recorded, and goes on as without libv3doff.
 */

/* Functions of FFmpeg's h264_slice.c. */

/** Filters macroblocks of one row. */
void ff_h264_loop_filter_row(const H264Context *h, H264SliceContext *sl,
                             int start_x, int end_x);

/** Fills the slice's context with what the filter needs of a macroblock; nonzero: it needs no filtering. */
int ff_h264_fill_filter_caches(const H264Context *h, H264SliceContext *sl, int mb_type);

#if CONFIG_LIBV3DOFF

/** Begins a frame or field, and leaves its loop filter or its reconstruction to libv3doff, if possible. */
void ff_h264_v3doff_start(H264Context *h);

/**
 * To be called before another frame or field begins. If ff_h264_v3doff_finish() was not called for the
 * last one, no slice of it was decoded, because the decoder refused the header of the first one after
 * ff_h264_v3doff_start().
 */
void ff_h264_v3doff_cancel(H264Context *h);

/** To be called for each slice header, even if the decoder does all work of the picture. */
void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl);

/** Without frame threads: returns whether libv3doff still works on references of the slice. */
int ff_h264_v3doff_must_await(const H264SliceContext *sl);

/**
 * To be called before queued slices are decoded. If they do not continue where the last ones
 * ended, macroblocks may be decoded twice, and it matters when they are filtered. So the picture is
 * given up.
 */
void ff_h264_v3doff_check_order(H264Context *h);

/**
 * To be called when a row was decoded. It leaves in the slice's context (non_zero_count_cache) what
 * FFmpeg's filter would have left there by now. This matters only after an error: a skipped macroblock
 * then adds the coefficients that a damaged one left over, if the context says that there are some.
 */
void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                               int start_x, int end_x);

/** To be called when FFmpeg's CABAC or CAVLC decoder is ready to parse a slice. Chooses the slice's parser. */
void ff_h264_v3doff_begin_slice(const H264Context *h, H264SliceContext *sl);

/** A function such as ff_h264_decode_mb_cabac(). */
typedef int H264V3DoffParser(const H264Context *h, H264SliceContext *sl);

/** Parses and records a macroblock of a picture that libv3doff reconstructs. stock: FFmpeg's own parser */
int ff_h264_v3doff_parse_macroblock(const H264Context *h, H264SliceContext *sl, H264V3DoffParser *stock);

/** Parses a macroblock, and records it if libv3doff reconstructs the picture. */
static av_always_inline int ff_h264_v3doff_decode_mb(const H264Context *h, H264SliceContext *sl,
                                                     H264V3DoffParser *stock)
{
    return h->v3doff_whole ? ff_h264_v3doff_parse_macroblock(h, sl, stock) : stock(h, sl);
}

/**
 * To be called after each macroblock or MBAFF pair of them, with CABAC. Reads end_of_slice_flag.
 *
 * @return 1: the slice goes on; 0: FFmpeg's arithmetic decoder has to read the flag
 */
static av_always_inline int ff_h264_v3doff_end_mb_cabac(const H264Context *h, H264SliceContext *sl)
{
    H264V3DoffCabac *c = &sl->v3doff_cabac;

    if (!h->v3doff_whole || !sl->v3doff_parse)
        return 0;
    if (c->next < c->last && !v3doff_terminate(&c->window, &c->range))
        return 1;
    v3doff_give_back(c, &sl->cabac);
    sl->v3doff_parse = NULL;
    return 0;
}

/**
 * Waits until the motion vectors of a row of macroblocks are known, in a reference that another thread
 * only parses.
 *
 * @param mb_y in a field: twice the row
 * @return 0: the decoder reconstructs the reference; wait for FFmpeg's own progress
 */
int ff_h264_v3doff_await_parsed(const H264Ref *ref, int mb_y);

/** Records the filter of macroblocks of one row, which FFmpeg would filter now. */
void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                            int start_x, int end_x);

/**
 * To be called when all slices were decoded, before errors are concealed. It submits the picture, or
 * gives it up if it is damaged.
 */
void ff_h264_v3doff_finish(H264Context *h);

/**
 * Returns whether the progress of the current frame or field is reported elsewhere: when libv3doff is
 * done with it, or by another thread that decodes it. The thread of a first field's next packet would
 * report that field's progress, too, if no second field begins in the packet.
 */
int ff_h264_v3doff_reports(const H264Context *h);

void ff_h264_v3doff_free(H264Context *h);

#else

static inline void ff_h264_v3doff_start(H264Context *h) { }
static inline void ff_h264_v3doff_cancel(H264Context *h) { }
static inline void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl) { }
static inline int ff_h264_v3doff_must_await(const H264SliceContext *sl) { return 0; }
static inline void ff_h264_v3doff_check_order(H264Context *h) { }
static inline void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                                             int start_x, int end_x) { }
static inline void ff_h264_v3doff_begin_slice(const H264Context *h, H264SliceContext *sl) { }
#define ff_h264_v3doff_decode_mb(h, sl, stock) stock(h, sl)
static inline int ff_h264_v3doff_end_mb_cabac(const H264Context *h, H264SliceContext *sl) { return 0; }
static inline int ff_h264_v3doff_await_parsed(const H264Ref *ref, int mb_y) { return 0; }
static inline void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                                          int start_x, int end_x) { }
static inline void ff_h264_v3doff_finish(H264Context *h) { }
static inline int ff_h264_v3doff_reports(const H264Context *h) { return 0; }
static inline void ff_h264_v3doff_free(H264Context *h) { }

#endif /* CONFIG_LIBV3DOFF */

#endif /* AVCODEC_H264_V3DOFF_H */
