/*
 * libv3doff: submitted pictures, until the device is done with them
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

#include <limits.h>
#include <stdatomic.h>

#include "libavutil/buffer.h"
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_compat.h"
#include "v3doff_internal.h"

/**
 * A submitted frame or field. It exists until it is final and a thread of the decoder has called
 * ff_v3doff_drain() afterwards.
 */
typedef struct Submission {
    FFV3DoffPicture *pic;    ///< reference
    atomic_int finished;     ///< the samples are final; written with pic->mutex
    void (*done)(void *opaque);
    void (*release)(void *opaque);
    void *opaque;
    struct Submission *next;
    int nb_samples;
    AVBufferRef *samples[];  ///< samples that the picture is predicted from
} Submission;

static void submission_free(Submission *sub)
{
    for (int i = 0; i < sub->nb_samples; i++)
        av_buffer_unref(&sub->samples[i]);
    av_refstruct_unref(&sub->pic);
    av_free(sub);
}

static Submission *submission_alloc(AVBufferRef *const *samples, int nb_samples)
{
    Submission *sub = av_mallocz(sizeof(*sub) + nb_samples * sizeof(*sub->samples));

    for (int i = 0; sub && i < nb_samples; i++) {
        if (!samples[i])
            continue;
        sub->samples[sub->nb_samples] = av_buffer_ref(samples[i]);
        if (!sub->samples[sub->nb_samples++]) {
            submission_free(sub);
            return NULL;
        }
    }
    return sub;
}

void ff_v3doff_drain(FFV3DoffContext *ctx, enum FFV3DoffWait wait)
{
    Submission *list = NULL, **at, *sub;

    if (v3doff_process_was_forked())
        return;
    ff_mutex_lock(&ctx->mutex);
    for (at = &ctx->submitted; (sub = *at);) {
        if (wait == FF_V3DOFF_WAIT_ALL || (wait && sub != ctx->submitted) ||
            atomic_load_explicit(&sub->finished, memory_order_acquire)) {
            *at       = sub->next;
            sub->next = list; // the oldest comes first
            list      = sub;
        } else
            at = &sub->next;
    }
    ff_mutex_unlock(&ctx->mutex);

    while ((sub = list)) {
        FFV3DoffPicture *pic = sub->pic;

        list = sub->next;
        /* Even if it is finished: picture_done() uses both until it unlocks the mutex. */
        WAIT_WHILE(pic, !atomic_load_explicit(&sub->finished, memory_order_relaxed));
        /* release() may free the program's memory, in which libv3doff must not work any more. */
        if (pic->borrowed)
            v3doff_picture_close(&pic->picture);
        sub->release(sub->opaque);
        submission_free(sub);
    }
}

void ff_v3doff_wait_all(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (ctx)
        ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_ALL);
}

void ff_v3doff_abandon(FFV3DoffContext *ctx)
{
    for (Submission *sub = ctx->submitted; sub; sub = sub->next)
        if (!atomic_load(&sub->finished))
            sub->done(sub->opaque);
}

/* libv3doff calls this on one of its threads, or inside the submit. */
static void picture_done(void *opaque, v3doff_picture *picture)
{
    Submission *sub = opaque;
    FFV3DoffPicture *pic = sub->pic;

    sub->done(sub->opaque);
    ff_mutex_lock(&pic->mutex);
    atomic_store_explicit(&sub->finished, 1, memory_order_release);
    if (pic->newest == sub)
        ff_v3doff_move(pic, FF_V3DOFF_DONE);
    else
        ff_cond_broadcast(&pic->cond);
    ff_mutex_unlock(&pic->mutex);
    /* From here on, both may be freed. */
}

static void move(FFV3DoffPicture *pic, enum FFV3DoffState state, const Submission *newest)
{
    ff_mutex_lock(&pic->mutex);
    pic->newest = newest;
    ff_v3doff_move(pic, state);
    ff_mutex_unlock(&pic->mutex);
}

/*
 * If a picture is refused for lack of memory, this tries again when all earlier pictures have freed
 * theirs. If that fails as well, the library does the recorded work on the CPU here, and the decoder
 * does all later pictures.
 */
static v3doff_result submit(FFV3DoffPicture *pic, const v3doff_submit_info *info)
{
    v3doff_result res = v3doff_picture_submit(pic->picture, info);

    if (res != V3DOFF_ERROR_OUT_OF_MEMORY)
        return res;
    ff_v3doff_drain(pic->ctx, FF_V3DOFF_WAIT_ALL);
    res = v3doff_picture_submit(pic->picture, info);
    if (res != V3DOFF_ERROR_OUT_OF_MEMORY)
        return res;
    v3doff_stream_give_up(pic->ctx->stream, res);
    return v3doff_picture_do_on_cpu(pic->picture, info);
}

int ff_v3doff_submit(AVCodecContext *avctx, FFV3DoffPicture *pic,
                     AVBufferRef *const *samples, int nb_samples,
                     void (*done)(void *opaque), void (*release)(void *opaque),
                     void *opaque)
{
    FFV3DoffContext *ctx = pic->ctx;
    Submission *sub = submission_alloc(samples, nb_samples);
    const v3doff_submit_info info = {
        sizeof(info), picture_done, sub, ctx->stream, avctx->internal->v3doff_counted, pic->whole
    };
    v3doff_result res;

    if (!sub)
        return AVERROR(ENOMEM);
    atomic_init(&sub->finished, 0);
    sub->pic     = av_refstruct_ref(pic);
    sub->done    = done;
    sub->release = release;
    sub->opaque  = opaque;
    move(pic, FF_V3DOFF_SUBMITTED, sub);
    res = submit(pic, &info); // the picture may be done before this returns
    if (res < 0) {
        move(pic, FF_V3DOFF_OPEN, NULL);
        submission_free(sub);
        av_log(avctx, AV_LOG_WARNING, "libv3doff: %s\n", v3doff_result_text(res));
        return res == V3DOFF_ERROR_OUT_OF_MEMORY ? AVERROR(ENOMEM) : AVERROR_EXTERNAL;
    }
    avctx->internal->v3doff_counted = 0; // libv3doff ends the picture's turn
    if (pic->whole) // even if some rows were not parsed because of damage
        ff_v3doff_report_parsed(pic, pic->field, INT_MAX);
    ff_mutex_lock(&ctx->mutex);
    sub->next      = ctx->submitted;
    ctx->submitted = sub;
    ff_mutex_unlock(&ctx->mutex);
    return 0;
}

int ff_v3doff_submit_rows(FFV3DoffPicture *pic, int row_end, v3doff_rows_callback done,
                          void *opaque)
{
    v3doff_rows_info info = { sizeof(info), row_end, done, opaque };
    v3doff_result res = v3doff_picture_submit_rows(pic->picture, &info);

    return res < 0 ? AVERROR_EXTERNAL : res == V3DOFF_OK;
}
