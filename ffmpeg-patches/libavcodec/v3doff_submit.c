/*
 * Pictures on their way to libv3doff and back
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

#include "libavutil/buffer.h"
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_internal.h"

int ff_v3doff_picture_wait(FFV3DoffPicture *pic)
{
    int under_way;

    if (atomic_load_explicit(&pic->finished, memory_order_acquire) || v3doff_process_was_forked())
        return 0;
    ff_mutex_lock(&pic->mutex);
    under_way = pic->in_flight;
    while (pic->in_flight)
        ff_cond_wait(&pic->cond, &pic->mutex);
    ff_mutex_unlock(&pic->mutex);
    return under_way;
}

/* The mutex is taken in any case: until then picture_done() may use both. */
static void wait_for_end(Submission *sub)
{
    FFV3DoffPicture *pic = sub->pic;

    ff_mutex_lock(&pic->mutex);
    while (!atomic_load_explicit(&sub->finished, memory_order_relaxed))
        ff_cond_wait(&pic->cond, &pic->mutex);
    ff_mutex_unlock(&pic->mutex);
}

static void submission_free(Submission *sub)
{
    for (int i = 0; i < sub->nb_samples; i++)
        av_buffer_unref(&sub->samples[i]);
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
            sub->next = list; // the oldest first
            list      = sub;
        } else
            at = &sub->next;
    }
    ff_mutex_unlock(&ctx->mutex);

    while ((sub = list)) {
        FFV3DoffPicture *pic = sub->pic;

        list = sub->next;
        wait_for_end(sub);
        /* Before the caller's memory can go. */
        if (pic->borrowed)
            v3doff_picture_close(&pic->picture);
        sub->release(sub->opaque);
        ff_v3doff_picture_unref(pic);
        submission_free(sub);
    }
}

void ff_v3doff_abandon(FFV3DoffContext *ctx)
{
    for (Submission *sub = ctx->submitted; sub; sub = sub->next)
        if (!atomic_load(&sub->finished))
            sub->done(sub->opaque);
}

static void count_done(FFV3DoffPicture *pic, const v3doff_picture_report *report)
{
    FFV3DoffContext *ctx = pic->ctx;
    const int gpu = report->executor == V3DOFF_EXECUTOR_GPU;

    ff_mutex_lock(&ctx->mutex);
    ctx->pictures[gpu]++;
    for (int i = 0; i < FF_V3DOFF_NB_KINDS; i++)
        ctx->work[i][gpu] += pic->recorded[i];
    if (gpu) {
        ctx->submits += report->bands;
        /* Taken back while decoding, or not for the device's arithmetic. */
        ctx->work[FF_V3DOFF_BLOCKS][1] -= report->cpu_records;
        ctx->work[FF_V3DOFF_BLOCKS][0] += report->cpu_records;
    }
    if (!gpu)
        ff_v3doff_count_reason(ctx, report->reason);
    ff_mutex_unlock(&ctx->mutex);
}

static void picture_done(void *opaque, v3doff_picture *picture)
{
    v3doff_picture_report report = { sizeof(report) };
    Submission *sub = opaque;
    FFV3DoffPicture *pic = sub->pic;

    if (v3doff_picture_get_report(picture, &report) >= 0)
        count_done(pic, &report);
    sub->done(sub->opaque);
    if (pic->counted)
        v3doff_policy_done(pic->ctx->policy, report.executor);
    ff_mutex_lock(&pic->mutex);
    pic->in_flight = 0;
    atomic_store_explicit(&pic->finished, 1, memory_order_release);
    atomic_store_explicit(&sub->finished, 1, memory_order_release);
    ff_cond_broadcast(&pic->cond);
    ff_mutex_unlock(&pic->mutex);
    /* From here on both may be gone. */
}

/*
 * Memory may be free once everything before is done, so a refused picture gets a
 * second chance. If it is refused again, the CPU does it here, and the decoder does
 * what follows.
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
    atomic_store(&pic->ctx->disabled, 1);
    return v3doff_picture_do_on_cpu(pic->picture, info);
}

int ff_v3doff_submit(AVCodecContext *avctx, FFV3DoffPicture *pic,
                     AVBufferRef *const *samples, int nb_samples,
                     void (*done)(void *opaque), void (*release)(void *opaque),
                     void *opaque)
{
    FFV3DoffContext *ctx = pic->ctx;
    v3doff_submit_info info = { sizeof(info), picture_done };
    Submission *sub = submission_alloc(samples, nb_samples);
    v3doff_result res;

    if (!sub)
        return AVERROR(ENOMEM);
    sub->pic       = pic;
    sub->done      = done;
    sub->release   = release;
    sub->opaque    = opaque;
    info.opaque    = sub;
    pic->submitted = 1;
    pic->in_flight = 1;
    pic->counted   = avctx->internal->v3doff_counted;
    atomic_store_explicit(&pic->finished, 0, memory_order_relaxed);

    /* While this reference exists the frame's samples do. */
    atomic_fetch_add_explicit(&pic->refs, 1, memory_order_relaxed);
    res = submit(pic, &info);
    if (res < 0) {
        pic->submitted = pic->in_flight = 0;
        atomic_store_explicit(&pic->finished, 1, memory_order_relaxed);
        submission_free(sub);
        ff_v3doff_picture_unref(pic);
        av_log(avctx, AV_LOG_WARNING, "libv3doff: %s\n", v3doff_result_text(res));
        return res == V3DOFF_ERROR_OUT_OF_MEMORY ? AVERROR(ENOMEM) : AVERROR_EXTERNAL;
    }
    avctx->internal->v3doff_counted = 0; // picture_done() has it
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

void ff_v3doff_end_rows(FFV3DoffPicture *pic)
{
    if (v3doff_picture_reopen(pic->picture) < 0)
        atomic_store(&pic->ctx->disabled, 1);
}

int ff_v3doff_reopen(FFV3DoffPicture *pic)
{
    if (pic->submitted) {
        ff_v3doff_picture_wait(pic);
        if (!pic->picture || v3doff_picture_reopen(pic->picture) < 0)
            return AVERROR_EXTERNAL;
    }
    pic->submitted = 0;
    memset(pic->recorded, 0, sizeof(pic->recorded));
    return 0;
}

int ff_v3doff_submitted(const FFV3DoffPicture *pic)
{
    return pic->submitted;
}
