/*
 * libv3doff: what the threads of a decoder share, and who did what
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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libavutil/avstring.h"
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_internal.h"

/* Fills in the settings. Returns NULL if these switch libv3doff off, or if there is no memory. */
static v3doff_policy *make_policy(const AVCodecContext *avctx, const FFV3DoffOptions *options,
                                  v3doff_policy_info *info)
{
    v3doff_policy *policy = NULL;

    info->struct_size = sizeof(*info);
    info->codec   = avctx->codec_id == AV_CODEC_ID_H264 ? V3DOFF_CODEC_H264 : V3DOFF_CODEC_VP9;
    info->mode    = options->mode;
    info->scope   = options->scope;
    info->threads = avctx->active_thread_type & FF_THREAD_FRAME ? avctx->thread_count : 1;
    info->helpers = avctx->active_thread_type & FF_THREAD_SLICE ? avctx->thread_count - 1 : 0;
    if (v3doff_policy_create(&policy, info) >= 0 &&
        (v3doff_policy_get_info(policy, info) < 0 || info->mode == V3DOFF_MODE_CPU))
        v3doff_policy_destroy(&policy);
    return policy;
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
    debug->report         = is(v3doff_debug("report"), "stderr");
}

FFV3DoffContext *ff_v3doff_context_alloc(const AVCodecContext *avctx,
                                         const FFV3DoffOptions *options)
{
    v3doff_policy_info info = { 0 };
    v3doff_policy *policy = make_policy(avctx, options, &info);
    FFV3DoffContext *ctx = policy ? av_mallocz(sizeof(*ctx)) : NULL;

    if (!ctx || ff_mutex_init(&ctx->mutex, NULL)) {
        v3doff_policy_destroy(&policy);
        av_free(ctx);
        return NULL;
    }
    atomic_init(&ctx->refs, 1);
    atomic_init(&ctx->users, 1);
    atomic_init(&ctx->state, V3DOFF_PENDING);
    atomic_init(&ctx->suspended, 0);
    atomic_init(&ctx->frames, 0);
    atomic_init(&ctx->buffers_suit, 0);
    atomic_init(&ctx->awaited, 0);
    atomic_init(&ctx->copied, 0);
    atomic_init(&ctx->exports, 0);
    atomic_init(&ctx->drm_failed, 0);
    atomic_init(&ctx->failure, V3DOFF_OK);
    ctx->policy = policy;
    ctx->mode   = info.mode;
    ctx->scope  = info.scope;
    read_debug(&ctx->debug);
    return ctx;
}

FFV3DoffContext *ff_v3doff_context_ref(FFV3DoffContext *ctx)
{
    atomic_fetch_add_explicit(&ctx->refs, 1, memory_order_relaxed);
    return ctx;
}

void ff_v3doff_context_unref(FFV3DoffContext *ctx)
{
    if (v3doff_process_was_forked() ||
        atomic_fetch_sub_explicit(&ctx->refs, 1, memory_order_acq_rel) != 1)
        return;
    v3doff_pool_destroy(&ctx->pool);
    v3doff_policy_destroy(&ctx->policy);
    if (ctx->opened)
        ff_v3doff_device_unref(ctx->opened);
    ff_mutex_destroy(&ctx->mutex);
    av_frame_free(&ctx->held);
    av_frame_free(&ctx->spare);
    av_buffer_unref(&ctx->drm_device);
    av_buffer_unref(&ctx->drm_frames);
    av_free(ctx);
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

/* ---- Counting -------------------------------------------------------------- */

/* Called with ctx->mutex. */
static void count_reason(FFV3DoffContext *ctx, const char *text)
{
    for (int i = 0; i < MAX_REASONS; i++) {
        Reason *reason = &ctx->reasons[i];

        if (!reason->pictures)
            av_strlcpy(reason->text, text, sizeof(reason->text));
        if (!strncmp(reason->text, text, sizeof(reason->text) - 1)) {
            reason->pictures++;
            return;
        }
    }
    ctx->other_reasons++;
}

/* Called with ctx->mutex. */
static void count_picture(FFV3DoffContext *ctx, int gpu, int whole)
{
    ctx->pictures[gpu]++;
    ctx->whole[gpu] += whole;
}

int ff_v3doff_count_cpu_picture(FFV3DoffContext *ctx, int whole, const char *reason)
{
    int first;

    ff_mutex_lock(&ctx->mutex);
    first = !ctx->pictures[0];
    count_picture(ctx, 0, whole);
    count_reason(ctx, reason);
    ff_mutex_unlock(&ctx->mutex);
    return first;
}

void ff_v3doff_count_done(FFV3DoffContext *ctx, int whole, const v3doff_picture_report *report)
{
    const int gpu = report->executor == V3DOFF_EXECUTOR_GPU;

    ff_mutex_lock(&ctx->mutex);
    count_picture(ctx, gpu, whole);
    if (gpu)
        ctx->submits += whole ? 1 : report->bands; // the report is about both fields
    else
        count_reason(ctx, report->reason);
    ff_mutex_unlock(&ctx->mutex);
}

/* ---- The end of a decoder --------------------------------------------------- */

static void log_summary(AVCodecContext *avctx, const FFV3DoffContext *ctx)
{
    const int state = atomic_load_explicit(&ctx->state, memory_order_acquire);
    const unsigned copied = atomic_load_explicit(&ctx->copied, memory_order_relaxed);
    /* A program that only probes a stream closes the decoder before there is a device. */
    const int level = state == V3DOFF_READY ? AV_LOG_INFO : AV_LOG_VERBOSE;
    char whole[80] = "", copies[40] = "";

    if (state == V3DOFF_ABSENT || !(ctx->pictures[0] || ctx->pictures[1] || ctx->idle))
        return;
    if (ctx->whole[0] || ctx->whole[1])
        snprintf(whole, sizeof(whole), "; reconstructed: GPU %"PRIu64", CPU %"PRIu64, ctx->whole[1],
                 ctx->whole[0]);
    if (copied)
        snprintf(copies, sizeof(copies), "; copied references: %u", copied);
    /* In one call, because other threads write to the log, too. */
    av_log(avctx, level, "libv3doff: pictures: GPU %"PRIu64", CPU %"PRIu64", nothing to do %"PRIu64
           "%s%s; awaited: %u; submits: %"PRIu64"\n", ctx->pictures[1], ctx->pictures[0], ctx->idle,
           whole, copies, atomic_load_explicit(&ctx->awaited, memory_order_relaxed), ctx->submits);
    for (int i = 0; i < MAX_REASONS && ctx->reasons[i].pictures; i++)
        av_log(avctx, level, "libv3doff: on the CPU, %"PRIu64" pictures: %s\n",
               ctx->reasons[i].pictures, ctx->reasons[i].text);
    if (ctx->other_reasons)
        av_log(avctx, level, "libv3doff: on the CPU, %"PRIu64" pictures: other\n",
               ctx->other_reasons);
}

const char *ff_v3doff_memory_name(v3doff_memory_path path)
{
    static const char *const names[] = { "auto", "udmabuf", "dma-heap", "host-import",
                                         "host-cached", "staging", "CPU" };

    return (unsigned)path < FF_ARRAY_ELEMS(names) ? names[path] : "unknown";
}

/* Tests of programs read this line, whatever the program does with the log. */
static void write_report(const AVCodecContext *avctx, const FFV3DoffContext *ctx)
{
    static const char *const states[] = { "pending", "ready", "absent" };
    v3doff_device_properties properties = { sizeof(properties) };

    if (ctx->device)
        v3doff_device_get_properties(ctx->device, &properties);
    fprintf(stderr, "libv3doff report: pid=%d codec=%s state=%s device=\"%s\" memory=%s "
            "gpu=%"PRIu64" cpu=%"PRIu64" idle=%"PRIu64" held=%"PRIu64" reason=\"%s\"\n",
            (int)getpid(), avcodec_get_name(avctx->codec_id), states[atomic_load(&ctx->state)],
            properties.name, ff_v3doff_memory_name(properties.memory), ctx->pictures[1],
            ctx->pictures[0], ctx->idle, ctx->held_back, ctx->reasons[0].text);
}

void ff_v3doff_log_summary(AVCodecContext *avctx, FFV3DoffContext *ctx)
{
    ff_mutex_lock(&ctx->mutex);
    log_summary(avctx, ctx);
    if (ctx->debug.report)
        write_report(avctx, ctx);
    ff_mutex_unlock(&ctx->mutex);
}
