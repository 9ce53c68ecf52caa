/*
 * libv3doff: FFV3DoffPicture, its states, and how threads wait for it
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

/**
 * @file
 * A frame has one FFV3DoffPicture, which FrameDecodeData keeps alive. Its mutex and condition let
 * threads wait for four of its members:
 *
 * - state says whether the decoder or libv3doff writes the samples;
 * - parsed_rows says which motion vectors of a whole frame or field are known, and when it is
 *   submitted (whole: the decoder only parses it, libv3doff reconstructs it);
 * - final_row says, without frame threads, from which rows later frames may be predicted;
 * - in_first_field says, with frame threads, that the thread of the second field has to wait.
 *
 * In a forked process no other thread exists, and nothing is waited for.
 */

#include <limits.h>
#include <stdatomic.h>

#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_compat.h"
#include "v3doff_internal.h"

static void picture_free(AVRefStructOpaque unused, void *obj)
{
    FFV3DoffPicture *pic = obj;

    if (!pic->ctx || v3doff_process_was_forked()) // not complete, or only the parent's is
        return;
    v3doff_picture_close(&pic->picture);
    av_buffer_unref(&pic->stand_in);
    av_buffer_unref(&pic->drm_frames);
    ff_cond_destroy(&pic->cond);
    ff_mutex_destroy(&pic->mutex);
    av_refstruct_unref(&pic->ctx);
}

FFV3DoffPicture *ff_v3doff_picture_alloc(FFV3DoffContext *ctx)
{
    FFV3DoffPicture *pic = av_refstruct_alloc_ext(sizeof(*pic), 0, NULL, picture_free);

    if (!pic)
        return NULL;
    if (ff_mutex_init(&pic->mutex, NULL))
        goto fail;
    if (ff_cond_init(&pic->cond, NULL)) {
        ff_mutex_destroy(&pic->mutex);
        goto fail;
    }
    atomic_init(&pic->state, FF_V3DOFF_OPEN);
    for (int field = 0; field < 2; field++) {
        atomic_init(&pic->parsed_rows[field], -1);
        atomic_init(&pic->final_row[field], INT_MAX);
    }
    pic->ctx = av_refstruct_ref(ctx);
    return pic;
fail:
    av_refstruct_unref(&pic);
    return NULL;
}

v3doff_picture *ff_v3doff_handle(FFV3DoffPicture *pic)
{
    return pic->picture;
}

/* ---- The state ---------------------------------------------------------------- */

void ff_v3doff_move(FFV3DoffPicture *pic, enum FFV3DoffState state)
{
    atomic_store_explicit(&pic->state, state, memory_order_release);
    ff_cond_broadcast(&pic->cond);
}

int ff_v3doff_submitted(const FFV3DoffPicture *pic)
{
    return atomic_load_explicit(&pic->state, memory_order_acquire) != FF_V3DOFF_OPEN;
}

int ff_v3doff_is_under_way(const FFV3DoffPicture *pic)
{
    return atomic_load_explicit(&pic->state, memory_order_acquire) == FF_V3DOFF_SUBMITTED;
}

int ff_v3doff_picture_wait(FFV3DoffPicture *pic)
{
    if (!ff_v3doff_is_under_way(pic) || v3doff_process_was_forked())
        return 0;
    WAIT_WHILE(pic, ff_v3doff_is_under_way(pic));
    return 1;
}

int ff_v3doff_reopen(FFV3DoffPicture *pic, int whole)
{
    if (ff_v3doff_submitted(pic)) {
        if (!(whole && pic->whole) && ff_v3doff_picture_wait(pic))
            v3doff_stream_count(pic->ctx->stream, V3DOFF_EVENT_AWAITED, NULL);
        if (!pic->picture || v3doff_picture_reopen(pic->picture) < 0)
            return AVERROR_EXTERNAL;
        ff_mutex_lock(&pic->mutex);
        pic->newest = NULL;
        ff_v3doff_move(pic, FF_V3DOFF_OPEN);
        ff_mutex_unlock(&pic->mutex);
    }
    pic->whole = 0;
    return 0;
}

/* ---- Rows ----------------------------------------------------------------------- */

static void report(FFV3DoffPicture *pic, atomic_int *place, int value)
{
    if (v3doff_process_was_forked())
        return;
    ff_mutex_lock(&pic->mutex);
    atomic_store_explicit(place, value, memory_order_release);
    ff_cond_broadcast(&pic->cond);
    ff_mutex_unlock(&pic->mutex);
}

void ff_v3doff_begin_whole(FFV3DoffPicture *pic, int field)
{
    pic->whole = 1;
    pic->field = field;
    ff_v3doff_report_parsed(pic, field, 0);
}

void ff_v3doff_report_parsed(FFV3DoffPicture *pic, int field, int rows)
{
    report(pic, &pic->parsed_rows[field], rows);
}

int ff_v3doff_await_parsed(FFV3DoffPicture *pic, int field, int rows)
{
    int parsed = atomic_load_explicit(&pic->parsed_rows[field], memory_order_acquire);

    if (parsed < 0 || parsed >= rows || v3doff_process_was_forked())
        return parsed >= 0;
    WAIT_WHILE(pic, (parsed = atomic_load(&pic->parsed_rows[field])) >= 0 && parsed < rows);
    return parsed >= 0;
}

void ff_v3doff_report_final(FFV3DoffPicture *pic, int field, int row)
{
    report(pic, &pic->final_row[field], row);
}

int ff_v3doff_is_final(const FFV3DoffPicture *pic, int field, int row)
{
    return atomic_load_explicit(&pic->final_row[field], memory_order_acquire) >= row;
}

void ff_v3doff_await_final(FFV3DoffPicture *pic, int field, int row)
{
    if (!ff_v3doff_is_final(pic, field, row) && !v3doff_process_was_forked())
        WAIT_WHILE(pic, !ff_v3doff_is_final(pic, field, row));
}

void ff_v3doff_drop(FFV3DoffPicture *pic, const char *reason)
{
    if (v3doff_process_was_forked())
        return;
    if (!ff_v3doff_submitted(pic)) {
        /* This waits for rows that were submitted, and discards the other records. */
        const v3doff_result res = v3doff_picture_reopen(pic->picture);

        if (res < 0)
            v3doff_stream_give_up(pic->ctx->stream, res);
    }
    if (pic->whole)
        ff_v3doff_report_parsed(pic, pic->field, -1);
    v3doff_stream_count(pic->ctx->stream, pic->whole ? V3DOFF_EVENT_CPU_WHOLE : V3DOFF_EVENT_CPU,
                        reason);
}

/* ---- Two fields ------------------------------------------------------------------ */

FFV3DoffPicture *ff_v3doff_begin_first_field(FFV3DoffPicture *pic)
{
    report(pic, &pic->in_first_field, 1);
    return av_refstruct_ref(pic);
}

void ff_v3doff_end_first_field(FFV3DoffPicture **pic)
{
    if (*pic)
        report(*pic, &(*pic)->in_first_field, 0);
    av_refstruct_unref(pic);
}

void ff_v3doff_await_first_field(FFV3DoffPicture *pic)
{
    if (!v3doff_process_was_forked())
        WAIT_WHILE(pic, atomic_load(&pic->in_first_field));
}

void ff_v3doff_set_decoder(FFV3DoffPicture *pic, int field, const AVCodecContext *avctx)
{
    atomic_store(&pic->decoders[field], (uintptr_t)avctx);
}

const AVCodecContext *ff_v3doff_decoder(const FFV3DoffPicture *pic, int field)
{
    return (const AVCodecContext *)atomic_load(&pic->decoders[field]);
}
