/*
 * libv3doff: how a frame gets its picture, is predicted from, and is handed out to the program
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

#include "libavutil/frame.h"
#include "libavutil/imgutils.h"
#include "libavutil/thread.h"

#include "decode.h"
#include "internal.h"
#include "v3doff.h"
#include "v3doff_compat.h"
#include "v3doff_internal.h"

/*
 * Waits until a frame that leaves libavcodec is final. This also frees the references to frames that
 * other final pictures were predicted from, so that the program may write to these.
 */
static int finish(AVCodecContext *avctx, FFV3DoffPicture *pic, AVFrame *frame)
{
    if (v3doff_process_was_forked()) // only the parent can complete it
        return ff_v3doff_is_under_way(pic) ? AVERROR_EXTERNAL : 0;
    ff_v3doff_picture_wait(pic);
    ff_v3doff_drain(pic->ctx, FF_V3DOFF_WAIT_NONE);
    return ff_v3doff_drm_export(avctx, pic, frame);
}

/* FFmpeg calls this for each frame that leaves libavcodec (FrameDecodeData). */
static int post_process(void *logctx, AVFrame *frame)
{
    FFV3DoffPicture *pic = V3DOFF_DECODE_DATA(frame)->V3DOFF_POST_PROCESS_DATA;

    if (!ff_v3doff_delays(logctx))
        return finish(logctx, pic, frame);
    pic->ctx->decoded_pic = av_refstruct_ref(pic); // for ff_v3doff_hold_back()
    return 0;
}

/* Called with the opaque pointer of FrameDecodeData. */
static void picture_unref(void *pic)
{
    av_refstruct_unref(&pic);
}

void ff_v3doff_attach(AVCodecContext *avctx, AVFrame *frame)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    FrameDecodeData *fdd = V3DOFF_DECODE_DATA(frame);
    FFV3DoffPicture *pic;
    v3doff_result state;

    if (!ctx)
        return;
    state = v3doff_stream_state(ctx->stream);
    if (state == V3DOFF_NOT_READY)
        atomic_store(&ctx->buffers_suit, ff_v3doff_suits(avctx, frame));
    if (!fdd || fdd->V3DOFF_POST_PROCESS || avctx->hwaccel || state < 0)
        return;
    pic = ff_v3doff_own_picture_of(ctx, frame);
    if (!pic)
        pic = ff_v3doff_picture_alloc(ctx);
    if (!pic)
        return;
    fdd->V3DOFF_POST_PROCESS      = post_process;
    fdd->V3DOFF_POST_PROCESS_DATA = pic;
    fdd->V3DOFF_POST_PROCESS_FREE = picture_unref;
}

/*
 * Returns the picture of a frame. NULL: something else processes the frame after decoding, there was no
 * memory or no device when it was allocated, or the process was forked.
 */
static FFV3DoffPicture *picture_of(const AVFrame *frame)
{
    const FrameDecodeData *fdd = frame ? V3DOFF_DECODE_DATA(frame) : NULL;

    if (v3doff_process_was_forked())
        return NULL;
    return fdd && fdd->V3DOFF_POST_PROCESS == post_process ? fdd->V3DOFF_POST_PROCESS_DATA : NULL;
}

FFV3DoffPicture *ff_v3doff_frame_start(AVCodecContext *avctx, AVFrame *frame, const char *reason)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    FFV3DoffPicture *pic = picture_of(frame);

    if (!ctx || avctx->hwaccel || !V3DOFF_DECODE_DATA(frame))
        return NULL;
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_NONE);
    if (!reason && !pic)
        reason = "the frame is processed again after decoding";
    else if (!reason && pic->borrowed)
        reason = "not offloaded: second field in the program's memory";
    else if (!reason && !pic->base && !ff_v3doff_work_in(pic, frame))
        reason = "the frame's format or memory does not suit";
    if (!reason)
        return pic;
    v3doff_stream_count(ctx->stream, V3DOFF_EVENT_CPU, reason);
    return NULL;
}

void ff_v3doff_frame_idle(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (!ctx)
        return;
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_NONE);
    v3doff_stream_count(ctx->stream, V3DOFF_EVENT_IDLE, NULL);
}

void ff_v3doff_wait(const AVFrame *frame)
{
    FFV3DoffPicture *pic = picture_of(frame);

    if (pic && ff_v3doff_picture_wait(pic))
        v3doff_stream_count(pic->ctx->stream, V3DOFF_EVENT_AWAITED, NULL);
}

/* ---- What pictures are predicted from ---------------------------------------------- */

int ff_v3doff_own(const AVFrame *frame)
{
    const FFV3DoffPicture *pic = picture_of(frame);

    return pic && pic->base;
}

int ff_v3doff_has_samples(const AVFrame *frame)
{
    return !!picture_of(frame);
}

static void wrapper_free(void *opaque, uint8_t *data)
{
    AVBufferRef *wrapper = (AVBufferRef *)data;

    av_buffer_unref(&wrapper); // this may free the picture
}

/*
 * A program's get_buffer2() may wrap the buffer of avcodec_default_get_buffer2() in one of its own,
 * as GStreamer does. The opaque pointer of the wrapper is the program's. So this returns a buffer
 * that leads to the picture and holds the wrapper.
 */
static AVBufferRef *hold_wrapper(FFV3DoffPicture *pic, AVBufferRef *buf)
{
    AVBufferRef *wrapper = av_buffer_ref(buf), *samples = NULL;

    if (wrapper)
        samples = av_buffer_create((uint8_t *)wrapper, sizeof(*wrapper), wrapper_free, pic,
                                   AV_BUFFER_FLAG_READONLY);
    if (!samples)
        av_buffer_unref(&wrapper);
    return samples;
}

AVBufferRef *ff_v3doff_samples_ref(const AVFrame *frame)
{
    FFV3DoffPicture *pic = picture_of(frame);
    v3doff_planes planes = { sizeof(planes) };
    AVBufferRef *samples;

    if (!pic)
        return NULL;
    if (pic->base)
        return ff_v3doff_picture_in(frame->buf[0]) == pic ? av_buffer_ref(frame->buf[0])
                                                          : hold_wrapper(pic, frame->buf[0]);
    ff_mutex_lock(&pic->mutex);
    if (!pic->stand_in) {
        pic->stand_in = ff_v3doff_alloc_samples(pic->ctx, frame, NULL, &planes);
        if (pic->stand_in)
            ff_v3doff_picture_in(pic->stand_in)->unfilled = 1;
    }
    samples = pic->stand_in ? av_buffer_ref(pic->stand_in) : NULL;
    ff_mutex_unlock(&pic->mutex);
    return samples;
}

void ff_v3doff_await_samples(const AVFrame *frame, const AVBufferRef *samples)
{
    FFV3DoffPicture *pic = ff_v3doff_picture_in(samples);
    v3doff_planes to = { sizeof(to) };

    if (v3doff_process_was_forked())
        return;
    ff_v3doff_wait(frame);
    ff_mutex_lock(&pic->mutex);
    if (pic->unfilled && v3doff_picture_get_planes(pic->picture, &to) >= 0) {
        uint8_t *data[4] = { NULL };
        int linesize[4] = { 0 };

        for (unsigned p = 0; p < to.count; p++) {
            data[p]     = to.data[p];
            linesize[p] = to.stride[p];
        }
        av_image_copy(data, linesize, (const uint8_t **)frame->data, frame->linesize,
                      frame->format, frame->width, frame->height);
        pic->unfilled = 0;
        v3doff_stream_count(pic->ctx->stream, V3DOFF_EVENT_COPIED, NULL);
    }
    ff_mutex_unlock(&pic->mutex);
}

/* ---- Frames that are returned one later ------------------------------------------ */

int ff_v3doff_delays(const AVCodecContext *avctx)
{
    const FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (!ctx || !ctx->held || !ctx->spare)
        return 0;
    return !avctx->hwaccel || ctx->held->buf[0]; // also if a hwaccel was chosen while a frame is held back
}

/* Hands out the frame that was held back. */
static int take_held(AVCodecContext *avctx, FFV3DoffContext *ctx, AVFrame *frame)
{
    FFV3DoffPicture *pic = ctx->held_pic;
    int ret = 0;

    av_frame_move_ref(frame, ctx->held);
    ctx->held_pic = NULL;
    if (!pic)
        return 0;
    ret = finish(avctx, pic, frame);
    av_refstruct_unref(&pic);
    if (ret < 0)
        av_frame_unref(frame);
    return ret;
}

int ff_v3doff_hold_back(AVCodecContext *avctx, AVFrame *frame, int *ret)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;
    FFV3DoffPicture *pic;
    int returns;

    if (!ff_v3doff_delays(avctx))
        return 0;
    returns = !!ctx->held->buf[0];
    if (!*ret) {
        pic = ctx->decoded_pic;
        ctx->decoded_pic = NULL;
        v3doff_stream_count(ctx->stream, V3DOFF_EVENT_HELD_BACK, NULL);
        av_frame_move_ref(ctx->spare, frame);
        if (returns)
            *ret = take_held(avctx, ctx, frame);
        FFSWAP(AVFrame *, ctx->held, ctx->spare);
        ctx->held_pic = pic;
        return !returns;
    }
    if (*ret == AVERROR_EOF && returns)
        *ret = take_held(avctx, ctx, frame);
    return 0;
}
