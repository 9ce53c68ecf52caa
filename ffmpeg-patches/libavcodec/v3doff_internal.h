/*
 * libv3doff: what the files v3doff*.c share
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

/**
 * @file
 * v3doff.h has what the decoders call. Each part below belongs to one source file. A source file calls
 * only functions whose part stands above its own, and those of v3doff.h.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"

typedef struct FFV3DoffContext FFV3DoffContext;
typedef struct FFV3DoffLoan FFV3DoffLoan;

/**
 * A frame's picture, a RefStruct object. Its samples exist as long as it does. They are in libv3doff's
 * memory if ff_v3doff_get_buffer() allocated them. A frame in other memory has a picture as well, in
 * which libv3doff can filter but not reconstruct.
 */
struct FFV3DoffPicture {
    FFV3DoffContext *ctx;    ///< reference
    v3doff_picture *picture; ///< libv3doff's handle; NULL: other memory, in which nothing is filtered yet
    int borrowed;            ///< picture is in other memory
    const uint8_t *base;     ///< first sample in libv3doff's memory; NULL: other memory
    AVBufferRef *drm_frames; ///< the frame is handed out as one of these; NULL: as it is
    FFV3DoffPicture *next_own; ///< in FFV3DoffContext.own

    int whole;               ///< libv3doff reconstructs the current frame or field, the decoder only parses it
    int field;               ///< if so: 1 for a bottom field, otherwise 0

    AVMutex mutex;           ///< for everything below
    AVCond  cond;            ///< signals that something below has changed
    AVBufferRef *stand_in;   ///< of a frame in other memory: a copy to predict from, or NULL
    int unfilled;            ///< this is a stand-in, and its frame is not copied yet
    /* Atomic members are read without the mutex, too. */
    atomic_int state;        ///< enum FFV3DoffState
    const struct Submission *newest; ///< the samples are final when this is finished; NULL: none
    /* For the frame or the top field, and for the bottom field: */
    atomic_int parsed_rows[2]; ///< number of rows parsed; INT_MAX: it is submitted; -1: it is not whole
    atomic_int final_row[2]; ///< last final row of samples
    atomic_uintptr_t decoders[2]; ///< AVCodecContext of the thread that decodes the field, or NULL
    atomic_int in_first_field; ///< with frame threads: the thread of the first field uses the picture
};

/**
 * A decoder with all its frame threads, a RefStruct object. It outlives the decoder while the program
 * keeps frames.
 */
struct FFV3DoffContext {
    atomic_uint users;       ///< number of frame threads, or 1
    v3doff_stream *stream;   ///< libv3doff's handle
    v3doff_mode mode;        ///< after the environment was read
    v3doff_scope scope;      ///< after the environment was read
    FFV3DoffDebug debug;
    atomic_int suspended;    ///< ff_v3doff_suspend()
    atomic_uint frames;      ///< number of frames begun before there was a device
    atomic_int buffers_suit; ///< before there is a device: it could work in the last frame's buffers
    AVFrame *held;           ///< with a delay: the frame that is handed out next; NULL: no delay
    AVFrame *spare;          ///< with a delay: takes a frame while held is exchanged
    FFV3DoffPicture *held_pic;    ///< reference to the picture of held, or NULL
    FFV3DoffPicture *decoded_pic; ///< reference to the picture of the frame just decoded, or NULL

    AVMutex mutex;           ///< for everything below
    int began;               ///< a device is being opened, so the program's device is not tried any more
    FFV3DoffLoan *loan;      ///< the program's device; NULL: libv3doff opens one
    AVBufferRef *drm_device; ///< of the program, which wants DRM_PRIME; NULL: it does not
    AVBufferRef *drm_frames; ///< what frames of the current size are handed out as
    atomic_int exports;      ///< there is a drm_device; read without the mutex, too
    atomic_int drm_failed;   ///< a warning about a frame without dma-buf was written
    FFV3DoffPicture *own;    ///< list of the pictures in libv3doff's memory
    struct Submission *submitted; ///< list of the submits that the decoder has not let go of
};

/* ---- v3doff_vulkan.c: the program's Vulkan device, if CONFIG_VULKAN -------- */

/**
 * Lends the program's device to the stream. Decoders with the same device share the loan. It must end
 * after the stream.
 *
 * @param lender the program's AVHWDeviceContext
 * @param begin  0: only a device that another decoder has lent already
 * @return NULL: lender is no Vulkan device, or libv3doff cannot use it, which is logged
 */
FFV3DoffLoan *ff_v3doff_lend(void *logctx, AVBufferRef *lender, v3doff_stream *stream,
                             v3doff_mode mode, int begin);
void ff_v3doff_loan_end(FFV3DoffLoan *loan);

/* ---- v3doff_context.c: what the threads of a decoder share ---------------- */

/** @return NULL: libv3doff is off, or the process was forked and has only a copy of the context */
static inline FFV3DoffContext *ff_v3doff_context(const AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    return ctx && !v3doff_process_was_forked() ? ctx : NULL;
}

/** Returns whether there is a device. */
static inline int ff_v3doff_ready(const FFV3DoffContext *ctx)
{
    return v3doff_stream_state(ctx->stream) == V3DOFF_OK;
}

/** @return NULL: the options or the environment switch libv3doff off, or there is no memory */
FFV3DoffContext *ff_v3doff_context_alloc(const AVCodecContext *avctx,
                                         const FFV3DoffOptions *options);

/** Callback for libv3doff's lines about one decoder. avctx is its AVCodecContext. */
void ff_v3doff_log_own(void *avctx, v3doff_log_level level, const char *line);

/* ---- v3doff_picture.c: frames and their states ---------------------------- */

/**
 * The states of a picture, in their order. Only ff_v3doff_move() changes them. A frame of two
 * fields passes through them twice. It can be open for the second field while libv3doff still
 * reconstructs the first one.
 */
enum FFV3DoffState {
    FF_V3DOFF_OPEN,          ///< the decoder records work, or does all work itself
    FF_V3DOFF_SUBMITTED,     ///< the decoder has handed the records to libv3doff
    FF_V3DOFF_DONE,          ///< the samples are final
};

/** Waits while a condition holds, which is evaluated with the picture's mutex. */
#define WAIT_WHILE(pic, condition) do {                 \
    ff_mutex_lock(&(pic)->mutex);                       \
    while (condition)                                   \
        ff_cond_wait(&(pic)->cond, &(pic)->mutex);      \
    ff_mutex_unlock(&(pic)->mutex);                     \
} while (0)

/** Moves the picture to another state and wakes those that wait. Called with pic->mutex. */
void ff_v3doff_move(FFV3DoffPicture *pic, enum FFV3DoffState state);

FFV3DoffPicture *ff_v3doff_picture_alloc(FFV3DoffContext *ctx);

/** Returns whether the state is FF_V3DOFF_SUBMITTED. */
int ff_v3doff_is_under_way(const FFV3DoffPicture *pic);

/** Waits while the state is FF_V3DOFF_SUBMITTED. @return 0: it was another one */
int ff_v3doff_picture_wait(FFV3DoffPicture *pic);

/* ---- v3doff_submit.c: submitted pictures ----------------------------------- */

enum FFV3DoffWait {
    FF_V3DOFF_WAIT_NONE,
    FF_V3DOFF_WAIT_OLDER,    ///< for all but the picture that was submitted last
    FF_V3DOFF_WAIT_ALL,
};

/** Calls release() for pictures that are final, and frees what they held. Waits for some before. */
void ff_v3doff_drain(FFV3DoffContext *ctx, enum FFV3DoffWait wait);

/**
 * In a forked process: calls done() for pictures that only the parent process completes, so that the
 * decoder does not wait for their progress. The context and its pictures are leaked.
 */
void ff_v3doff_abandon(FFV3DoffContext *ctx);

/* ---- v3doff_drm.c: frames that are handed out as DRM_PRIME ------------------ */

/** To be called when a frame in libv3doff's memory is allocated. */
void ff_v3doff_drm_start(FFV3DoffPicture *pic, const AVFrame *frame);

/** To be called when a frame is handed out and its samples are final. */
int ff_v3doff_drm_export(AVCodecContext *avctx, FFV3DoffPicture *pic, AVFrame *frame);

/* ---- v3doff_buffer.c: the memory of frames ----------------------------------- */

/**
 * Allocates a picture in libv3doff's memory, with the format and size of the frame.
 *
 * @param linesize that it must have, 0 where it does not matter; NULL: any
 * @param planes   gets the places of the samples
 * @return a buffer of all samples, which holds the picture: ff_v3doff_picture_in()
 */
AVBufferRef *ff_v3doff_alloc_samples(FFV3DoffContext *ctx, const AVFrame *frame,
                                     const int *linesize, v3doff_planes *planes);

/**
 * Finds the picture of a frame by the place of its samples, because the buffer may be the program's, around
 * libv3doff's own.
 *
 * @return a reference; NULL: the samples are not in libv3doff's memory
 */
FFV3DoffPicture *ff_v3doff_own_picture_of(FFV3DoffContext *ctx, const AVFrame *frame);

/** Fills in the chroma format and the bit depth. @return 0: libv3doff does not know the format */
int ff_v3doff_fill_format(v3doff_pool_info *info, enum AVPixelFormat format);

/** Lets libv3doff filter in a frame's own memory. @return 0: it cannot */
int ff_v3doff_work_in(FFV3DoffPicture *pic, const AVFrame *frame);

/** Returns whether the device could work in a frame that was just allocated before there is a device. */
int ff_v3doff_suits(AVCodecContext *avctx, const AVFrame *frame);

#endif /* AVCODEC_V3DOFF_INTERNAL_H */
