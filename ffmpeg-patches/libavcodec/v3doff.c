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
#include <stdlib.h>
#include <string.h>

#include "libavutil/avstring.h"
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"
#include "v3doff_internal.h"

/* Short looks into a stream are not worth a second of measuring. */
#define TUNE_AFTER 60

/* A look at a stream decodes less than this. */
#define OPEN_AFTER 2

/* ---- References --------------------------------------------------------- */

void ff_v3doff_context_unref(FFV3DoffContext *ctx)
{
    if (atomic_fetch_sub_explicit(&ctx->refs, 1, memory_order_acq_rel) != 1)
        return;
    v3doff_pool_destroy(&ctx->pool);
    v3doff_balance_destroy(&ctx->balance);
    ff_v3doff_device_unref(ctx->mode);
    ff_mutex_destroy(&ctx->mutex);
    av_frame_free(&ctx->held);
    av_frame_free(&ctx->spare);
    av_free(ctx);
}

FFV3DoffContext *ff_v3doff_context_ref(FFV3DoffContext *ctx)
{
    atomic_fetch_add_explicit(&ctx->refs, 1, memory_order_relaxed);
    return ctx;
}

/* ---- Opening and closing ------------------------------------------------ */

static enum FFV3DoffMode mode_of_environment(void *logctx)
{
    static atomic_int warned;
    const char *env = getenv("V3DOFF");

    if (!env || !*env || !strcmp(env, "auto"))
        return FF_V3DOFF_AUTO;
    if (!strcmp(env, "off"))
        return FF_V3DOFF_OFF;
    if (!strcmp(env, "force"))
        return FF_V3DOFF_FORCE;
    if (!atomic_exchange(&warned, 1))
        av_log(logctx, AV_LOG_WARNING, "V3DOFF=%s is none of off, auto, force: ignored\n", env);
    return FF_V3DOFF_AUTO;
}

enum FFV3DoffScope ff_v3doff_scope(AVCodecContext *avctx, const FFV3DoffOptions *options)
{
    static atomic_int warned;
    const char *env = getenv("V3DOFF_SCOPE");

    if (options->scope != FF_V3DOFF_SCOPE_AUTO)
        return options->scope;
    if (!env || !*env || !strcmp(env, "auto") || !strcmp(env, "filters"))
        return FF_V3DOFF_FILTERS;
    if (!strcmp(env, "reconstruction"))
        return FF_V3DOFF_RECONSTRUCTION;
    if (!atomic_exchange(&warned, 1))
        av_log(avctx, AV_LOG_WARNING,
               "V3DOFF_SCOPE=%s is none of auto, filters, reconstruction: ignored\n", env);
    return FF_V3DOFF_FILTERS;
}

static const char *memory_name(v3doff_memory_path path)
{
    static const char *const names[] = { "auto", "udmabuf", "dma-heap", "host-import",
                                         "host-cached", "staging", "CPU" };

    return (unsigned)path < FF_ARRAY_ELEMS(names) ? names[path] : "unknown";
}

static FFV3DoffContext *context_alloc(enum FFV3DoffMode mode)
{
    FFV3DoffContext *ctx;

    if (!ff_v3doff_device_ref(mode))
        return NULL;
    ctx = av_mallocz(sizeof(*ctx));
    if (!ctx || ff_mutex_init(&ctx->mutex, NULL)) {
        ff_v3doff_device_unref(mode);
        av_freep(&ctx);
        return NULL;
    }
    atomic_init(&ctx->refs, 1);
    atomic_init(&ctx->users, 1);
    atomic_init(&ctx->suspended, 0);
    atomic_init(&ctx->frames, 0);
    atomic_init(&ctx->told, 0);
    atomic_init(&ctx->under_way, 0);
    atomic_init(&ctx->state, V3DOFF_PENDING);
    atomic_init(&ctx->disabled, 0);
    ctx->mode = mode;
    return ctx;
}

static int nb_pictures_at_once(const AVCodecContext *avctx, const FFV3DoffContext *ctx)
{
    return avctx->active_thread_type & FF_THREAD_FRAME ? avctx->thread_count : 1 + !!ctx->held;
}

/*
 * Opening a device can take half a second. Where it has to be this one, it is
 * waited for; else pictures are decoded as without it until it is there.
 */
static void look_for_device(AVCodecContext *avctx, FFV3DoffContext *ctx, const char *what)
{
    v3doff_device_properties properties = { sizeof(properties) };
    const char *env = v3doff_debug("open");
    const int wait  = ctx->mode == FF_V3DOFF_FORCE || env && !strcmp(env, "wait");
    const int begin = wait || atomic_fetch_add(&ctx->frames, 1) >= OPEN_AFTER;
    v3doff_device *device;
    int state = ff_v3doff_device_get(avctx, ctx->mode, begin, wait, &device);

    ff_mutex_lock(&ctx->mutex);
    /* Another thread may have been faster. */
    if (atomic_load_explicit(&ctx->state, memory_order_relaxed) == V3DOFF_PENDING) {
        ctx->device = device;
        if (device && v3doff_device_get_properties(device, &properties) >= 0)
            av_log(avctx, AV_LOG_INFO, "libv3doff: %s on %s, memory: %s\n", what, properties.name,
                   memory_name(properties.memory));
        if (device && ctx->mode == FF_V3DOFF_AUTO)
            v3doff_balance_create(&ctx->balance, nb_pictures_at_once(avctx, ctx));
        atomic_store_explicit(&ctx->state, state, memory_order_release);
    }
    ff_mutex_unlock(&ctx->mutex);
}

/*
 * A caller that wants the lowest delay gets each frame at once. Others wait for
 * the device with every frame unless the next one is parsed meanwhile.
 */
static int wants_delay(AVCodecContext *avctx, const FFV3DoffOptions *options)
{
    const char *env = getenv("V3DOFF_DELAY");

    if (avctx->flags & AV_CODEC_FLAG_LOW_DELAY || avctx->active_thread_type & FF_THREAD_FRAME)
        return 0;
    if (options->delay >= 0)
        return options->delay;
    return env && *env ? !strcmp(env, "1") :
                         ff_v3doff_scope(avctx, options) == FF_V3DOFF_RECONSTRUCTION;
}

void ff_v3doff_open(AVCodecContext *avctx, const FFV3DoffOptions *options, const char *what)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    if (!ctx) {
        enum FFV3DoffMode mode = options->mode;

        if (mode == FF_V3DOFF_AUTO)
            mode = mode_of_environment(avctx);
        if (mode == FF_V3DOFF_OFF)
            return;
        ctx = context_alloc(mode);
        if (!ctx)
            return;
        if (wants_delay(avctx, options)) {
            ctx->held  = av_frame_alloc();
            ctx->spare = av_frame_alloc();
        }
        avctx->internal->v3doff = ctx;
    }
    if (atomic_load_explicit(&ctx->state, memory_order_acquire) != V3DOFF_PENDING)
        return;
    look_for_device(avctx, ctx, what);
}

void ff_v3doff_update_thread_context(AVCodecContext *dst, const AVCodecContext *src)
{
    FFV3DoffContext *ctx = src->internal->v3doff;

    if (dst->internal->v3doff == ctx || !ctx)
        return;
    ff_v3doff_close(dst);
    dst->internal->v3doff = ff_v3doff_context_ref(ctx);
    atomic_fetch_add_explicit(&ctx->users, 1, memory_order_relaxed);
}

void ff_v3doff_flush(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    if (!ctx)
        return;
    if (ctx->held)
        av_frame_unref(ctx->held);
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
    /* What only looks at a stream does not wait for a device. */
    const int level = state == V3DOFF_READY ? AV_LOG_INFO : AV_LOG_VERBOSE;

    if (state == V3DOFF_ABSENT)
        return;
    ff_mutex_lock(&ctx->mutex);
    if (ctx->pictures[0] || ctx->pictures[1] || ctx->idle) {
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
    ff_mutex_unlock(&ctx->mutex);
}

void ff_v3doff_close(AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    if (!ctx)
        return;
    ff_v3doff_turn_over(avctx);
    avctx->internal->v3doff = NULL;
    if (ctx->held)
        av_frame_unref(ctx->held);
    /* Each frame thread's context is freed behind this, and its pictures report
     * their progress by way of it. */
    ff_v3doff_drain(ctx, FF_V3DOFF_WAIT_ALL);
    if (atomic_fetch_sub_explicit(&ctx->users, 1, memory_order_acq_rel) == 1)
        log_summary(avctx, ctx);
    ff_v3doff_context_unref(ctx);
}

/* ---- Choosing and counting ---------------------------------------------- */

int ff_v3doff_pays(AVCodecContext *avctx, v3doff_family family,
                   const v3doff_tune_info *tune)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;
    v3doff_recipe_answer answer = { sizeof(answer) };
    v3doff_choice choice;
    int begin = 0;

    if (!ctx || ctx->mode == FF_V3DOFF_FORCE || !ff_v3doff_ready(ctx))
        return !!ctx;
    ff_mutex_lock(&ctx->mutex);
    if (ctx->recipe[family].width  != avctx->coded_width ||
        ctx->recipe[family].height != avctx->coded_height) {
        ctx->recipe[family].width  = avctx->coded_width;
        ctx->recipe[family].height = avctx->coded_height;
        ctx->recipe[family].asked  = 0;
        if (v3doff_recipe_ask(ctx->device, family, avctx->coded_width, avctx->coded_height,
                              &answer) < 0)
            answer.choice = V3DOFF_CHOICE_UNKNOWN;
        ctx->recipe[family].choice = answer.choice;
        if (answer.overridden)
            atomic_store_explicit(&ctx->told, 1, memory_order_relaxed);
    }
    choice = ctx->recipe[family].choice;
    if (choice == V3DOFF_CHOICE_UNKNOWN && tune)
        begin = ++ctx->recipe[family].asked == TUNE_AFTER;
    ff_mutex_unlock(&ctx->mutex);
    if (begin)
        v3doff_tune_begin(ctx->device, tune);
    return choice != V3DOFF_CHOICE_CPU;
}

const char *ff_v3doff_turn(AVCodecContext *avctx, int awaited)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;
    v3doff_choice choice;

    ff_v3doff_turn_over(avctx); // of a picture that ended early
    if (!ctx || !ff_v3doff_ready(ctx))
        return NULL;
    avctx->internal->v3doff_counted = 1;
    avctx->internal->v3doff_alone   = !atomic_fetch_add(&ctx->under_way, 1);
    if (!ctx->balance || atomic_load_explicit(&ctx->told, memory_order_relaxed) ||
        v3doff_balance_next(ctx->balance, awaited, &choice) < 0)
        return NULL;
    return choice == V3DOFF_CHOICE_GPU ? NULL : "wanted faster than with the device";
}

int ff_v3doff_alone(const AVCodecContext *avctx)
{
    return avctx->internal->v3doff_alone;
}

void ff_v3doff_turn_over(AVCodecContext *avctx)
{
    if (avctx->internal->v3doff_counted)
        ff_v3doff_picture_final(avctx->internal->v3doff);
    avctx->internal->v3doff_counted = 0;
}

void ff_v3doff_picture_final(FFV3DoffContext *ctx)
{
    atomic_fetch_sub(&ctx->under_way, 1);
    if (ctx->balance)
        v3doff_balance_done(ctx->balance);
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
