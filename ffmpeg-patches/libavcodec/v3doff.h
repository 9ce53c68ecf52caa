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

#ifndef AVCODEC_V3DOFF_H
#define AVCODEC_V3DOFF_H

/**
 * @file
 * A decoder calls ff_v3doff_init() when it is opened, and does this for each picture:
 *
 * ff_v3doff_open()            before it allocates the frame
 * ff_v3doff_frame_start()     once the frame has its buffers; NULL means that
 *                             this frame is decoded as without libv3doff
 * v3doff_<codec>_record_*()   while or after the samples are reconstructed
 * ff_v3doff_submit()          the last thing that touches the samples; done()
 *                             is called once they are final
 *
 * A frame that was submitted is waited for before it leaves libavcodec. The
 * decoder has to see to it that nothing else reads its samples earlier: by
 * reporting progress in done(), or with ff_v3doff_wait().
 *
 * Whatever the device reads or writes is held by an AVBufferRef until the device
 * is done with it. So a program that writes into frames that are writable, as
 * av_frame_is_writable() says, never changes what a picture is predicted from.
 *
 * In a process that was forked from one that had used a device, every function
 * here does as if the decoder had no device. Only the parent's device and threads
 * could complete what was under way.
 */

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"

#include "libavutil/buffer.h"
#include "libavutil/frame.h"
#include "libavutil/opt.h"

#include "avcodec.h"

/** What the decoder does itself where it could have recorded it. */
enum FFV3DoffKind {
    FF_V3DOFF_EDGES,
    FF_V3DOFF_BLOCKS,
    FF_V3DOFF_MACROBLOCKS,
    FF_V3DOFF_WHOLE, ///< pictures that are only parsed
    FF_V3DOFF_NB_KINDS
};

/** Part of the decoder's private context. */
typedef struct FFV3DoffOptions {
    int mode;  ///< v3doff_mode
    int scope; ///< v3doff_scope
    int delay; ///< without frame threads, frames may be returned one later
} FFV3DoffOptions;

/** Keys of V3DOFF_DEBUG that decoders use. */
typedef struct FFV3DoffDebug {
    int band_rows;      ///< rows of superblocks or macroblocks; 0: whole pictures; -1: not set
    int vp9_transforms; ///< 0: none, 1: large, 2: all
    int vp9_passes;     ///< 0: not set
    int open_wait;      ///< the device is waited for before the first picture
    int report;         ///< a line about each decoder is written when it is closed
} FFV3DoffDebug;

typedef struct FFV3DoffPicture FFV3DoffPicture;

#if CONFIG_LIBV3DOFF

#include <v3doff/policy.h>
#include <v3doff/v3doff.h>

#define FF_V3DOFF_OPTIONS(offset, flags)                                                     \
    { "v3doff", "Leave work on whole frames to a Vulkan device",                             \
      (offset) + offsetof(FFV3DoffOptions, mode),                                            \
      AV_OPT_TYPE_INT, { .i64 = V3DOFF_MODE_AUTO }, V3DOFF_MODE_AUTO, V3DOFF_MODE_CPU,       \
      (flags), .unit = "v3doff" },                                                           \
    { "off",   "decode on the CPU", 0,                                                       \
      AV_OPT_TYPE_CONST, { .i64 = V3DOFF_MODE_CPU },   0, 0, (flags), .unit = "v3doff" },    \
    { "auto",  "use a GPU where that saves CPU time", 0,                                     \
      AV_OPT_TYPE_CONST, { .i64 = V3DOFF_MODE_AUTO },  0, 0, (flags), .unit = "v3doff" },    \
    { "force", "use any Vulkan device, including software devices", 0,                       \
      AV_OPT_TYPE_CONST, { .i64 = V3DOFF_MODE_FORCE }, 0, 0, (flags), .unit = "v3doff" },    \
    { "v3doff_delay", "Without frame threads, return each frame one later, so that the next "\
      "one is parsed while the Vulkan device reconstructs it",                               \
      (offset) + offsetof(FFV3DoffOptions, delay), AV_OPT_TYPE_BOOL, { .i64 = 0 }, 0, 1,     \
      (flags) }

/** For decoders that can leave the reconstruction of whole frames to libv3doff. */
#define FF_V3DOFF_SCOPE_OPTION(offset, flags)                                                \
    { "v3doff_scope", "How much of a frame the Vulkan device does",                          \
      (offset) + offsetof(FFV3DoffOptions, scope), AV_OPT_TYPE_INT,                          \
      { .i64 = V3DOFF_SCOPE_AUTO }, V3DOFF_SCOPE_AUTO, V3DOFF_SCOPE_RECONSTRUCTION,          \
      (flags), .unit = "v3doff_scope" },                                                     \
    { "auto",    "whichever saves more CPU time", 0, AV_OPT_TYPE_CONST,                      \
      { .i64 = V3DOFF_SCOPE_AUTO }, 0, 0, (flags), .unit = "v3doff_scope" },                 \
    { "filters", "the loop filter and large transforms", 0, AV_OPT_TYPE_CONST,               \
      { .i64 = V3DOFF_SCOPE_FILTERS }, 0, 0, (flags), .unit = "v3doff_scope" },              \
    { "reconstruction", "everything but parsing", 0, AV_OPT_TYPE_CONST,                      \
      { .i64 = V3DOFF_SCOPE_RECONSTRUCTION }, 0, 0, (flags), .unit = "v3doff_scope" }

/**
 * The decoder is opened: read the options and the environment. Nothing is loaded
 * and no device is opened yet. Not for the copies that frame threads have, which
 * share what the first one made.
 */
void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options);

/** Never NULL. */
const FFV3DoffDebug *ff_v3doff_debug(const AVCodecContext *avctx);

/**
 * To be called before each frame is allocated. In mode auto, the device is opened
 * in the background once a stream has had enough frames. Frames are decoded
 * without it until a call has found it.
 */
void ff_v3doff_open(AVCodecContext *avctx);

/**
 * In place of ff_get_format(). If the user asked for DRM_PRIME, the program gave a
 * DRM device and frames lie in dma-bufs, DRM_PRIME is offered before the software
 * format. If the program chooses it, the decoder goes on with the software format,
 * which is returned, and libavcodec hands out DRM_PRIME.
 */
enum AVPixelFormat ff_v3doff_get_format(AVCodecContext *avctx,
                                        const enum AVPixelFormat *choices);

/** What avcodec_get_hw_config() says of that. */
extern const struct AVCodecHWConfigInternal ff_v3doff_drm_config;

/** Returns whether avcodec_get_hw_config() leaves this entry out: nobody asked for DRM_PRIME. */
int ff_v3doff_hides(const struct AVCodecHWConfigInternal *config);

/** Are frames handed out as DRM_PRIME? Then the program's get_buffer2() is not asked. */
int ff_v3doff_exports(const AVCodecContext *avctx);

/**
 * While frames are handed out as DRM_PRIME, the program finds that in
 * AVCodecContext.pix_fmt, and the software format in sw_pix_fmt. The decoder works
 * with the software format. To be called before and after it decodes.
 *
 * @param frame what it returned, which can be empty
 */
void ff_v3doff_hide_format(AVCodecContext *avctx);
void ff_v3doff_show_format(AVCodecContext *avctx, const AVFrame *frame);

/** To be called once a frame has its buffers and its decode data. */
void ff_v3doff_attach(AVCodecContext *avctx, AVFrame *frame);

/** To be called in update_thread_context(). */
void ff_v3doff_update_thread_context(AVCodecContext *dst, const AVCodecContext *src);

/** Drop what is no longer needed, without waiting. */
void ff_v3doff_flush(AVCodecContext *avctx);

/** Waits for everything under way; logs who did what when it is the last user. */
void ff_v3doff_close(AVCodecContext *avctx);

/**
 * Called by avcodec_default_get_buffer2().
 *
 * @param linesize of buffers allocated as usual. Ours have the same: motion
 *                 compensation of H.264 takes all references of a picture to
 *                 have its own, and who allocates can change between two frames.
 * @return AVERROR(ENOSYS): allocate as usual
 */
int ff_v3doff_get_buffer(AVCodecContext *avctx, AVFrame *frame, const int linesize[4]);

/**
 * What of this picture, a frame or a field, is the device's? To be asked once a
 * picture, before anything of it is recorded.
 *
 * @param possible bits 1 << v3doff_family: what the decoder could leave to it
 * @param awaited  others may be predicted from it
 * @param answer   with families, the reason where it is the decoder's own, and
 *                 whether ff_v3doff_measure() is wanted
 */
v3doff_scope ff_v3doff_ask(AVCodecContext *avctx, unsigned possible, int awaited,
                           v3doff_policy_answer *answer);

/** Returns whether the answer can be reconstruction. If not, the caller can skip the checks for it. */
int ff_v3doff_may_reconstruct(const AVCodecContext *avctx);

/** Lets the decoder's own functions be measured, for the next time. */
void ff_v3doff_measure(AVCodecContext *avctx, v3doff_tune_info *tune);

/**
 * Was no other picture of this decoder, and its frame threads, under way at
 * ff_v3doff_ask()? Then it is probable that nobody will wait for its rows.
 */
int ff_v3doff_alone(const AVCodecContext *avctx);

/** To be called when the decoder has done its part of any picture. */
void ff_v3doff_turn_over(AVCodecContext *avctx);

/**
 * @param unsupported NULL, or why this frame cannot be offloaded
 * @return owned by the frame; NULL: decode on the CPU
 */
FFV3DoffPicture *ff_v3doff_frame_start(AVCodecContext *avctx, AVFrame *frame,
                                       const char *unsupported);

/** Count a frame that has no work for libv3doff. */
void ff_v3doff_frame_idle(AVCodecContext *avctx);

/**
 * The decoder's samples are, or are no longer, such as its own functions may
 * filter otherwise than the device does: beyond the bit depth. Meanwhile
 * nothing is offloaded; who has a picture under way asks whether that is so.
 */
void ff_v3doff_suspend(AVCodecContext *avctx, int suspend);
int ff_v3doff_suspended(const AVCodecContext *avctx);

/**
 * The samples of a frame, if they are in libv3doff's own memory. While this
 * reference exists, nobody else may write to them.
 *
 * @return NULL: they are in other memory, or there is no memory for a reference
 */
AVBufferRef *ff_v3doff_samples_ref(AVCodecContext *avctx, const AVFrame *frame);

/** The picture in such samples. It exists as long as they do. */
FFV3DoffPicture *ff_v3doff_picture_in(const AVBufferRef *samples);

/** Are a frame's samples in libv3doff's own memory? */
int ff_v3doff_own(AVCodecContext *avctx, const AVFrame *frame);

/**
 * The state of a frame that is only parsed, and reconstructed by libv3doff. A
 * decoder that needs its motion vectors waits for rows. A decoder that predicts
 * from it waits until it is submitted. Begins before the next frame does.
 */
#define FF_V3DOFF_SUBMITTED INT_MAX
void ff_v3doff_parse_begin(FFV3DoffPicture *pic);
void ff_v3doff_parse_report(FFV3DoffPicture *pic, int rows);
void ff_v3doff_parse_end(FFV3DoffPicture *pic);
/** The decoder reconstructs the rest of it: there is nothing to wait for here any more. */
void ff_v3doff_parse_abandon(FFV3DoffPicture *pic);
/** @return 0: it is no such frame */
int ff_v3doff_parse_await(FFV3DoffPicture *pic, int rows);

/** For the record functions of libv3doff. */
v3doff_picture *ff_v3doff_handle(FFV3DoffPicture *pic);

/** Count work that went into the picture's records, or not. */
void ff_v3doff_count(FFV3DoffPicture *pic, enum FFV3DoffKind kind, int recorded, uint64_t nb);

/**
 * The decoder does the rest of this picture itself. Nothing that was recorded
 * and not yet taken back may be missing from the samples.
 */
void ff_v3doff_drop(FFV3DoffPicture *pic, const char *reason);

/**
 * Start what was recorded. opaque holds the frame until release() is called,
 * which happens on a thread of the decoder some time after done(), which is
 * called on any thread. When this fails neither is called.
 *
 * @param samples what the picture is predicted from; NULL entries are left out.
 *                They are held until the device has read them.
 */
int ff_v3doff_submit(AVCodecContext *avctx, FFV3DoffPicture *pic,
                     AVBufferRef *const *samples, int nb_samples,
                     void (*done)(void *opaque), void (*release)(void *opaque),
                     void *opaque);

/**
 * Start what was recorded of the rows above row_end while those below are
 * still being reconstructed, see v3doff_picture_submit_rows(). opaque must be
 * that of ff_v3doff_submit(), which has to follow.
 *
 * @return 1: these rows are under way; 0: they have to wait for the rest of the
 *         picture, and nothing has happened, as with an error
 */
int ff_v3doff_submit_rows(FFV3DoffPicture *pic, int row_end, v3doff_rows_callback done,
                          void *opaque);

/**
 * The decoder does the rest of a picture whose first rows were submitted. Waits
 * for these. What was recorded of the rest is gone, and opaque is not used any more.
 */
void ff_v3doff_end_rows(FFV3DoffPicture *pic);

/**
 * For the second field of a frame: waits for the first one, and opens the
 * picture once more.
 */
int ff_v3doff_reopen(FFV3DoffPicture *pic);

/** Was ff_v3doff_submit() successful for this picture? */
int ff_v3doff_submitted(const FFV3DoffPicture *pic);

/** Wait until the samples of a frame are final. */
int ff_v3doff_wait(void *logctx, const AVFrame *frame);

/** Wait until everything submitted is done: also for what is predicted from a frame. */
void ff_v3doff_wait_all(AVCodecContext *avctx);

/**
 * Called for a frame that is complete but for its samples. If the caller asked for
 * a delay, each frame is exchanged for the one before, from the first one on.
 *
 * @param ret of the decoder; frame is its frame, or that of the call before
 * @return another frame is to be decoded first
 */
int ff_v3doff_hold_back(AVCodecContext *avctx, AVFrame *frame, int *ret);

/** Is the next frame parsed while this one is reconstructed? */
int ff_v3doff_delays(const AVCodecContext *avctx);

#else

#define ff_v3doff_get_format(avctx, choices) ff_get_format(avctx, choices)
static inline int ff_v3doff_hides(const struct AVCodecHWConfigInternal *config) { return 0; }
static inline void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options) { }
static inline void ff_v3doff_open(AVCodecContext *avctx) { }
static inline int ff_v3doff_exports(const AVCodecContext *avctx) { return 0; }
static inline void ff_v3doff_hide_format(AVCodecContext *avctx) { }
static inline void ff_v3doff_show_format(AVCodecContext *avctx, const AVFrame *frame) { }
static inline void ff_v3doff_attach(AVCodecContext *avctx, AVFrame *frame) { }
static inline void ff_v3doff_update_thread_context(AVCodecContext *dst,
                                                   const AVCodecContext *src) { }
static inline void ff_v3doff_flush(AVCodecContext *avctx) { }
static inline void ff_v3doff_close(AVCodecContext *avctx) { }
static inline int ff_v3doff_get_buffer(AVCodecContext *avctx, AVFrame *frame,
                                       const int linesize[4])
{
    return AVERROR(ENOSYS);
}
static inline int ff_v3doff_wait(void *logctx, const AVFrame *frame) { return 0; }
static inline void ff_v3doff_wait_all(AVCodecContext *avctx) { }
static inline int ff_v3doff_hold_back(AVCodecContext *avctx, AVFrame *frame, int *ret)
{
    return 0;
}

#endif /* CONFIG_LIBV3DOFF */

#endif /* AVCODEC_V3DOFF_H */
