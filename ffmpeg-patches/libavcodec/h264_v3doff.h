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
 * What the H.264 decoder calls so that libv3doff filters or reconstructs its pictures, frames or
 * fields:
 *
 * ff_h264_v3doff_start()       a picture begins
 * ff_h264_v3doff_add_slice()   for each slice header
 * ff_h264_v3doff_check_order() before queued slices are decoded
 * ff_h264_v3doff_begin_slice(), ff_h264_v3doff_decode_mb() and ff_h264_v3doff_end_mb_cabac()
 *                              to parse a macroblock, and while H264Context.v3doff_whole is set to
 *                              record it instead of reconstructing it
 * ff_h264_v3doff_add_row()     instead of filtering macroblocks, while H264Context.v3doff is set
 * ff_h264_v3doff_finish()      all slices were decoded
 *
 * The decoder can take a picture back in any of these calls. It then filters what was not
 * filtered, and goes on as without libv3doff.
 */

/** Filters macroblocks of one row. */
void ff_h264_loop_filter_row(const H264Context *h, H264SliceContext *sl,
                             int start_x, int end_x);

/** Fills the slice's context with what the filter needs of a macroblock; nonzero: it needs no filtering. */
int ff_h264_fill_filter_caches(const H264Context *h, H264SliceContext *sl, int mb_type);

#if CONFIG_LIBV3DOFF

/**
 * Begins a frame or field, and leaves its loop filter or its reconstruction to libv3doff, if
 * possible. Then the decoder filters no macroblock until ff_h264_v3doff_finish().
 */
void ff_h264_v3doff_start(H264Context *h);

/**
 * To be called before another frame or field begins. A picture that is still open has no slice:
 * the header of its first one was refused late, and the decoder drops it.
 */
void ff_h264_v3doff_cancel(H264Context *h);

/** To be called for each slice header, even if the decoder does all work of the picture. */
void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl);

/** Without frame threads: returns whether libv3doff still works on references of the slice. */
int ff_h264_v3doff_must_await(const H264SliceContext *sl);

/**
 * To be called before queued slices are decoded. If they do not continue where the last ones
 * ended, macroblocks may be decoded twice, and it matters when they are filtered. In this case
 * the decoder takes the picture back.
 */
void ff_h264_v3doff_check_order(H264Context *h);

/**
 * To be called when a row was decoded. It leaves in the slice's context what FFmpeg's filter
 * would have left there by now. This matters only after an error: a skipped macroblock then
 * adds the coefficients of a damaged one, if the context says that there are some.
 */
void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                               int start_x, int end_x);

/** To be called when FFmpeg's decoder is ready to parse a slice. */
void ff_h264_v3doff_begin_slice(const H264Context *h, H264SliceContext *sl);

typedef int H264V3DoffParser(const H264Context *h, H264SliceContext *sl);

/** Parses and records a macroblock that libv3doff reconstructs. stock: FFmpeg's function for that */
int ff_h264_v3doff_parse_macroblock(const H264Context *h, H264SliceContext *sl, H264V3DoffParser *stock);

/** Parses a macroblock. If libv3doff reconstructs it, it is also recorded. */
static av_always_inline int ff_h264_v3doff_decode_mb(const H264Context *h, H264SliceContext *sl,
                                                     H264V3DoffParser *stock)
{
    return h->v3doff_whole ? ff_h264_v3doff_parse_macroblock(h, sl, stock) : stock(h, sl);
}

/**
 * To be called after each macroblock or pair of them, with CABAC.
 *
 * @return nonzero: the slice goes on; 0: FFmpeg's arithmetic decoder reads whether it does
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
 * If the decoder only parses a frame or field, waits until this row of macroblocks is parsed and
 * its motion vectors are known.
 *
 * @param mb_y of a field: twice the row
 * @return 0: the decoder reconstructs it; wait for the decoder's own progress
 */
int ff_h264_v3doff_await_parsed(const H264Ref *ref, int mb_y);

/** Records macroblocks of one row that FFmpeg would filter now. */
void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                            int start_x, int end_x);

/**
 * To be called when all slices were decoded, before errors are concealed. It submits the
 * picture. If the picture is damaged, the decoder filters it here, as without libv3doff.
 */
void ff_h264_v3doff_finish(H264Context *h);

/**
 * Returns whether the progress of the current frame or field is reported elsewhere: when
 * libv3doff is done with it, or by the thread that decodes it. (If no field begins in the next
 * packet, the thread of that packet would report it, too.)
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
