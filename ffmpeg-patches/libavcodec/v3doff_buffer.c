/*
 * libv3doff: the memory of frames, libv3doff's own or the program's
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
#include "libavutil/pixdesc.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff_compat.h"
#include "v3doff.h"
#include "v3doff_internal.h"

/* The most pictures of one format: references, submitted frames, and frames that the program keeps. */
#define MAX_PICTURES 512

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
 * linesize: as for ff_v3doff_alloc_samples()
 * planes:   where the samples are in other memory; NULL: libv3doff allocates them
 */
static v3doff_picture *open_picture(FFV3DoffContext *ctx, const AVFrame *frame,
                                    const int *linesize, const v3doff_planes *planes)
{
    v3doff_pool_info info = { sizeof(info) };
    v3doff_picture *picture = NULL;

    if (!fill_pool_info(&info, frame))
        return NULL;
    for (int p = 0; p < 3 && linesize; p++)
        if (!p || info.chroma != V3DOFF_CHROMA_400)
            info.stride[p] = linesize[p];
    v3doff_stream_open_picture(ctx->stream, &picture, &info, planes);
    return picture;
}

/* Called when the last reference to samples in libv3doff's memory is gone. */
static void own_buffer_free(void *opaque, uint8_t *data)
{
    FFV3DoffPicture *pic = opaque, **at;

    if (v3doff_process_was_forked())
        return;
    ff_mutex_lock(&pic->ctx->mutex);
    for (at = &pic->ctx->own; *at != pic;)
        at = &(*at)->next_own;
    *at = pic->next_own;
    ff_mutex_unlock(&pic->ctx->mutex);
    av_refstruct_unref(&pic);
}

AVBufferRef *ff_v3doff_alloc_samples(FFV3DoffContext *ctx, const AVFrame *frame,
                                     const int *linesize, v3doff_planes *planes)
{
    FFV3DoffPicture *pic = ff_v3doff_picture_alloc(ctx);
    AVBufferRef *buf = NULL;
    uint8_t *end;

    if (!pic)
        return NULL;
    pic->picture = open_picture(ctx, frame, linesize, NULL);
    if (pic->picture && v3doff_picture_get_planes(pic->picture, planes) >= 0) {
        pic->base = end = planes->data[0];
        for (unsigned p = 0; p < planes->count; p++)
            end = FFMAX(end, (uint8_t *)planes->data[p] +
                             planes->stride[p] * (ptrdiff_t)planes->padded_height[p]);
        buf = av_buffer_create(planes->data[0], end - pic->base, own_buffer_free, pic, 0);
    }
    if (buf) {
        ff_mutex_lock(&ctx->mutex);
        pic->next_own = ctx->own;
        ctx->own      = pic;
        ff_mutex_unlock(&ctx->mutex);
    } else
        av_refstruct_unref(&pic);
    return buf;
}

FFV3DoffPicture *ff_v3doff_picture_in(const AVBufferRef *samples)
{
    return av_buffer_get_opaque(samples);
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
        av_refstruct_ref(pic);
    ff_mutex_unlock(&ctx->mutex);
    return pic;
}

int ff_v3doff_get_buffer(AVCodecContext *avctx, AVFrame *frame, const int linesize[4])
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    static const int any_linesize[4];
    v3doff_planes planes = { sizeof(planes) };

    /* VP9 predicts from each reference with the reference's linesize. Those that libv3doff chooses
     * have room for whole superblocks. */
    if (avctx->codec_id == AV_CODEC_ID_VP9)
        linesize = any_linesize;
    avctx->internal->v3doff_asked = 1;
    if (!ctx || avctx->hwaccel || !ff_v3doff_ready(ctx))
        goto usual;
    /* A damaged frame shows samples of the frame that had its buffer before. So buffers are reused in
     * the same order as without libv3doff: those of submitted frames become free here. This leaves out
     * the newest picture, which the device does while the decoder parses the next one. If its frame is
     * not returned yet, because of a delay or the order of output, what it is predicted from is still in
     * use, and the next frame gets another buffer than without libv3doff. */
    ff_v3doff_drain(ctx, avctx->active_thread_type & FF_THREAD_FRAME ? FF_V3DOFF_WAIT_NONE :
                                                                       FF_V3DOFF_WAIT_OLDER);
    frame->buf[0] = ff_v3doff_alloc_samples(ctx, frame, linesize, &planes);
    if (!frame->buf[0])
        goto usual;
    memset(frame->linesize, 0, sizeof(frame->linesize));
    for (unsigned p = 0; p < planes.count; p++) {
        frame->data[p]     = planes.data[p];
        frame->linesize[p] = planes.stride[p];
    }
    ff_v3doff_drm_start(ff_v3doff_picture_in(frame->buf[0]), frame);

    /* FFmpeg's own buffers, of frames before there was a device, are not needed any more. */
    if (!avctx->internal->v3doff_buffers)
        av_refstruct_unref(&avctx->internal->pool);
    avctx->internal->v3doff_buffers = 1;
    return 0;
usual:
    avctx->internal->v3doff_buffers = 0;
    return AVERROR(ENOSYS);
}

/* Describes the program's planes. Returns 0 if libv3doff cannot work in them. */
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

        if (buf != av_frame_get_plane_buffer(frame, 0))
            planes->flags |= V3DOFF_PLANES_SEPARATE;
        if (!buf || stride <= 0 || (stride | (uintptr_t)frame->data[p]) & 15)
            return 0;
        planes->data[p]          = frame->data[p];
        planes->stride[p]        = stride;
        planes->padded_width[p]  = FFMIN(stride / bytes, FFALIGN(frame->width, 64) >> shift_x);
        /* Decoders write no rows below these, where the next plane may begin. Every get_buffer2() makes
         * room for them (avcodec_align_dimensions2()), but buf->size does not show it in every program:
         * Firefox's buffer ends within the last plane. */
        planes->padded_height[p] = FFALIGN(frame->height, 8) >> shift_y;
        if (planes->padded_width[p] < FFALIGN(frame->width, 8) >> shift_x)
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

int ff_v3doff_work_in(FFV3DoffPicture *pic, const AVFrame *frame)
{
    v3doff_planes planes = { sizeof(planes) };

    if (describe_planes(&planes, frame))
        pic->picture = open_picture(pic->ctx, frame, NULL, &planes);
    pic->borrowed = !!pic->picture;
    return pic->borrowed;
}
