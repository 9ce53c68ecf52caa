/*
 * Transforms and loop filters on a Vulkan device, through libv3doff
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

/*
 * avformat_find_stream_info() takes up to 20 frames from a decoder, which may have
 * begun has_b_frames more. Thumbnails take fewer. None of them opens a device.
 */
#define OPEN_AFTER 21

/* ---- References --------------------------------------------------------- */

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

FFV3DoffContext *ff_v3doff_context_ref(FFV3DoffContext *ctx)
{
    atomic_fetch_add_explicit(&ctx->refs, 1, memory_order_relaxed);
    return ctx;
}

/* ---- Opening and closing ------------------------------------------------ */

static const char *memory_name(v3doff_memory_path path)
{
    static const char *const names[] = { "auto", "udmabuf", "dma-heap", "host-import",
                                         "host-cached", "staging", "CPU" };

    return (unsigned)path < FF_ARRAY_ELEMS(names) ? names[path] : "unknown";
}

static int nb_pictures_at_once(const AVCodecContext *avctx)
{
    return avctx->active_thread_type & FF_THREAD_FRAME ? avctx->thread_count : 1;
}

/* What is wanted, by the options or by the environment. NULL: nothing. */
static v3doff_policy *make_policy(const AVCodecContext *avctx, const FFV3DoffOptions *options,
                                  v3doff_policy_info *info)
{
    v3doff_policy *policy = NULL;

    info->struct_size = sizeof(*info);
    info->codec   = avctx->codec_id == AV_CODEC_ID_H264 ? V3DOFF_CODEC_H264 : V3DOFF_CODEC_VP9;
    info->mode    = options->mode;
    info->scope   = options->scope;
    info->threads = nb_pictures_at_once(avctx);
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

static FFV3DoffContext *context_alloc(AVCodecContext *avctx, const FFV3DoffOptions *options)
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
    atomic_init(&ctx->suspended, 0);
    atomic_init(&ctx->frames, 0);
    atomic_init(&ctx->buffers_suit, 0);
    atomic_init(&ctx->state, V3DOFF_PENDING);
    atomic_init(&ctx->disabled, 0);
    atomic_init(&ctx->exports, 0);
    atomic_init(&ctx->drm_failed, 0);
    ctx->policy = policy;
    ctx->mode   = info.mode;
    ctx->scope  = info.scope;
    read_debug(&ctx->debug);
    return ctx;
}

void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options)
{
    FFV3DoffContext *ctx;

    if (avctx->internal->is_copy || options->mode == V3DOFF_MODE_CPU ||
        v3doff_process_was_forked())
        return;
    ff_v3doff_log_begin(); // for what is wrong with the environment
    ctx = avctx->internal->v3doff = context_alloc(avctx, options);
    ff_v3doff_log_end();
    /* Frame threads delay frames anyway. */
    if (ctx && options->delay && !(avctx->flags & AV_CODEC_FLAG_LOW_DELAY) &&
        !(avctx->active_thread_type & FF_THREAD_FRAME)) {
        ctx->held  = av_frame_alloc();
        ctx->spare = av_frame_alloc();
    }
}

const FFV3DoffDebug *ff_v3doff_debug(const AVCodecContext *avctx)
{
    static const FFV3DoffDebug none = { .band_rows = -1, .vp9_transforms = 1 };

    return avctx->internal->v3doff ? &avctx->internal->v3doff->debug : &none;
}

/* What its shaders are compiled for beforehand. */
static unsigned families_of(const AVCodecContext *avctx, const FFV3DoffContext *ctx)
{
    const int reconstruction = ctx->scope == V3DOFF_SCOPE_RECONSTRUCTION ||
                               (ctx->scope == V3DOFF_SCOPE_AUTO && ctx->mode == V3DOFF_MODE_AUTO);

    if (avctx->codec_id == AV_CODEC_ID_H264)
        return 1u << V3DOFF_FAMILY_H264_DEBLOCK |
               (reconstruction ? 1u << V3DOFF_FAMILY_H264_RECONSTRUCTION : 0);
    return 1u << V3DOFF_FAMILY_VP9_LOOPFILTER | 1u << V3DOFF_FAMILY_VP9_ITX |
           (reconstruction ? 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION : 0);
}

static const char *offloads(const AVCodecContext *avctx)
{
    return avctx->codec_id == AV_CODEC_ID_H264 ? "H.264 deblocking" :
                                                 "VP9 loop filter and transforms";
}

/* Returns whether the stream is decoded, not only looked at, and the device could work in its frames. */
static int is_worth_opening(const AVCodecContext *avctx, FFV3DoffContext *ctx)
{
    return atomic_fetch_add(&ctx->frames, 1) >= OPEN_AFTER + avctx->has_b_frames &&
           atomic_load(&ctx->buffers_suit);
}

/* Called with ctx->mutex. Another thread may have been faster. */
static void set_state(AVCodecContext *avctx, FFV3DoffContext *ctx, int state,
                      v3doff_device *device)
{
    v3doff_device_properties properties = { sizeof(properties) };

    if (atomic_load_explicit(&ctx->state, memory_order_relaxed) != V3DOFF_PENDING)
        return;
    ctx->device = device;
    if (device && v3doff_device_get_properties(device, &properties) >= 0)
        av_log(avctx, AV_LOG_INFO, "libv3doff: %s on %s%s, memory: %s\n", offloads(avctx),
               properties.name, ff_v3doff_device_is_lent(ctx->opened) ?
               ", the program's Vulkan device" : "", memory_name(properties.memory));
    atomic_store_explicit(&ctx->state, state, memory_order_release);
}

/*
 * Opening a device can take half a second. In mode force, and if a caller wants it
 * at once, the decoder waits for it. Otherwise the CPU decodes until it is there.
 * A device that another decoder has opened is used from the first frame on.
 */
static void look_for_device(AVCodecContext *avctx, FFV3DoffContext *ctx, int at_once)
{
    const int wait = at_once || ctx->mode == V3DOFF_MODE_FORCE || ctx->debug.open_wait;
    const int begin = is_worth_opening(avctx, ctx) || wait;
    v3doff_device *device = NULL;
    int state = V3DOFF_ABSENT;

    ff_mutex_lock(&ctx->mutex);
    if (!ctx->opened)
        ctx->opened = ff_v3doff_device_ref(avctx, ctx->mode, begin);
    ff_mutex_unlock(&ctx->mutex);
    if (ctx->opened)
        state = ff_v3doff_device_get(avctx, ctx->opened, families_of(avctx, ctx), begin, wait,
                                     &device);
    else if (!begin)
        return;
    ff_mutex_lock(&ctx->mutex);
    set_state(avctx, ctx, state, device);
    ff_mutex_unlock(&ctx->mutex);
}

static void open_context(AVCodecContext *avctx, int at_once)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (avctx->internal->v3doff && !ctx) {
        ff_v3doff_abandon(avctx->internal->v3doff);
        avctx->internal->v3doff = NULL;
    }
    if (ctx && atomic_load_explicit(&ctx->state, memory_order_acquire) == V3DOFF_PENDING)
        look_for_device(avctx, ctx, at_once);
}

void ff_v3doff_open(AVCodecContext *avctx)
{
    open_context(avctx, 0);
}

void ff_v3doff_open_now(AVCodecContext *avctx)
{
    open_context(avctx, 1);
}

void ff_v3doff_update_thread_context(AVCodecContext *dst, const AVCodecContext *src)
{
    FFV3DoffContext *ctx = ff_v3doff_context(src);

    if (!ctx || dst->internal->v3doff == ctx)
        return;
    ff_v3doff_close(dst);
    dst->internal->v3doff = ff_v3doff_context_ref(ctx);
    atomic_fetch_add_explicit(&ctx->users, 1, memory_order_relaxed);
}

void ff_v3doff_flush(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (!ctx)
        return;
    ff_v3doff_forget_held(ctx);
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_NONE);
    ff_v3doff_suspend(avctx, 0);
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

static void log_summary(void *logctx, FFV3DoffContext *ctx)
{
    static const char *const kinds[] = { "edges", "blocks", "macroblocks", "reconstructed" };
    const int state = atomic_load_explicit(&ctx->state, memory_order_acquire);
    /* A program that only looks at a stream does not wait for a device. */
    const int level = state == V3DOFF_READY ? AV_LOG_INFO : AV_LOG_VERBOSE;

    if (state == V3DOFF_ABSENT || !(ctx->pictures[0] || ctx->pictures[1] || ctx->idle))
        return;
    av_log(logctx, level, "libv3doff: pictures: GPU %"PRIu64", CPU %"PRIu64
           ", nothing to do %"PRIu64, ctx->pictures[1], ctx->pictures[0], ctx->idle);
    for (int i = 0; i < FF_V3DOFF_NB_KINDS; i++)
        if (ctx->work[i][0] || ctx->work[i][1])
            av_log(logctx, level, "; %s: GPU %"PRIu64", CPU %"PRIu64, kinds[i],
                   ctx->work[i][1], ctx->work[i][0]);
    av_log(logctx, level, "; awaited: %u; submits: %"PRIu64"\n",
           atomic_load_explicit(&ctx->awaited, memory_order_relaxed), ctx->submits);
    for (int i = 0; i < MAX_REASONS && ctx->reasons[i].pictures; i++)
        av_log(logctx, level, "libv3doff: on the CPU, %"PRIu64" pictures: %s\n",
               ctx->reasons[i].pictures, ctx->reasons[i].text);
    if (ctx->other_reasons)
        av_log(logctx, level, "libv3doff: on the CPU, %"PRIu64" pictures: other\n",
               ctx->other_reasons);
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
            properties.name, memory_name(properties.memory), ctx->pictures[1], ctx->pictures[0],
            ctx->idle, ctx->held_back, ctx->reasons[0].text);
}

void ff_v3doff_close(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (ctx)
        ff_v3doff_turn_over(avctx);
    avctx->internal->v3doff = NULL;
    if (!ctx)
        return;
    ff_v3doff_forget_held(ctx);
    /* Each frame thread's context is freed behind this, and its pictures report
     * their progress by way of it. */
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_ALL);
    if (atomic_fetch_sub_explicit(&ctx->users, 1, memory_order_acq_rel) == 1) {
        ff_mutex_lock(&ctx->mutex);
        log_summary(avctx, ctx);
        if (ctx->debug.report)
            write_report(avctx, ctx);
        ff_mutex_unlock(&ctx->mutex);
    }
    ff_v3doff_context_unref(ctx);
}

/* ---- Choosing and counting ---------------------------------------------- */

v3doff_scope ff_v3doff_ask(AVCodecContext *avctx, unsigned possible, int awaited,
                           v3doff_policy_answer *answer)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);
    v3doff_policy_question question = { sizeof(question) };

    ff_v3doff_turn_over(avctx); // of a picture that ended early
    *answer = (v3doff_policy_answer){ sizeof(*answer), V3DOFF_SCOPE_NONE };
    if (!ctx)
        return V3DOFF_SCOPE_NONE;
    question.device   = ff_v3doff_ready(ctx) ? ctx->device : NULL;
    question.width    = avctx->coded_width;
    question.height   = avctx->coded_height;
    question.possible = possible;
    question.awaited  = awaited;
    if (v3doff_policy_ask(ctx->policy, &question, answer) < 0)
        answer->reason = "libv3doff does not support this kind of picture";
    avctx->internal->v3doff_counted = answer->counted;
    avctx->internal->v3doff_alone   = answer->alone;
    if (answer->failed)
        atomic_store(&ctx->disabled, 1);
    return answer->scope;
}

int ff_v3doff_may_reconstruct(const AVCodecContext *avctx)
{
    const FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    return ctx && ctx->scope != V3DOFF_SCOPE_FILTERS && ff_v3doff_ready(ctx);
}

void ff_v3doff_measure(AVCodecContext *avctx, v3doff_tune_info *tune)
{
    tune->width  = avctx->coded_width;
    tune->height = avctx->coded_height;
    v3doff_tune_begin(avctx->internal->v3doff->device, tune);
}

int ff_v3doff_alone(const AVCodecContext *avctx)
{
    return avctx->internal->v3doff_alone;
}

void ff_v3doff_turn_over(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = ff_v3doff_context(avctx);

    if (ctx && avctx->internal->v3doff_counted)
        v3doff_policy_done(ctx->policy, V3DOFF_EXECUTOR_NONE);
    avctx->internal->v3doff_counted = 0;
}

void ff_v3doff_count_reason(FFV3DoffContext *ctx, const char *text)
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
