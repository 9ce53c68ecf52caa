/*
 * H.264: frames and fields that are left to libv3doff, from their start to their submit
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

#include <stdatomic.h>
#include <string.h>

#include "libavutil/mem.h"

#include "h264_ps.h"
#include "h264_v3doff_internal.h"
#include "v3doff_compat.h"

/**
 * @file
 * The functions that the decoder calls; h264_v3doff.h describes them. A *whole* picture is one that
 * libv3doff reconstructs, while the decoder only parses it. Of other pictures libv3doff does the loop
 * filter, perhaps in *bands*: rows that are submitted while the decoder works on those below.
 */

static void end_waiting(H264V3Doff *data)
{
    data->second_field = NOTHING_WAITS;
    av_refstruct_unref(&data->waiting);
}

static void clear(H264V3Doff *data)
{
    for (int i = 0; i < data->nb_slices; i++)
        av_refstruct_unref(&data->slices[i].pps);
    data->nb_slices = data->nb_rows = 0;
    data->submitted = 0;
    data->unordered = data->filtered = data->recorded = data->refused = 0;
    data->filters_otherwise = NULL;
    data->postponed = data->next_postponed = 0;
    end_waiting(data);
    ff_v3doff_end_first_field(&data->in_first_field);
}

/* Returns why the decoder must do all work of the picture itself, or NULL. */
static const char *why_not(const H264Context *h)
{
    const AVCodecContext *avctx = h->avctx;

    if (avctx->flags2 & AV_CODEC_FLAG2_CHUNKS)
        return "not offloaded: the input comes in chunks";
    if (avctx->draw_horiz_band)
        return "not offloaded: the program uses draw_horiz_band";
    if (h->flags & AV_CODEC_FLAG_GRAY)
        return "not offloaded: gray";
    if (h->cur_pic_ptr->needs_fg)
        return "not offloaded: film grain";
    if (ff_v3doff_suspended(avctx))
        return "not offloaded: samples beyond the bit depth after damage";
    return NULL;
}

/*
 * Opens the picture: libv3doff does some work of it if h->v3doff is set afterwards. No other thread may
 * use the frame's picture any more. A second field that the decoder does itself waits for the first,
 * because the device may work in a copy of the frame, all of which it copies back.
 */
static void open_picture(H264Context *h, int whole, const char *reason)
{
    h->v3doff = ff_v3doff_frame_start(h->avctx, h->cur_pic_ptr->f, reason);
    if (h->v3doff && ff_v3doff_reopen(h->v3doff, whole) < 0) {
        ff_v3doff_drop(h->v3doff, "the deblocking was refused");
        h->v3doff = NULL;
    }
    if (h->v3doff)
        h->cur_pic_ptr->v3doff = h->v3doff;
    else
        ff_v3doff_wait(h->cur_pic_ptr->f);
}

/* Prepares H264Context.v3doff_data for a picture. Returns 0 if there is no memory. */
static int reset_data(H264Context *h, int alone)
{
    if (!h->v3doff_data)
        h->v3doff_data = av_mallocz(sizeof(*h->v3doff_data));
    if (!h->v3doff_data)
        return 0;
    clear(h->v3doff_data);
    h->v3doff_data->band_rows = ff_h264_v3doff_band_rows(h, alone);
    h->v3doff_data->field = h->picture_structure == PICT_BOTTOM_FIELD;
    h->v3doff_data->x = 0;
    h->v3doff_data->y = h->v3doff_data->field;
    return 1;
}

void ff_h264_v3doff_start(H264Context *h)
{
    const int frame_threads = h->avctx->active_thread_type & FF_THREAD_FRAME;
    const int fields = frame_threads && FIELD_PICTURE(h);
    const int second = FIELD_PICTURE(h) && !h->first_field;
    H264Picture *pic = h->cur_pic_ptr;
    v3doff_policy_answer answer;
    const char *obstacle, *reason;
    unsigned possible = 1u << V3DOFF_FAMILY_H264_DEBLOCK;
    int whole;

    /* With frame threads, others may still predict from damaged pictures. */
    if (h->picture_idr && !frame_threads)
        ff_v3doff_suspend(h->avctx, 0);
    obstacle = why_not(h);
    h->v3doff_submitted = 0;
    h->v3doff = NULL;
    if (!obstacle && ff_h264_v3doff_whole_possible(h)) {
        possible |= 1u << V3DOFF_FAMILY_H264_RECONSTRUCTION;
        if (h->slice_ctx[h->nb_slice_ctx_queued].slice_type_nos == AV_PICTURE_TYPE_I)
            possible |= 1u << V3DOFF_FAMILY_H264_INTRA; // the other slices are probably like the first
    }
    whole = ff_v3doff_ask(h->avctx, possible, !h->droppable, obstacle, &answer) ==
            V3DOFF_SCOPE_RECONSTRUCTION;
    /* libv3doff is asked about each field, but the first answer decides for both. */
    if (!second)
        h->v3doff_turn = answer.reason;
    reason = second && obstacle ? obstacle : h->v3doff_turn;
    if (fields && second) {
        /* Another thread may still decode the first field, so start_second_field() opens the picture. */
        if (pic->v3doff) {
            if (reset_data(h, answer.alone)) {
                h->v3doff_data->second_field = whole ? WHOLE_FIELD_WAITS : FIELD_WAITS;
                h->v3doff_data->waiting      = av_refstruct_ref(pic->v3doff);
                h->v3doff_data->obstacle     = obstacle;
                ff_v3doff_set_decoder(pic->v3doff, h->v3doff_data->field, h->avctx);
                if (whole) // other threads may wait for rows before the picture is open
                    ff_v3doff_report_parsed(pic->v3doff, h->v3doff_data->field, 0);
            }
            return;
        }
        reason = obstacle ? obstacle : "not offloaded: the first field was not";
    }
    if (!reason && !reset_data(h, answer.alone))
        reason = "no memory";
    open_picture(h, whole, reason);
    if (!h->v3doff)
        return;
    if (whole)
        ff_h264_v3doff_whole_start(h);
    if (fields) {
        h->v3doff_data->in_first_field = ff_v3doff_begin_first_field(pic->v3doff);
        ff_v3doff_set_decoder(pic->v3doff, h->v3doff_data->field, h->avctx);
    }
}

/*
 * In a field, FFmpeg's filter takes reference indices 16 and 17 for no reference, and compares no vectors
 * then. Its function for x86 compares them, if there is one list.
 */
static int filters_without_vectors(const H264Context *h, const H264SliceContext *sl)
{
    const int simd = V3DOFF_H264DSP(h->h264dsp, loop_filter_strength) && !h->ps.pps->chroma_qp_diff;

    return FIELD_PICTURE(h) && sl->list_count && FFMAX(sl->ref_count[0], sl->ref_count[1]) > 16 &&
           (sl->list_count == 2 || !simd);
}

/* Returns why the decoder may predict from the slice's filtered samples or filters it otherwise, or NULL. */
static const char *why_filters_otherwise(const H264Context *h, const H264SliceContext *sl)
{
    if (V3DOFF_PREDICTS_FROM_FILTERED && FIELD_PICTURE(h) && sl->deblocking_filter == 2)
        return "not offloaded: slices of a field are filtered separately";
    if (sl->deblocking_filter && ff_h264_v3doff_sums_residuals(h))
        return "not offloaded: lossless macroblocks beside filtered ones";
    if (sl->deblocking_filter && filters_without_vectors(h, sl))
        return "not offloaded: a field with more than 16 references";
    return NULL;
}

void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl)
{
    H264V3Doff *data = h->v3doff_data;

    sl->v3doff_await = ff_h264_v3doff_must_await(sl);
    if (!h->v3doff && !(data && data->second_field))
        return;
    if (!ff_h264_v3doff_record_slice(h, sl)) {
        data->unordered = 1;
        return;
    }
    if (h->v3doff_whole || data->second_field == WHOLE_FIELD_WAITS)
        ff_h264_v3doff_whole_slice(h, sl);
    data->filtered |= !!sl->deblocking_filter;
    data->next_postponed |= sl->deblocking_filter == 1;
    if (!data->filters_otherwise)
        data->filters_otherwise = why_filters_otherwise(h, sl);
}

/* The second field is not whole after all, or none of its slices was decoded. */
static void drop_second_field(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    if (data->second_field == WHOLE_FIELD_WAITS)
        ff_v3doff_report_parsed(data->waiting, data->field, -1);
    end_waiting(data);
    ff_h264_v3doff_whole_over(h); // its slices may have kept references
}

/*
 * With frame threads, opens the picture of a second field, once the thread of the first one is done with
 * it. Only one thread at a time may record in it.
 */
static void start_second_field(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    const int whole = data->second_field == WHOLE_FIELD_WAITS;

    ff_v3doff_await_first_field(h->cur_pic_ptr->v3doff);
    open_picture(h, whole, data->obstacle);
    if (!whole || !h->v3doff) {
        drop_second_field(h);
        return;
    }
    end_waiting(data);
    ff_h264_v3doff_whole_start(h);
}

/* Gives a picture up: the decoder filters what it has decoded so far, and does the rest. */
static void give_up(H264Context *h, const char *reason)
{
    H264V3Doff *data = h->v3doff_data;

    if (h->v3doff_whole)
        ff_h264_v3doff_whole_give_up(h);
    ff_v3doff_drop(h->v3doff, reason);
    ff_h264_v3doff_end_bands(h);
    h->v3doff = NULL;
    ff_h264_v3doff_filter_on_cpu(h);
    clear(data);
}

void ff_h264_v3doff_cancel(H264Context *h)
{
    if (h->v3doff)
        give_up(h, "no slice of the frame could be decoded");
    else if (h->v3doff_data)
        drop_second_field(h);
}

/* Returns why libv3doff cannot go on with the picture and the queued slices, or NULL. */
static const char *why_give_up(H264Context *h)
{
    const H264SliceContext *sl = &h->slice_ctx[0];
    const H264V3Doff *data = h->v3doff_data;

    if (data->filters_otherwise)
        return data->filters_otherwise;
    if (data->unordered || sl->mb_x != data->x || sl->mb_y != data->y)
        return "the frame is damaged";
    if (h->v3doff_whole && (data->unpredictable || h->er.error_occurred))
        return "the frame cannot be recorded";
    if (h->v3doff_whole && ff_h264_v3doff_whole_make_room(h) < 0)
        return "no memory to record the frame";
    return NULL;
}

void ff_h264_v3doff_check_order(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    const char *reason;
    int postponed;

    if (!data)
        return;
    postponed = data->next_postponed;
    if (data->second_field)
        start_second_field(h);
    reason = h->v3doff ? why_give_up(h) : NULL;
    if (reason) {
        give_up(h, reason);
        h->postpone_filter = postponed; // as without libv3doff
    }
    data->postponed      = postponed;
    data->next_postponed = 0;
}

void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                            int start_x, int end_x)
{
    H264V3Doff *data = h->v3doff_data;
    Row *rows;

    /* Here FFmpeg would filter nothing. After damage, it filters a slice's complete rows, but none of
     * them if it filters several slices after all are decoded. */
    if (h->nb_slice_ctx_queued > 1 && !sl->deblocking_filter &&
        sl->slice_num < data->nb_slices && data->slices[sl->slice_num].deblocking_filter &&
        (data->postponed || end_x < h->mb_width))
        return;
    rows = av_fast_realloc(data->rows, &data->rows_size, (data->nb_rows + 1) * sizeof(*rows));
    if (!rows) {
        data->unordered = 1;
        return;
    }
    data->rows = rows;
    rows[data->nb_rows++] = (Row) { sl->slice_num, sl->mb_y, start_x, end_x };

    if (sl->mb_y != data->y || start_x != data->x || sl->slice_num >= data->nb_slices)
        data->unordered = 1;
    if (data->unordered)
        return;
    data->x = end_x;
    if (data->x == h->mb_width) {
        const int rows = 1 + FRAME_MBAFF(h);
        const int end  = (data->y >> FIELD_PICTURE(h)) + rows;

        data->x  = 0;
        data->y += rows << FIELD_PICTURE(h);
        if (h->v3doff_whole) {
            ff_h264_v3doff_whole_rows(h, sl, end);
            return;
        }
        if (!data->filtered || data->refused)
            return;
        /* The next row is predicted from unfiltered samples of this one, so a band ends above this row. */
        if (data->recorded == end - rows && end - rows - data->submitted >= data->band_rows &&
            !ff_v3doff_suspended(h->avctx))
            ff_h264_v3doff_submit_band(h, end - rows);
        if (!data->refused && ff_h264_v3doff_record_rows(h, data->recorded, end, 1) < 0)
            data->refused = 1;
        data->recorded = end;
    }
}

/* If libv3doff refuses only to filter the picture, it reconstructs it, and the decoder filters it. */
static void submit_whole(H264Context *h)
{
    const int rows = h->mb_height >> FIELD_PICTURE(h);

    if (ff_h264_v3doff_record_rows(h, 0, rows, h->v3doff_data->filtered) < 0) {
        give_up(h, "the deblocking was refused");
        return;
    }
    h->v3doff_submitted = ff_h264_v3doff_whole_record(h, 0) >= 0 && ff_h264_v3doff_submit(h) >= 0;
    ff_h264_v3doff_whole_over(h);
    if (!h->v3doff_submitted) {
        av_log(h->avctx, AV_LOG_ERROR, "libv3doff: a picture could not be reconstructed\n");
        h->cur_pic_ptr->f->flags |= AV_FRAME_FLAG_CORRUPT;
        h->cur_pic_ptr->f->decode_error_flags |= FF_DECODE_ERROR_DECODE_SLICES;
        ff_v3doff_drop(h->v3doff, "the reconstruction was refused");
        ff_h264_v3doff_end_bands(h);
    }
}

void ff_h264_v3doff_finish(H264Context *h)
{
    const H264SliceContext *sl = &h->slice_ctx[0];
    H264V3Doff *data = h->v3doff_data;
    const int conceals = h->enable_er && !FIELD_PICTURE(h) && atomic_load(&h->er.error_count);

    if (conceals && !(h->avctx->active_thread_type & FF_THREAD_FRAME))
        for (int j = 0; j < sl->list_count; j++)
            for (int i = 0; i < sl->ref_count[j]; i++)
                if (sl->ref_list[j][i].parent)
                    ff_v3doff_wait(sl->ref_list[j][i].parent->f);
    /* Concealment treats samples as bytes, so that longer ones may exceed the bit depth. */
    if (conceals && h->pixel_shift)
        ff_v3doff_suspend(h->avctx, 1);
    if (!h->v3doff) {
        if (data)
            drop_second_field(h);
        ff_v3doff_turn_over(h->avctx);
        return;
    }
    if (data->unordered || data->x || data->y < h->mb_height || conceals ||
        ff_v3doff_suspended(h->avctx)) {
        give_up(h, "the frame is damaged");
    } else if (h->v3doff_whole) {
        submit_whole(h);
    } else if (!data->filtered) {
        ff_v3doff_frame_idle(h->avctx);
    } else if (ff_h264_v3doff_submit(h) < 0) {
        give_up(h, "the deblocking was refused");
    } else
        h->v3doff_submitted = 1;
    h->v3doff = NULL;
    clear(data);
    ff_v3doff_turn_over(h->avctx);
}

void ff_h264_v3doff_free(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    if (!data)
        return;
    clear(data);
    av_freep(&data->slices);
    av_freep(&data->predictions);
    av_freep(&data->rows);
    av_freep(&data->parameters);
    av_freep(&data->field_pictures);
    av_freep(&data->field_implicit);
    av_freep(&h->v3doff_data);
}
