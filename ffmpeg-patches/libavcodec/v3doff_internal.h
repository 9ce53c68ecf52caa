/*
 * libv3doff: what the files of the glue share
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
 * Each part below belongs to one source file. A source file calls only functions whose part
 * stands above its own, and those of v3doff.h.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "libavutil/thread.h"

#include "internal.h"
#include "v3doff.h"

/** The number of different reasons for work on the CPU that a decoder counts. */
#define MAX_REASONS 6

typedef struct FFV3DoffContext FFV3DoffContext;
typedef struct FFV3DoffDevice FFV3DoffDevice;

/**
 * A frame's picture in libv3doff. Its samples exist as long as the picture does. A frame in other
 * memory has one as well, which is empty until the frame is filtered there.
 */
struct FFV3DoffPicture {
    atomic_uint refs;
    FFV3DoffContext *ctx;    ///< reference
    v3doff_picture *picture; ///< NULL: libv3doff does not work in the frame
    int borrowed;            ///< the samples are in the program's memory, not in libv3doff's
    const uint8_t *base;     ///< first sample, if they are in libv3doff's memory
    AVBufferRef *drm_frames; ///< the frame is handed out as one of these; NULL: as it is
    FFV3DoffPicture *prev_own, *next_own; ///< in FFV3DoffContext.own

    int whole;               ///< libv3doff reconstructs the current frame or field
    int field;               ///< if so, which field that is; 0: or a frame

    AVMutex mutex;           ///< for everything below
    AVCond  cond;            ///< signals that something below has changed
    AVBufferRef *stand_in;   ///< copy of a frame in other memory, to predict from; or NULL
    AVBufferRef *wrapped;    ///< the program's buffer around this one, while the picture is predicted from; or NULL
    int nb_wrapped;          ///< by so many
    int unfilled;            ///< this is a stand-in, and its frame is not copied yet
    /* Atomic members are read without the mutex, too. */
    atomic_int state;        ///< enum FFV3DoffState
    const struct Submission *newest; ///< the samples are final when this is done; NULL: none
    atomic_int parsed_rows[2]; ///< number of parsed rows of the frame, or of each field; INT_MAX:
                             ///< it is submitted; -1: the decoder reconstructs it
    atomic_int final_row[2]; ///< last final row of the frame, or of each field
    const AVCodecContext *decoders[2]; ///< the threads that decode the fields, or NULL
    int claimed;             ///< the first field's thread uses the picture
};

typedef struct Reason {
    char text[128];
    uint64_t pictures;
} Reason;

/** Whether there is a device. */
enum {
    V3DOFF_PENDING,          ///< not yet
    V3DOFF_READY,
    V3DOFF_ABSENT            ///< no, and there will be none
};

/** A decoder with all its frame threads. It outlives the decoder while the program keeps frames. */
struct FFV3DoffContext {
    atomic_uint refs;
    atomic_uint users;       ///< number of the decoder's threads
    v3doff_policy *policy;
    v3doff_mode mode;        ///< after the environment was read
    v3doff_scope scope;      ///< after the environment was read
    FFV3DoffDebug debug;
    FFV3DoffDevice *opened;  ///< the device, which may still be opened; NULL: not looked for yet
    atomic_int state;        ///< V3DOFF_PENDING, V3DOFF_READY or V3DOFF_ABSENT
    v3doff_device *device;   ///< valid once state is V3DOFF_READY
    atomic_int suspended;    ///< ff_v3doff_suspend()
    atomic_uint frames;      ///< frames that were begun before there was a device
    atomic_int buffers_suit; ///< the device could work in the last frame's buffers
    AVFrame *held;           ///< with a delay: the frame that is handed out next; NULL: no delay
    AVFrame *spare;          ///< with a delay: takes a frame while held is exchanged
    FFV3DoffPicture *held_pic;    ///< reference to the picture of held, or NULL
    FFV3DoffPicture *decoded_pic; ///< reference to the picture of the frame just decoded, or NULL
    uint64_t held_back;      ///< number of frames that were held back
    atomic_uint awaited;     ///< number of pictures that a decoding thread waited for
    atomic_uint copied;      ///< number of frames that were copied into their stand-ins

    AVMutex mutex;           ///< for everything below
    v3doff_pool *pool;
    v3doff_pool_info pool_info; ///< what pool was made for
    AVBufferRef *drm_device; ///< of the program, which wants DRM_PRIME; NULL: it does not
    AVBufferRef *drm_frames; ///< what frames of the current size are handed out as
    atomic_int exports;      ///< there is a drm_device; read without the mutex, too
    atomic_int drm_failed;   ///< a warning about a frame without dma-buf was written
    FFV3DoffPicture *own;    ///< list of the pictures in libv3doff's memory
    struct Submission *submitted; ///< list of the submits that the decoder has not let go of
    atomic_int failure;      ///< v3doff_result; not V3DOFF_OK: the decoder does all further pictures
    uint64_t pictures[2];    ///< number of pictures: [0] on the CPU, [1] on the GPU
    uint64_t whole[2];       ///< those of them that the decoder only parsed
    uint64_t submits;        ///< number of submits to the GPU
    uint64_t idle;           ///< number of pictures without any work for libv3doff
    Reason reasons[MAX_REASONS]; ///< why pictures were done on the CPU
    uint64_t other_reasons;  ///< number of pictures with a reason that has no place above
};

/* ---- v3doff_vulkan.c: the program's Vulkan device, if CONFIG_VULKAN -------- */

typedef struct FFV3DoffLoan {
    AVBufferRef *lender;     ///< the program's AVHWDeviceContext; NULL: nothing is borrowed
    uint32_t family;         ///< both submit to the first queue of this family
} FFV3DoffLoan;

/**
 * Borrows the program's device. The loan must exist until the v3doff_device is destroyed.
 *
 * @return 0: lender is no Vulkan device, or libv3doff cannot use it, which is logged
 */
int ff_v3doff_borrow(void *logctx, AVBufferRef *lender, v3doff_mode mode, FFV3DoffLoan *loan,
                     v3doff_device **device);

/* ---- v3doff_device.c: the devices that the decoders of a process share ---- */

/** Lets libv3doff log through av_log() until ff_v3doff_log_end(). Calls nest. */
void ff_v3doff_log_begin(void);
void ff_v3doff_log_end(void);

/** Fills in the chroma format and the bit depth. @return 0: libv3doff does not know the format */
int ff_v3doff_fill_format(v3doff_pool_info *info, enum AVPixelFormat format);

/**
 * Lets the decoder use a device: the Vulkan device of avctx->hw_device_ctx, or one that
 * libv3doff opens itself.
 *
 * @param begin 0: only a device that is open already
 * @return NULL: there is none
 */
FFV3DoffDevice *ff_v3doff_device_ref(AVCodecContext *avctx, v3doff_mode mode, int begin);
void ff_v3doff_device_unref(FFV3DoffDevice *dev);
int ff_v3doff_device_is_lent(const FFV3DoffDevice *dev);

/**
 * @param families bits 1 << v3doff_family: the work that frames are to leave to the device
 * @param begin    begin to open the device and to compile what frames of the format need,
 *                 unless that has been done
 * @param wait     wait until the device is ready for such frames
 * @param device   set to NULL unless V3DOFF_READY is returned
 * @return V3DOFF_PENDING, V3DOFF_READY or V3DOFF_ABSENT
 */
int ff_v3doff_device_get(AVCodecContext *avctx, FFV3DoffDevice *dev, unsigned families, int begin,
                         int wait, v3doff_device **device);

/* ---- v3doff_context.c: what the threads of a decoder share ---------------- */

/** @return NULL: nothing is offloaded, or the process is a fork that has only a copy */
static inline FFV3DoffContext *ff_v3doff_context(const AVCodecContext *avctx)
{
    FFV3DoffContext *ctx = avctx->internal->v3doff;

    return ctx && !v3doff_process_was_forked() ? ctx : NULL;
}

static inline int ff_v3doff_ready(const FFV3DoffContext *ctx)
{
    return atomic_load_explicit(&ctx->state, memory_order_acquire) == V3DOFF_READY;
}

/** @return NULL: the options or the environment switch libv3doff off, or there is no memory */
FFV3DoffContext *ff_v3doff_context_alloc(const AVCodecContext *avctx,
                                         const FFV3DoffOptions *options);
FFV3DoffContext *ff_v3doff_context_ref(FFV3DoffContext *ctx);
void ff_v3doff_context_unref(FFV3DoffContext *ctx);

/** The name of a kind of memory, for messages. */
const char *ff_v3doff_memory_name(v3doff_memory_path path);

/**
 * Counts a picture that the CPU does.
 *
 * @param whole libv3doff was to reconstruct it
 * @return whether it is the decoder's first one
 */
int ff_v3doff_count_cpu_picture(FFV3DoffContext *ctx, int whole, const char *reason);

/** Counts a picture that libv3doff is done with. */
void ff_v3doff_count_done(FFV3DoffContext *ctx, int whole, const v3doff_picture_report *report);

/** Logs who did what. To be called when the last thread of the decoder is closed. */
void ff_v3doff_log_summary(AVCodecContext *avctx, FFV3DoffContext *ctx);

/* ---- v3doff_picture.c: frames and their states ---------------------------- */

/**
 * The states of a frame, in their order. Only ff_v3doff_move() changes them. A frame of two
 * fields passes through them twice. It can be open for the second field while libv3doff still
 * reconstructs the first one.
 */
enum FFV3DoffState {
    FF_V3DOFF_OPEN,          ///< the decoder records work, or does all work itself
    FF_V3DOFF_SUBMITTED,     ///< the decoder has handed the records to libv3doff
    FF_V3DOFF_DONE,          ///< the samples are final
};

/** Moves the picture to another state and wakes those that wait. Called with pic->mutex. */
void ff_v3doff_move(FFV3DoffPicture *pic, enum FFV3DoffState state);

FFV3DoffPicture *ff_v3doff_picture_alloc(FFV3DoffContext *ctx);
FFV3DoffPicture *ff_v3doff_picture_ref(FFV3DoffPicture *pic);

/** Takes the opaque pointer of FrameDecodeData. */
void ff_v3doff_picture_unref(void *pic);

/** Enters the picture into the list of those in libv3doff's memory, or takes it out. */
void ff_v3doff_add_own(FFV3DoffPicture *pic);
void ff_v3doff_remove_own(FFV3DoffPicture *pic);

/** @return reference; NULL: the frame's samples are not in libv3doff's memory */
FFV3DoffPicture *ff_v3doff_own_picture_of(FFV3DoffContext *ctx, const AVFrame *frame);

/** Returns whether libv3doff has the samples now. */
int ff_v3doff_is_under_way(const FFV3DoffPicture *pic);

/** Waits until libv3doff has given the samples back. @return whether that took any time */
int ff_v3doff_picture_wait(FFV3DoffPicture *pic);

/* ---- v3doff_submit.c: pictures under way ----------------------------------- */

enum FFV3DoffWait {
    FF_V3DOFF_WAIT_NONE,
    FF_V3DOFF_WAIT_OLDER,    ///< for all but the picture that was submitted last
    FF_V3DOFF_WAIT_ALL,
};

/** Lets go of the frames of pictures that are done. */
void ff_v3doff_drain(FFV3DoffContext *ctx, enum FFV3DoffWait wait);

/**
 * In a forked process: reports the progress of what only the parent completes, so that the
 * decoder does not wait for it. The context and its pictures are leaked.
 */
void ff_v3doff_abandon(FFV3DoffContext *ctx);

/* ---- v3doff_drm.c: frames that are handed out as DRM_PRIME ------------------ */

/** To be called when a frame in libv3doff's memory is allocated. */
void ff_v3doff_drm_start(FFV3DoffPicture *pic, const AVFrame *frame);

/** To be called when a frame is handed out and its samples are final. */
int ff_v3doff_drm_export(AVCodecContext *avctx, FFV3DoffPicture *pic, AVFrame *frame);

/* ---- v3doff_buffer.c: the memory of frames ----------------------------------- */

/**
 * Allocates samples in libv3doff's memory, like those of the frame.
 *
 * @param linesize that they must have, 0 where it does not matter; NULL: any
 * @param planes   gets their places
 */
AVBufferRef *ff_v3doff_alloc_samples(FFV3DoffContext *ctx, const AVFrame *frame,
                                     const int *linesize, v3doff_planes *planes);

/** Lets libv3doff work in the program's memory. @return 0: it cannot */
int ff_v3doff_work_in(FFV3DoffPicture *pic, const AVFrame *frame);

/** Returns whether the device could work in a frame that was just allocated without it. */
int ff_v3doff_suits(AVCodecContext *avctx, const AVFrame *frame);

#endif /* AVCODEC_V3DOFF_INTERNAL_H */
