/*
 * Memory of frames whose samples libv3doff works on
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
#include "libavutil/pixdesc.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff_compat.h"
#include "v3doff.h"
#include "v3doff_internal.h"

/* Pictures of one format: references, frames under way and what the caller keeps. */
#define MAX_PICTURES 512

void ff_v3doff_picture_unref(void *opaque)
{
    FFV3DoffPicture *pic = opaque;
    FFV3DoffContext *ctx = pic->ctx;

    if (v3doff_process_was_forked() ||
        atomic_fetch_sub_explicit(&pic->refs, 1, memory_order_acq_rel) != 1)
        return;
    v3doff_picture_close(&pic->picture);
    av_buffer_unref(&pic->drm_frames);
    ff_cond_destroy(&pic->cond);
    ff_mutex_destroy(&pic->mutex);
    av_free(pic);
    ff_v3doff_context_unref(ctx);
}

static FFV3DoffPicture *picture_alloc(FFV3DoffContext *ctx)
{
    FFV3DoffPicture *pic = av_mallocz(sizeof(*pic));

    if (!pic)
        return NULL;
    if (ff_mutex_init(&pic->mutex, NULL))
        goto fail;
    if (ff_cond_init(&pic->cond, NULL)) {
        ff_mutex_destroy(&pic->mutex);
        goto fail;
    }
    atomic_init(&pic->refs, 1);
    atomic_init(&pic->finished, 1);
    atomic_init(&pic->parsed, 0);
    pic->ctx = ff_v3doff_context_ref(ctx);
    return pic;
fail:
    av_free(pic);
    return NULL;
}

/* The AVBuffer of our own samples is freed. */
static void own_buffer_free(void *opaque, uint8_t *data)
{
    FFV3DoffPicture *pic = opaque;
    FFV3DoffContext *ctx = pic->ctx;

    if (v3doff_process_was_forked())
        return;
    ff_mutex_lock(&ctx->mutex);
    if (pic->prev_own)
        pic->prev_own->next_own = pic->next_own;
    else
        ctx->own = pic->next_own;
    if (pic->next_own)
        pic->next_own->prev_own = pic->prev_own;
    ff_mutex_unlock(&ctx->mutex);
    ff_v3doff_picture_unref(pic);
}

int ff_v3doff_fill_format(v3doff_pool_info *info, enum AVPixelFormat format)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(format);
    const uint64_t refused = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE |
                             AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_FLOAT |
                             AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER;
    static const v3doff_chroma chromas[2][2] = {
        { V3DOFF_CHROMA_444, V3DOFF_CHROMA_440 },
        { V3DOFF_CHROMA_422, V3DOFF_CHROMA_420 },
    };

    if (!desc || desc->flags & refused)
        return 0;
    if (desc->nb_components == 1) {
        info->chroma = V3DOFF_CHROMA_400;
    } else if (desc->nb_components == 3 && desc->flags & AV_PIX_FMT_FLAG_PLANAR &&
               av_pix_fmt_count_planes(format) == 3 &&
               desc->log2_chroma_w < 2 && desc->log2_chroma_h < 2) {
        info->chroma = chromas[desc->log2_chroma_w][desc->log2_chroma_h];
    } else
        return 0;
    info->bit_depth = desc->comp[0].depth;
    return 1;
}

static int fill_pool_info(v3doff_pool_info *info, const AVFrame *frame)
{
    if (!ff_v3doff_fill_format(info, frame->format) || frame->width <= 0 || frame->height <= 0)
        return 0;
    info->width        = frame->width;
    info->height       = frame->height;
    info->max_pictures = MAX_PICTURES;
    return 1;
}

/*
 * Called with ctx->mutex. Pictures of an older pool stay valid. Those in the
 * caller's memory have whatever linesize that has.
 */
static v3doff_pool *get_pool(FFV3DoffContext *ctx, const AVFrame *frame, const int *linesize)
{
    v3doff_pool_info info;

    memset(&info, 0, sizeof(info)); // it is compared whole
    info.struct_size = sizeof(info);
    if (!fill_pool_info(&info, frame))
        return NULL;
    for (int p = 0; p < 3; p++)
        info.stride[p] = linesize && (!p || info.chroma != V3DOFF_CHROMA_400) ? linesize[p] :
                         linesize ? 0 : ctx->pool_info.stride[p];
    if (!memcmp(&info, &ctx->pool_info, sizeof(info)))
        return ctx->pool;
    v3doff_pool_destroy(&ctx->pool);
    ctx->pool_info = info;
    v3doff_pool_create(&ctx->pool, ctx->device, &info);
    return ctx->pool;
}

static v3doff_picture *open_picture(FFV3DoffContext *ctx, const AVFrame *frame,
                                    const int *linesize, const v3doff_planes *planes)
{
    v3doff_picture *picture = NULL;
    v3doff_pool *pool;

    ff_mutex_lock(&ctx->mutex);
    pool = atomic_load(&ctx->disabled) ? NULL : get_pool(ctx, frame, linesize);
    if (pool)
        v3doff_picture_open(&picture, pool, planes);
    ff_mutex_unlock(&ctx->mutex);
    return picture;
}

int ff_v3doff_get_buffer(AVCodecContext *avctx, AVFrame *frame, const int linesize[4])
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    /* VP9 predicts from each reference with that one's linesize. */
    static const int any_linesize[4];
    v3doff_planes planes = { sizeof(planes) };
    FFV3DoffPicture *pic;
    uint8_t *end;

    if (avctx->codec_id == AV_CODEC_ID_VP9)
        linesize = any_linesize; // with room for whole superblocks
    avctx->internal->v3doff_asked = 1;
    if (!ctx || avctx->hwaccel || !ff_v3doff_ready(ctx))
        goto usual;
    /* What is free by now is used first, as without libv3doff: what a damaged
     * frame leaves out is what was there before. */
    ff_v3doff_drain(ctx, avctx->active_thread_type & FF_THREAD_FRAME ? FF_V3DOFF_WAIT_NONE :
                                                                       FF_V3DOFF_WAIT_OLDER);
    pic = picture_alloc(ctx);
    if (!pic)
        return AVERROR(ENOMEM);
    pic->picture = open_picture(ctx, frame, linesize, NULL);
    if (!pic->picture || v3doff_picture_get_planes(pic->picture, &planes) < 0) {
        ff_v3doff_picture_unref(pic);
        goto usual;
    }

    pic->base = end = planes.data[0];
    for (unsigned p = 0; p < planes.count; p++)
        end = FFMAX(end, (uint8_t *)planes.data[p] +
                         planes.stride[p] * (ptrdiff_t)planes.padded_height[p]);
    frame->buf[0] = av_buffer_create(planes.data[0], end - pic->base, own_buffer_free, pic, 0);
    if (!frame->buf[0]) {
        ff_v3doff_picture_unref(pic);
        return AVERROR(ENOMEM);
    }
    memset(frame->data, 0, sizeof(frame->data));
    memset(frame->linesize, 0, sizeof(frame->linesize));
    for (unsigned p = 0; p < planes.count; p++) {
        frame->data[p]     = planes.data[p];
        frame->linesize[p] = planes.stride[p];
    }
    frame->extended_data = frame->data;
    ff_v3doff_drm_start(pic, frame);

    /* Buffers of frames that were decoded before there was a device. */
    if (!avctx->internal->v3doff_buffers)
        av_refstruct_unref(&avctx->internal->pool);
    avctx->internal->v3doff_buffers = 1;
    ff_mutex_lock(&ctx->mutex);
    pic->next_own = ctx->own;
    if (ctx->own)
        ctx->own->prev_own = pic;
    ctx->own = pic;
    ff_mutex_unlock(&ctx->mutex);
    return 0;
usual:
    avctx->internal->v3doff_buffers = 0;
    return AVERROR(ENOSYS);
}

FFV3DoffPicture *ff_v3doff_own_picture_of(FFV3DoffContext *ctx, const AVFrame *frame)
{
    FFV3DoffPicture *pic;

    ff_mutex_lock(&ctx->mutex);
    for (pic = ctx->own; pic; pic = pic->next_own)
        if (pic->base == frame->data[0] && frame->buf[0] && !frame->buf[1] &&
            frame->buf[0]->data == pic->base)
            break;
    if (pic)
        atomic_fetch_add_explicit(&pic->refs, 1, memory_order_relaxed);
    ff_mutex_unlock(&ctx->mutex);
    return pic;
}

AVBufferRef *ff_v3doff_samples_ref(AVCodecContext *avctx, const AVFrame *frame)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    FFV3DoffPicture *pic = ctx && ff_v3doff_ready(ctx) ? ff_v3doff_own_picture_of(ctx, frame) : NULL;

    if (!pic)
        return NULL;
    ff_v3doff_picture_unref(pic); // the frame has it
    return av_buffer_ref(frame->buf[0]);
}

FFV3DoffPicture *ff_v3doff_picture_in(const AVBufferRef *samples)
{
    return av_buffer_get_opaque(samples);
}

/* What there is of the caller's planes; 0 when libv3doff cannot work in them. */
static int describe_planes(v3doff_planes *planes, const AVFrame *frame)
{
    v3doff_pool_info info = { sizeof(info) };
    int bytes;

    if (!fill_pool_info(&info, frame))
        return 0;
    bytes = 1 + (info.bit_depth > 8);
    planes->count = info.chroma == V3DOFF_CHROMA_400 ? 1 : 3;
    planes->flags = 0;
    for (unsigned p = 0; p < planes->count; p++) {
        AVBufferRef *buf = av_frame_get_plane_buffer(frame, p);
        const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(frame->format);
        int shift_x = p ? desc->log2_chroma_w : 0, shift_y = p ? desc->log2_chroma_h : 0;
        ptrdiff_t stride = frame->linesize[p];
        ptrdiff_t rows;

        if (buf != av_frame_get_plane_buffer(frame, 0))
            planes->flags |= V3DOFF_PLANES_SEPARATE;
        if (!buf || stride <= 0 || (stride | (uintptr_t)frame->data[p]) & 15)
            return 0;
        rows = (ptrdiff_t)(buf->data + buf->size - frame->data[p]) / stride;
        planes->data[p]          = frame->data[p];
        planes->stride[p]        = stride;
        planes->padded_width[p]  = FFMIN(stride / bytes, FFALIGN(frame->width, 64) >> shift_x);
        /* Decoders write no further down. What follows may be another plane. */
        planes->padded_height[p] = FFALIGN(frame->height, 8) >> shift_y;
        if (planes->padded_width[p] < FFALIGN(frame->width, 8) >> shift_x ||
            planes->padded_height[p] > rows)
            return 0;
    }
    return 1;
}

int ff_v3doff_suits(AVCodecContext *avctx, const AVFrame *frame)
{
    v3doff_planes planes = { sizeof(planes) };
    const int asked = avctx->internal->v3doff_asked;

    avctx->internal->v3doff_asked = 0;
    return asked || describe_planes(&planes, frame);
}

static FFV3DoffPicture *borrow(FFV3DoffContext *ctx, const AVFrame *frame)
{
    v3doff_planes planes = { sizeof(planes) };
    FFV3DoffPicture *pic;

    if (!describe_planes(&planes, frame))
        return NULL;
    pic = picture_alloc(ctx);
    if (!pic)
        return NULL;
    pic->borrowed = 1;
    pic->picture  = open_picture(ctx, frame, NULL, &planes);
    if (!pic->picture) {
        ff_v3doff_picture_unref(pic);
        return NULL;
    }
    return pic;
}

FFV3DoffPicture *ff_v3doff_picture_of(FFV3DoffContext *ctx, const AVFrame *frame)
{
    FFV3DoffPicture *pic = ff_v3doff_own_picture_of(ctx, frame);

    return pic ? pic : borrow(ctx, frame);
}
