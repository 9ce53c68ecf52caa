/*
 * What the parts of the libv3doff glue share
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

#ifndef AVCODEC_V3DOFF_INTERNAL_H
#define AVCODEC_V3DOFF_INTERNAL_H

#include <stdatomic.h>
#include <stdint.h>

#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"

/* So many different reasons for work done on the CPU are counted. */
#define MAX_REASONS 6

typedef struct FFV3DoffContext FFV3DoffContext;
typedef struct FFV3DoffDevice FFV3DoffDevice;
typedef struct FFV3DoffLoan FFV3DoffLoan;

struct FFV3DoffPicture {
    atomic_uint refs;
    FFV3DoffContext *ctx;
    v3doff_picture *picture;
    int borrowed;           ///< the samples are the caller's
    const uint8_t *base;    ///< of our own samples
    AVBufferRef *drm_frames; ///< it is handed out as a frame of these; NULL: as it is
    FFV3DoffPicture *prev_own, *next_own;

    uint64_t recorded[FF_V3DOFF_NB_KINDS];

    atomic_int parsed;      ///< rows, plus one; 0: the decoder reconstructs the frame

    /* once submitted */
    AVMutex mutex;
    AVCond  cond;
    int submitted;
    int in_flight;          ///< protected by mutex
    int counted;            ///< one of those under way
    atomic_int finished;    ///< not in flight
};

/** Exists until the decoder has noticed that a submit is done. */
typedef struct Submission {
    FFV3DoffPicture *pic;
    atomic_int finished;
    void (*done)(void *opaque);
    void (*release)(void *opaque);
    void *opaque;
    struct Submission *next;
    int nb_samples;
    AVBufferRef *samples[]; ///< what it is predicted from
} Submission;

typedef struct Reason {
    char text[128];
    uint64_t pictures;
} Reason;

/** Is there a device yet? */
enum {
    V3DOFF_PENDING,
    V3DOFF_READY,
    V3DOFF_ABSENT           ///< and there will be none
};

/** One decoder with all its frame threads. Outlives it while frames are kept. */
struct FFV3DoffContext {
    atomic_uint refs;
    atomic_uint users;      ///< threads of the decoder
    v3doff_policy *policy;
    v3doff_mode mode;
    FFV3DoffDebug debug;
    FFV3DoffDevice *opened; ///< its device, or what it is opened by; NULL: not looked for yet
    v3doff_scope scope;     ///< that is wanted
    atomic_int suspended;
    atomic_int state;
    v3doff_device *device;  ///< once state is V3DOFF_READY
    atomic_uint frames;     ///< before there was a device
    atomic_int buffers_suit; ///< the device could work in the last frame's
    AVFrame *held, *spare;  ///< with a delay: what is handed out next; NULL: there is none
    FFV3DoffPicture *held_pic, *decoded_pic; ///< of held, and of what was decoded; or NULL
    uint64_t held_back;     ///< frames
    atomic_uint awaited;    ///< pictures that a decoding thread waited for

    AVMutex mutex;          ///< for everything below
    v3doff_pool *pool;
    v3doff_pool_info pool_info;
    atomic_int exports;     ///< drm_device is there; read without the mutex, too
    AVBufferRef *drm_device; ///< of the program, which wants DRM_PRIME; NULL: it does not
    AVBufferRef *drm_frames;
    atomic_int drm_failed;  ///< that was said
    FFV3DoffPicture *own;   ///< pictures in our own memory
    Submission *submitted;
    atomic_int disabled;    ///< the device has failed; read without the mutex, too
    uint64_t pictures[2];   ///< [0] on the CPU, [1] on the GPU
    uint64_t submits;       ///< that the latter were
    uint64_t work[FF_V3DOFF_NB_KINDS][2];
    Reason reasons[MAX_REASONS];
    uint64_t other_reasons;
    uint64_t idle;          ///< pictures with nothing to do
};

/* v3doff_device.c: devices, shared by the decoders of the process. */

/** Lets libv3doff log through av_log() until ff_v3doff_log_end(). Calls nest. */
void ff_v3doff_log_begin(void);
void ff_v3doff_log_end(void);

/**
 * The decoder uses it from here on. It is the Vulkan device of avctx->hw_device_ctx,
 * or one that libv3doff opens itself.
 *
 * @param begin 0: only one that is open already
 * @return NULL: there is none
 */
FFV3DoffDevice *ff_v3doff_device_ref(AVCodecContext *avctx, v3doff_mode mode, int begin);
void ff_v3doff_device_unref(FFV3DoffDevice *dev);
int ff_v3doff_device_is_lent(const FFV3DoffDevice *dev);

/**
 * @param families bits 1 << v3doff_family: what frames are to be given to it for
 * @param begin    begin to open it and to compile what frames of the format need,
 *                 unless that has been done
 * @param wait     until it is ready for them
 * @param device   set to NULL unless V3DOFF_READY is returned
 */
int ff_v3doff_device_get(AVCodecContext *avctx, FFV3DoffDevice *dev, unsigned families, int begin,
                         int wait, v3doff_device **device);

/* v3doff_vulkan.c: the program's Vulkan device. */

/** @return NULL: it is no Vulkan device, or libv3doff cannot use it, which was logged then */
FFV3DoffLoan *ff_v3doff_borrow(void *logctx, AVBufferRef *lender, v3doff_mode mode,
                               v3doff_device **device);
/** Is the device that of this AVHWDeviceContext? */
int ff_v3doff_lent_by(const FFV3DoffLoan *loan, const AVBufferRef *lender);
/** To be called when the v3doff_device is destroyed. */
void ff_v3doff_give_back(FFV3DoffLoan **loan);

/* v3doff_buffer.c: memory. */

/** The chroma format and bit depth; 0: one that libv3doff does not know. */
int ff_v3doff_fill_format(v3doff_pool_info *info, enum AVPixelFormat format);

/* v3doff.c: the decoder and its device. */

/** NULL: nothing is offloaded, or a process was forked and has only a copy of it. */
static inline FFV3DoffContext *ff_v3doff_context(const AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    return ctx && !v3doff_process_was_forked() ? ctx : NULL;
}

static inline int ff_v3doff_ready(const FFV3DoffContext *ctx)
{
    return atomic_load_explicit(&ctx->state, memory_order_acquire) == V3DOFF_READY;
}

/** ff_v3doff_open() that waits for the device. */
void ff_v3doff_open_now(AVCodecContext *avctx);

FFV3DoffContext *ff_v3doff_context_ref(FFV3DoffContext *ctx);
void ff_v3doff_context_unref(FFV3DoffContext *ctx);

/** Called with ctx->mutex: one more picture was done on the CPU because of this. */
void ff_v3doff_count_reason(FFV3DoffContext *ctx, const char *text);

/* v3doff_frame.c */

/** With a delay: forget the frame that is handed out next. */
void ff_v3doff_forget_held(FFV3DoffContext *ctx);

/* v3doff_buffer.c: memory. */

/** Of our own samples or, once it is imported, the caller's; NULL: neither. */
FFV3DoffPicture *ff_v3doff_picture_of(FFV3DoffContext *ctx, const AVFrame *frame);
FFV3DoffPicture *ff_v3doff_own_picture_of(FFV3DoffContext *ctx, const AVFrame *frame);
void ff_v3doff_picture_unref(void *pic);

/** Returns whether the device could work in a frame that was just allocated without it. */
int ff_v3doff_suits(AVCodecContext *avctx, const AVFrame *frame);

/* v3doff_drm.c: frames that are handed out as DRM_PRIME. */

/** Of a frame that is allocated. */
void ff_v3doff_drm_start(FFV3DoffPicture *pic, const AVFrame *frame);

/** Of one that is handed out, and done. */
int ff_v3doff_drm_export(AVCodecContext *avctx, FFV3DoffPicture *pic, AVFrame *frame);

/* v3doff_submit.c: pictures under way. */

enum FFV3DoffWait {
    FF_V3DOFF_WAIT_NONE,
    FF_V3DOFF_WAIT_OLDER, ///< for all but the one that was submitted last
    FF_V3DOFF_WAIT_ALL,
};

/** Let go of the frames of pictures that are done. */
void ff_v3doff_drain(FFV3DoffContext *ctx, enum FFV3DoffWait wait);

/**
 * In a forked process: report the progress of what only the parent completes, so
 * that the decoder does not wait for it. The context and its pictures are leaked.
 */
void ff_v3doff_abandon(FFV3DoffContext *ctx);

/** Wait until it is done. @return whether it was not yet */
int ff_v3doff_picture_wait(FFV3DoffPicture *pic);

#endif /* AVCODEC_V3DOFF_INTERNAL_H */
