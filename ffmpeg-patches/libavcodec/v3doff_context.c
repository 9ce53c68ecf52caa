/*
 * libv3doff: FFV3DoffContext, which the threads of a decoder share, from its options to its end
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
#include <stdlib.h>
#include <string.h>

#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_compat.h"
#include "v3doff_internal.h"

/* Gets libv3doff's lines that belong to no decoder. */
static void log_line(void *opaque, v3doff_log_level level, const char *line)
{
    static const int levels[] = { AV_LOG_ERROR, AV_LOG_WARNING, AV_LOG_VERBOSE, AV_LOG_DEBUG };

    av_log(NULL, levels[FFMIN((unsigned)level, FF_ARRAY_ELEMS(levels) - 1)], "libv3doff: %s\n", line);
}

void ff_v3doff_log_own(void *avctx, v3doff_log_level level, const char *line)
{
    av_log(avctx, level == V3DOFF_LOG_INFO ? AV_LOG_INFO : AV_LOG_VERBOSE, "libv3doff: %s\n", line);
}

/*
 * Fills in the settings, with those of the environment where the options are auto. Returns NULL if
 * they switch libv3doff off, or if there is no memory.
 */
static v3doff_stream *make_stream(const AVCodecContext *avctx, const FFV3DoffOptions *options,
                                  v3doff_stream_info *info)
{
    v3doff_stream *stream = NULL;

    info->struct_size = sizeof(*info);
    info->codec   = avctx->codec_id == AV_CODEC_ID_H264 ? V3DOFF_CODEC_H264 : V3DOFF_CODEC_VP9;
    info->mode    = options->mode;
    info->scope   = options->scope;
    info->threads = avctx->active_thread_type & FF_THREAD_FRAME ? avctx->thread_count : 1;
    info->helpers = avctx->active_thread_type & FF_THREAD_SLICE ? avctx->thread_count - 1 : 0;
    info->log       = log_line;
    info->log_level = av_log_get_level() >= AV_LOG_DEBUG ? V3DOFF_LOG_DEBUG : V3DOFF_LOG_INFO;
    if (v3doff_stream_create(&stream, info) >= 0 && stream)
        v3doff_stream_get_info(stream, info);
    return stream;
}

static int number_in(const char *value, int otherwise)
{
    return value ? atoi(value) : otherwise;
}

static int is(const char *value, const char *wanted)
{
    return value && !strcmp(value, wanted);
}

static void read_debug(FFV3DoffDebug *debug)
{
    const char *transforms = v3doff_debug("vp9_transforms");

    debug->band_rows      = number_in(v3doff_debug("band_rows"), -1);
    debug->vp9_passes     = number_in(v3doff_debug("vp9_passes"), 0);
    debug->vp9_transforms = is(transforms, "none") ? 0 : is(transforms, "all") ? 2 : 1;
    debug->open_wait      = is(v3doff_debug("open"), "wait");
}

static void context_free(AVRefStructOpaque unused, void *obj)
{
    FFV3DoffContext *ctx = obj;

    if (!ctx->stream || v3doff_process_was_forked()) // not complete, or only the parent's is
        return;
    v3doff_stream_destroy(&ctx->stream);
    if (CONFIG_VULKAN && ctx->loan)
        ff_v3doff_loan_end(ctx->loan);
    ff_mutex_destroy(&ctx->mutex);
    av_frame_free(&ctx->held);
    av_frame_free(&ctx->spare);
    av_buffer_unref(&ctx->drm_device);
    av_buffer_unref(&ctx->drm_frames);
}

FFV3DoffContext *ff_v3doff_context_alloc(const AVCodecContext *avctx,
                                         const FFV3DoffOptions *options)
{
    v3doff_stream_info info = { 0 };
    v3doff_stream *stream = make_stream(avctx, options, &info);
    FFV3DoffContext *ctx = stream ? av_refstruct_alloc_ext(sizeof(*ctx), 0, NULL, context_free) : NULL;

    if (!ctx || ff_mutex_init(&ctx->mutex, NULL)) {
        v3doff_stream_destroy(&stream);
        av_refstruct_unref(&ctx);
        return NULL;
    }
    atomic_init(&ctx->users, 1);
    atomic_init(&ctx->suspended, 0);
    atomic_init(&ctx->frames, 0);
    atomic_init(&ctx->buffers_suit, 0);
    atomic_init(&ctx->exports, 0);
    atomic_init(&ctx->drm_failed, 0);
    ctx->stream = stream;
    ctx->mode   = info.mode;
    ctx->scope  = info.scope;
    read_debug(&ctx->debug);
    return ctx;
}

const FFV3DoffDebug *ff_v3doff_debug(const AVCodecContext *avctx)
{
    static const FFV3DoffDebug none = { .band_rows = -1, .vp9_transforms = 1 };

    return avctx->internal->v3doff ? &avctx->internal->v3doff->debug : &none;
}

void ff_v3doff_suspend(AVCodecContext *avctx, int suspend)
{
    if (avctx->internal->v3doff)
        atomic_store(&avctx->internal->v3doff->suspended, suspend);
}

int ff_v3doff_suspended(const AVCodecContext *avctx)
{
    return avctx->internal->v3doff && atomic_load(&avctx->internal->v3doff->suspended);
}
