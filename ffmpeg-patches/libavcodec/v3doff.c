/*
 * libv3doff: a decoder is opened, gets a device, asks who does each picture, and is closed
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

#include "libavutil/thread.h"

#include "h264dec.h"
#include "internal.h"
#include "v3doff.h"
#include "v3doff_compat.h"
#include "v3doff_internal.h"

/*
 * With the mode auto, a device is opened after this number of frames and has_b_frames more.
 * avformat_find_stream_info() takes up to 20 frames from a decoder, and programs that make thumbnails
 * take fewer. They should not open a device.
 */
#define OPEN_AFTER 21

void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options)
{
    FFV3DoffContext *ctx;

    if (avctx->internal->is_copy || options->mode == V3DOFF_MODE_CPU ||
        v3doff_process_was_forked())
        return;
    ctx = avctx->internal->v3doff = ff_v3doff_context_alloc(avctx, options);
    /* Frame threads delay frames by themselves. */
    if (ctx && options->delay && !(avctx->flags & AV_CODEC_FLAG_LOW_DELAY) &&
        !(avctx->active_thread_type & FF_THREAD_FRAME)) {
        ctx->held  = av_frame_alloc();
        ctx->spare = av_frame_alloc();
    }
}

/* ---- The device ------------------------------------------------------------- */

/* Returns whether the stream may have MBAFF frames. */
static int may_have_mbaff(const AVCodecContext *avctx)
{
    const H264Context *h = avctx->codec_id == AV_CODEC_ID_H264 ? avctx->priv_data : NULL;

    return h && h->ps.sps && h->ps.sps->mb_aff;
}

/* Returns whether the program does more than probe the stream, and the device can work in its frames. */
static int is_worth_opening(const AVCodecContext *avctx, FFV3DoffContext *ctx)
{
    return atomic_fetch_add(&ctx->frames, 1) >= OPEN_AFTER + avctx->has_b_frames &&
           atomic_load(&ctx->buffers_suit);
}

/* Uses the program's device (hw_device_ctx) if it is a Vulkan device. Otherwise libv3doff opens one. */
static void look_for_loan(AVCodecContext *avctx, FFV3DoffContext *ctx, int begin)
{
    if (!CONFIG_VULKAN || !avctx->hw_device_ctx)
        return;
    ff_mutex_lock(&ctx->mutex);
    if (!ctx->began && !ctx->loan)
        ctx->loan = ff_v3doff_lend(avctx, avctx->hw_device_ctx, ctx->stream, ctx->mode, begin);
    ctx->began |= begin;
    ff_mutex_unlock(&ctx->mutex);
}

/*
 * Opening a device can take half a second. With the mode force, and if the caller asks for it, this
 * waits until it is open. Otherwise the CPU decodes meanwhile. A device that another decoder has
 * opened is used from the first frame on.
 */
static void look_for_device(AVCodecContext *avctx, FFV3DoffContext *ctx, int wait)
{
    v3doff_stream_open_info info = { sizeof(info) };
    v3doff_pool_info format = { sizeof(format) };

    if (ff_v3doff_fill_format(&format, avctx->pix_fmt)) {
        info.bit_depth = format.bit_depth;
        info.chroma    = format.chroma;
        info.mbaff     = may_have_mbaff(avctx);
    }
    info.wait   = wait || ctx->mode == V3DOFF_MODE_FORCE || ctx->debug.open_wait;
    info.begin  = is_worth_opening(avctx, ctx) || info.wait;
    info.line   = ff_v3doff_log_own;
    info.opaque = avctx;
    look_for_loan(avctx, ctx, info.begin);
    v3doff_stream_open(ctx->stream, &info);
}

void ff_v3doff_open(AVCodecContext *avctx, int wait)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (avctx->internal->v3doff && !ctx) { // the process was forked
        ff_v3doff_abandon(avctx->internal->v3doff);
        avctx->internal->v3doff = NULL;
    }
    if (ctx && v3doff_stream_state(ctx->stream) == V3DOFF_NOT_READY)
        look_for_device(avctx, ctx, wait);
}

/* ---- The end ------------------------------------------------------------------ */

/* Frees the frame that is held back. */
static void forget_held(FFV3DoffContext *ctx)
{
    if (ctx->held)
        av_frame_unref(ctx->held);
    av_refstruct_unref(&ctx->held_pic);
}

void ff_v3doff_update_thread_context(AVCodecContext *dst, const AVCodecContext *src)
{
    FFV3DoffContext *ctx = ff_v3doff_context(src);

    if (!ctx || dst->internal->v3doff == ctx)
        return;
    dst->internal->v3doff = av_refstruct_ref(ctx);
    atomic_fetch_add_explicit(&ctx->users, 1, memory_order_relaxed);
}

void ff_v3doff_flush(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (!ctx)
        return;
    forget_held(ctx);
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_NONE);
    ff_v3doff_suspend(avctx, 0);
}

void ff_v3doff_close(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    ff_v3doff_turn_over(avctx);
    avctx->internal->v3doff = NULL;
    if (!ctx)
        return;
    forget_held(ctx);
    /* Pictures report their progress through the threads' contexts, which are freed after this call. */
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_ALL);
    if (atomic_fetch_sub_explicit(&ctx->users, 1, memory_order_acq_rel) == 1)
        v3doff_stream_end(ctx->stream, ff_v3doff_log_own, avctx);
    av_refstruct_unref(&ctx);
}

/* ---- Who does a picture --------------------------------------------------------- */

v3doff_scope ff_v3doff_ask(AVCodecContext *avctx, unsigned possible, int awaited,
                           const char *obstacle, v3doff_policy_answer *answer)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    v3doff_policy_question question = {
        sizeof(question), avctx->coded_width, avctx->coded_height, possible, awaited, obstacle
    };
    v3doff_pool_info format = { sizeof(format) };

    ff_v3doff_turn_over(avctx); // in case that the decoder left the last picture after an error
    *answer = (v3doff_policy_answer){ sizeof(*answer), V3DOFF_SCOPE_NONE };
    if (!ctx)
        return V3DOFF_SCOPE_NONE;
    question.bit_depth = ff_v3doff_fill_format(&format, avctx->pix_fmt) ? format.bit_depth : 0;
    if (v3doff_stream_ask(ctx->stream, &question, answer) < 0)
        answer->reason = "libv3doff does not support this kind of picture";
    avctx->internal->v3doff_counted = answer->counted;
    return answer->scope;
}

int ff_v3doff_may_reconstruct(const AVCodecContext *avctx)
{
    const FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    return ctx && ctx->scope != V3DOFF_SCOPE_FILTERS && ff_v3doff_ready(ctx);
}

void ff_v3doff_turn_over(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (ctx && avctx->internal->v3doff_counted)
        v3doff_stream_done(ctx->stream, V3DOFF_EXECUTOR_NONE);
    avctx->internal->v3doff_counted = 0;
}
