/*
 * libv3doff: frames that are handed out as DRM_PRIME, without a copy
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
 * If the user and the program ask for it, frames in a dma-buf are handed out as AV_PIX_FMT_DRM_PRIME.
 * Inside the decoder a frame has its software format as always. The program gets a frame whose only
 * data is a descriptor of the dma-buf, and which holds the decoder's buffer.
 */

#include <string.h>

#include "libavutil/buffer.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_drm.h"
#include "libavutil/macros.h"
#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"
#include "libavutil/thread.h"

#include "decode.h"
#include "hwconfig.h"
#include "internal.h"
#include "v3doff.h"
#include "v3doff_internal.h"

/* As in drm_fourcc.h, a header that libavcodec is built without. */
#define FOURCC_YUV420          MKTAG('Y', 'U', '1', '2')
#define LINEAR_MODIFIER        0

#define MAX_CHOICES 32

const AVCodecHWConfigInternal ff_v3doff_drm_config = {
    .public = {
        .pix_fmt     = AV_PIX_FMT_DRM_PRIME,
        .methods     = AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX,
        .device_type = AV_HWDEVICE_TYPE_DRM,
    },
};

/** The data of the program's frame. */
typedef struct Exported {
    AVDRMFrameDescriptor descriptor;
    AVBufferRef *samples;   ///< reference to the decoder's buffer
} Exported;

static void exported_free(void *opaque, uint8_t *data)
{
    Exported *exported = (Exported *)data;

    av_buffer_unref(&exported->samples);
    av_free(exported);
}

/*
 * Some programs take the first decoder that offers DRM_PRIME for the hardware decoder. So the format is
 * hidden unless the user asks for it (V3DOFF_DRM_PRIME=on).
 */
int ff_v3doff_hides(const AVCodecHWConfigInternal *config)
{
    return config == &ff_v3doff_drm_config && !v3doff_wants_drm_prime();
}

/*
 * Returns whether frames of a software format can be handed out as DRM_PRIME. A program that gives a DRM
 * device wants such frames, so this waits for the Vulkan device.
 */
static int can_export(AVCodecContext *avctx, enum AVPixelFormat format)
{
    const enum AVPixelFormat old_format = avctx->pix_fmt;
    const AVHWDeviceContext *wanted;
    v3doff_device_properties properties = { sizeof(properties) };
    FFV3DoffContext *ctx;

    if (!avctx->hw_device_ctx || !v3doff_wants_drm_prime() ||
        (format != AV_PIX_FMT_YUV420P && format != AV_PIX_FMT_YUVJ420P))
        return 0;
    wanted = (const AVHWDeviceContext *)avctx->hw_device_ctx->data;
    if (wanted->type != AV_HWDEVICE_TYPE_DRM)
        return 0;
    avctx->pix_fmt = format; // ff_v3doff_open() compiles shaders for it
    ff_v3doff_open(avctx, 1);
    avctx->pix_fmt = old_format;
    ctx = ff_v3doff_context(avctx);
    if (!ctx || v3doff_stream_get_properties(ctx->stream, &properties) != V3DOFF_OK)
        return 0;
    if (properties.memory == V3DOFF_MEMORY_UDMABUF || properties.memory == V3DOFF_MEMORY_DMA_HEAP)
        return 1;
    av_log(avctx, AV_LOG_VERBOSE, "libv3doff: no DRM_PRIME: frames are not in dma-bufs\n");
    return 0;
}

/* Sets the device of the frames that are allocated from here on. NULL: they are not exported. */
static void set_device(FFV3DoffContext *ctx, AVBufferRef *device)
{
    AVBufferRef *ref = device ? av_buffer_ref(device) : NULL;

    ff_mutex_lock(&ctx->mutex);
    av_buffer_unref(&ctx->drm_device);
    av_buffer_unref(&ctx->drm_frames);
    ctx->drm_device = ref;
    atomic_store(&ctx->exports, !!ref);
    ff_mutex_unlock(&ctx->mutex);
}

enum AVPixelFormat ff_v3doff_get_format(AVCodecContext *avctx,
                                        const enum AVPixelFormat *choices)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    enum AVPixelFormat extended[MAX_CHOICES], chosen;
    int nb = 0, offered;

    while (choices[nb] != AV_PIX_FMT_NONE)
        nb++;
    /* The last choice is the software format. */
    offered = ctx && nb > 0 && nb + 2 <= MAX_CHOICES && can_export(avctx, choices[nb - 1]);
    memcpy(extended, choices, FFMIN(nb + 1, MAX_CHOICES) * sizeof(*choices));
    if (offered) {
        extended[nb - 1] = AV_PIX_FMT_DRM_PRIME;
        extended[nb]     = choices[nb - 1];
        extended[nb + 1] = AV_PIX_FMT_NONE;
    }
    chosen = ff_get_format(avctx, offered ? extended : choices);
    if (ctx)
        set_device(ctx, offered && chosen == AV_PIX_FMT_DRM_PRIME ? avctx->hw_device_ctx : NULL);
    if (!offered)
        return chosen;
    return chosen == AV_PIX_FMT_DRM_PRIME ? choices[nb - 1] : chosen;
}

int ff_v3doff_exports(const AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    return ctx && atomic_load(&ctx->exports);
}

void ff_v3doff_hide_format(AVCodecContext *avctx)
{
    if (avctx->internal->v3doff_shows_drm)
        avctx->pix_fmt = avctx->sw_pix_fmt;
}

void ff_v3doff_show_format(AVCodecContext *avctx, const AVFrame *frame)
{
    if (frame->buf[0])
        avctx->internal->v3doff_shows_drm = frame->format == AV_PIX_FMT_DRM_PRIME &&
                                            avctx->pix_fmt != AV_PIX_FMT_DRM_PRIME;
    if (!avctx->internal->v3doff_shows_drm)
        return;
    avctx->sw_pix_fmt = avctx->pix_fmt;
    avctx->pix_fmt    = AV_PIX_FMT_DRM_PRIME;
}

/* Makes the AVHWFramesContext for frames like this one. Called with ctx->mutex. */
static AVBufferRef *make_frames(AVBufferRef *device, const AVFrame *frame)
{
    AVBufferRef *ref = av_hwframe_ctx_alloc(device);
    AVHWFramesContext *frames;

    if (!ref)
        return NULL;
    frames = (AVHWFramesContext *)ref->data;
    frames->format    = AV_PIX_FMT_DRM_PRIME;
    frames->sw_format = frame->format;
    frames->width     = frame->width;
    frames->height    = frame->height;
    if (av_hwframe_ctx_init(ref) < 0)
        av_buffer_unref(&ref);
    return ref;
}

void ff_v3doff_drm_start(FFV3DoffPicture *pic, const AVFrame *frame)
{
    FFV3DoffContext *ctx = pic->ctx;

    ff_mutex_lock(&ctx->mutex);
    if (ctx->drm_device) {
        const AVHWFramesContext *frames = ctx->drm_frames ?
                                          (const AVHWFramesContext *)ctx->drm_frames->data : NULL;

        if (frames && (frames->sw_format != frame->format || frames->width != frame->width ||
                       frames->height != frame->height))
            av_buffer_unref(&ctx->drm_frames);
        if (!ctx->drm_frames)
            ctx->drm_frames = make_frames(ctx->drm_device, frame);
        if (ctx->drm_frames)
            pic->drm_frames = av_buffer_ref(ctx->drm_frames);
    }
    ff_mutex_unlock(&ctx->mutex);
}

/* Describes three planes in one dma-buf. */
static void describe(AVDRMFrameDescriptor *descriptor, const v3doff_dma_buf *memory,
                     const FFV3DoffPicture *pic, const AVFrame *frame)
{
    AVDRMLayerDescriptor *layer = &descriptor->layers[0];

    descriptor->nb_objects = 1;
    descriptor->objects[0] = (AVDRMObjectDescriptor){ memory->fd, memory->size, LINEAR_MODIFIER };
    descriptor->nb_layers  = 1;
    layer->format    = FOURCC_YUV420;
    layer->nb_planes = 3;
    for (int p = 0; p < layer->nb_planes; p++)
        layer->planes[p] = (AVDRMPlaneDescriptor){
            0, memory->offset[0] + (frame->data[p] - pic->base), frame->linesize[p]
        };
}

int ff_v3doff_drm_export(AVCodecContext *avctx, FFV3DoffPicture *pic, AVFrame *frame)
{
    v3doff_dma_buf memory = { sizeof(memory) };
    Exported *exported;
    AVBufferRef *buf, *frames;

    if (!pic->drm_frames)
        return 0;
    if (v3doff_picture_get_dma_buf(pic->picture, &memory) < 0) {
        if (!atomic_exchange(&pic->ctx->drm_failed, 1))
            av_log(avctx, AV_LOG_WARNING, "libv3doff: no dma-buf is available for some frames; "
                   "these have the format %s\n", av_get_pix_fmt_name(frame->format));
        return 0;
    }
    /* libavcodec crops hardware frames only on the right and below. */
    if (avctx->apply_cropping)
        av_frame_apply_cropping(frame, avctx->flags & AV_CODEC_FLAG_UNALIGNED ?
                                       AV_FRAME_CROP_UNALIGNED : 0);
    exported = av_mallocz(sizeof(*exported));
    frames   = av_buffer_ref(pic->drm_frames);
    buf      = !exported ? NULL : av_buffer_create((uint8_t *)exported, sizeof(*exported),
                                                   exported_free, NULL, AV_BUFFER_FLAG_READONLY);
    if (!buf || !frames) {
        if (buf)
            av_buffer_unref(&buf);
        else
            av_free(exported);
        av_buffer_unref(&frames);
        return AVERROR(ENOMEM);
    }
    describe(&exported->descriptor, &memory, pic, frame);
    exported->samples = frame->buf[0];
    memset(frame->data, 0, sizeof(frame->data));
    memset(frame->linesize, 0, sizeof(frame->linesize));
    frame->buf[0]        = buf;
    frame->data[0]       = (uint8_t *)&exported->descriptor;
    frame->extended_data = frame->data;
    frame->format        = AV_PIX_FMT_DRM_PRIME;
    frame->hw_frames_ctx = frames;
    return 0;
}
