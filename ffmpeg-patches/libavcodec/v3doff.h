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
 * What the H.264 and VP9 decoders share in order to leave work to a Vulkan device (GPU) through
 * libv3doff. A decoder leaves either the loop filter and some transforms of a picture to it, or its
 * whole reconstruction. A picture of the second kind is called *whole*: the decoder only parses it.
 * In both cases the decoder does not do the work but records it in a v3doff_picture.
 *
 * A decoder calls ff_v3doff_init() when it is opened, and these functions for each picture:
 *
 * ff_v3doff_open()            before it allocates the frame
 * ff_v3doff_ask()             once it knows which work it could leave to the device
 * ff_v3doff_frame_start()     once the frame has its buffers; NULL means that the decoder
 *                             does all work of this frame itself
 * v3doff_<codec>_record_*()   functions of libv3doff, while or after the decoder works on the samples
 * ff_v3doff_submit_rows()     optional: hands over a *band*, the work of the rows that are recorded so far
 * ff_v3doff_submit()          hands over the rest of the work; the decoder touches no sample any
 *                             more, and libv3doff calls done() once all samples are final
 * ff_v3doff_turn_over()       when it is done with the picture, submitted or not
 *
 * Before a submitted frame leaves libavcodec, libavcodec waits for it. Inside the decoder,
 * nothing may read the samples earlier. The decoder ensures that: it reports progress in
 * done(), or it calls ff_v3doff_wait().
 *
 * AVBufferRefs hold what the device reads or writes until the device is done with it. So a
 * program that only writes to frames for which av_frame_is_writable() returns 1 never changes
 * samples that other frames are predicted from.
 *
 * A process that was forked after a device was opened has neither the device nor the threads that
 * complete submitted pictures. There, every function behaves as if libv3doff were off.
 */

#include <stddef.h>
#include <stdint.h>

#include "config.h"

#include "libavutil/buffer.h"
#include "libavutil/frame.h"
#include "libavutil/opt.h"

#include "avcodec.h"

/** The user's options, part of the decoder's private context. */
typedef struct FFV3DoffOptions {
    int mode;  ///< v3doff_mode: whether to use a device, and which
    int scope; ///< v3doff_scope: the loop filter, or the whole reconstruction
    int delay; ///< without frame threads, the decoder may return frames one later
} FFV3DoffOptions;

/** What the environment variable V3DOFF_DEBUG sets, for measurements. */
typedef struct FFV3DoffDebug {
    int band_rows;      ///< rows of superblocks or macroblocks in a band; 0: no bands; -1: not set
    int vp9_transforms; ///< V3DOFF_NO_TRANSFORMS, V3DOFF_LARGE_TRANSFORMS or V3DOFF_ALL_TRANSFORMS
    int vp9_passes;     ///< the number of passes over a frame; 0: not set
    int open_wait;      ///< the first picture waits for the device
} FFV3DoffDebug;

typedef struct FFV3DoffPicture FFV3DoffPicture;
struct AVCodecHWConfigInternal;

#if CONFIG_LIBV3DOFF

#include <v3doff/stream.h>
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
      (flags) },                                                                             \
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

/* ---- The decoder and its device -------------------------------------------- */

/**
 * Reads the options and the environment when the decoder is opened. This opens no device and
 * loads nothing. The copies of the decoder for frame threads get what the first one made from
 * ff_v3doff_update_thread_context().
 */
void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options);

const FFV3DoffDebug *ff_v3doff_debug(const AVCodecContext *avctx);

/**
 * To be called before each frame is allocated. With the mode auto, it begins to open the
 * device in the background once a stream has had enough frames. The CPU decodes until a call
 * finds the device open.
 *
 * @param wait open the device now, and return when it is open
 */
void ff_v3doff_open(AVCodecContext *avctx, int wait);

/** To be called in update_thread_context(). */
void ff_v3doff_update_thread_context(AVCodecContext *dst, const AVCodecContext *src);

/** To be called when the decoder is flushed. Does not wait for the device. */
void ff_v3doff_flush(AVCodecContext *avctx);

/**
 * To be called when the decoder, or its copy for a frame thread, is closed. Waits for everything that
 * was submitted. The last call logs how many pictures the device did.
 */
void ff_v3doff_close(AVCodecContext *avctx);

/**
 * Error concealment can leave samples that exceed the bit depth. The device may treat these
 * differently from the decoder's own functions. From ff_v3doff_suspend(avctx, 1) on, all threads of
 * the decoder should leave nothing to the device, also of pictures that they have begun.
 * ff_v3doff_suspend(avctx, 0) ends that.
 */
void ff_v3doff_suspend(AVCodecContext *avctx, int suspend);
int ff_v3doff_suspended(const AVCodecContext *avctx);

/* ---- The memory of frames ----------------------------------------------------- */

/**
 * Allocates a frame for avcodec_default_get_buffer2() in memory that the device shares.
 *
 * @param linesize of FFmpeg's own buffers. An H.264 frame gets the same, because motion
 *                 compensation expects that a picture and its references have one linesize,
 *                 and the next frame may have one of FFmpeg's buffers.
 * @return AVERROR(ENOSYS): allocate one of FFmpeg's own buffers
 */
int ff_v3doff_get_buffer(AVCodecContext *avctx, AVFrame *frame, const int linesize[4]);

/** To be called once a frame has its buffers and its FrameDecodeData, which then holds a picture. */
void ff_v3doff_attach(AVCodecContext *avctx, AVFrame *frame);

/** Returns whether ff_v3doff_get_buffer() has allocated a frame. */
int ff_v3doff_own(const AVFrame *frame);

/** Returns whether libv3doff can predict from a frame: ff_v3doff_samples_ref() works. */
int ff_v3doff_has_samples(const AVFrame *frame);

/**
 * Returns a reference to a frame's samples in libv3doff's memory. If the frame is in other memory,
 * these are those of a copy, the *stand-in*, which the frame keeps for later pictures. Nobody may write
 * to the samples while the reference exists.
 *
 * @return NULL: there is no memory
 */
AVBufferRef *ff_v3doff_samples_ref(const AVFrame *frame);

/** Returns the picture that has such samples. It exists as long as they do. */
FFV3DoffPicture *ff_v3doff_picture_in(const AVBufferRef *samples);

/**
 * Waits until a frame is final, and fills its stand-in, if samples are those of one and it is not
 * filled yet. The decoder itself must have finished its work on the frame. A reference that is
 * submitted needs no call, because the device does one picture after the other.
 */
void ff_v3doff_await_samples(const AVFrame *frame, const AVBufferRef *samples);

/* ---- Frames that are handed out as DRM_PRIME ------------------------------------ */

/**
 * To be called instead of ff_get_format(). It offers DRM_PRIME before the software format if
 * the user asked for that, the program gave a DRM device, and frames lie in dma-bufs. If the
 * program chooses DRM_PRIME, the function returns the software format, with which the decoder
 * works. libavcodec converts the frames that it hands out.
 */
enum AVPixelFormat ff_v3doff_get_format(AVCodecContext *avctx,
                                        const enum AVPixelFormat *choices);

/** The entry of avcodec_get_hw_config() for DRM_PRIME. */
extern const struct AVCodecHWConfigInternal ff_v3doff_drm_config;

/** Returns whether avcodec_get_hw_config() hides this entry, because nobody asked for DRM_PRIME. */
int ff_v3doff_hides(const struct AVCodecHWConfigInternal *config);

/** Returns whether frames are handed out as DRM_PRIME. The program's get_buffer2() is not used then. */
int ff_v3doff_exports(const AVCodecContext *avctx);

/**
 * To be called before and after the decoder decodes. Between these calls, AVCodecContext.pix_fmt is
 * the software format. While frames are handed out as DRM_PRIME, the program finds DRM_PRIME there,
 * and the software format in sw_pix_fmt.
 *
 * @param frame what the decoder returned; it can be empty
 */
void ff_v3doff_hide_format(AVCodecContext *avctx);
void ff_v3doff_show_format(AVCodecContext *avctx, const AVFrame *frame);

/* ---- Who does a picture ----------------------------------------------------------- */

/**
 * Asks which work of this picture, a frame or a field, the device does. To be called once
 * for each picture, before the decoder records anything.
 *
 * @param possible bits 1 << v3doff_family: the work that the decoder could leave to the device
 * @param awaited  other pictures may be predicted from this one
 * @param obstacle why the decoder must do this picture itself, or NULL
 * @param answer   see v3doff_stream_ask(); reason is the text for ff_v3doff_frame_start()
 * @return V3DOFF_SCOPE_RECONSTRUCTION: the picture is whole; V3DOFF_SCOPE_FILTERS: the device filters it
 *         and does answer->families; V3DOFF_SCOPE_NONE: the decoder does all work
 */
v3doff_scope ff_v3doff_ask(AVCodecContext *avctx, unsigned possible, int awaited,
                           const char *obstacle, v3doff_policy_answer *answer);

/** Returns whether the answer can be V3DOFF_SCOPE_RECONSTRUCTION. If not, the checks for it can be skipped. */
int ff_v3doff_may_reconstruct(const AVCodecContext *avctx);

/**
 * To be called when the decoder has done its part of a picture, whoever does the rest: libv3doff
 * stops counting the picture as one that is being decoded, unless a submit does that.
 */
void ff_v3doff_turn_over(AVCodecContext *avctx);

/**
 * Gets a frame's picture ready to record work.
 *
 * @param reason why the decoder does this frame itself, or NULL
 * @return owned by the frame; NULL: the decoder does all work of the frame
 */
FFV3DoffPicture *ff_v3doff_frame_start(AVCodecContext *avctx, AVFrame *frame,
                                       const char *reason);

/** Counts a frame that has no work for libv3doff. */
void ff_v3doff_frame_idle(AVCodecContext *avctx);

/* ---- Recording and submitting ------------------------------------------------------- */

/** Returns libv3doff's handle, for its record functions. */
v3doff_picture *ff_v3doff_handle(FFV3DoffPicture *pic);

/**
 * Makes a frame or field whole: the decoder will only parse it. To be called before another thread
 * begins with the next one. No row of it is parsed yet.
 *
 * @param field here and below: 1 for a bottom field that is a picture of its own, otherwise 0
 */
void ff_v3doff_begin_whole(FFV3DoffPicture *pic, int field);

/**
 * Gives up a picture: the decoder does the rest. This waits for rows that were submitted
 * (ff_v3doff_submit_rows()), whose opaque is not used any more afterwards, and discards the other
 * records. The decoder must have taken back all transforms that were recorded and are missing from
 * the samples.
 */
void ff_v3doff_drop(FFV3DoffPicture *pic, const char *reason);

/**
 * Hands the recorded work over. opaque must hold the frame until release() is called. libv3doff
 * calls done() on any thread. A thread of the decoder calls release() some time later. If the
 * function fails, neither is called.
 *
 * @param samples what the picture is predicted from (ff_v3doff_samples_ref()); NULL entries are ignored.
 *                References are held until the device has read the samples.
 */
int ff_v3doff_submit(AVCodecContext *avctx, FFV3DoffPicture *pic,
                     AVBufferRef *const *samples, int nb_samples,
                     void (*done)(void *opaque), void (*release)(void *opaque),
                     void *opaque);

/**
 * Hands over a band: the recorded work of the rows of samples above row_end, while the decoder still
 * reconstructs those below; see v3doff_picture_submit_rows(). ff_v3doff_submit() must follow, with
 * the same opaque, or ff_v3doff_drop().
 *
 * @return 1: these rows are submitted; 0: nothing has happened, because these rows have to wait
 *         for the rest of the picture; an error: nothing has happened
 */
int ff_v3doff_submit_rows(FFV3DoffPicture *pic, int row_end, v3doff_rows_callback done,
                          void *opaque);

/**
 * Makes a frame's picture ready for the second field. Waits until the first field is final, unless
 * both are whole: the device does one after the other.
 */
int ff_v3doff_reopen(FFV3DoffPicture *pic, int whole);

/** Returns whether ff_v3doff_submit() was successful, and ff_v3doff_reopen() did not follow. */
int ff_v3doff_submitted(const FFV3DoffPicture *pic);

/* ---- Waiting for frames ---------------------------------------------------------------- */

/** Waits until the samples of a frame are final. */
void ff_v3doff_wait(const AVFrame *frame);

/** Waits until all submitted pictures of the decoder are final. */
void ff_v3doff_wait_all(AVCodecContext *avctx);

/**
 * Reports how many rows of superblocks or macroblocks of a whole frame or field are parsed.
 * ff_v3doff_submit() reports INT_MAX, and ff_v3doff_drop() -1.
 *
 * @param rows -1: it is not whole any more. Threads that wait for rows return.
 */
void ff_v3doff_report_parsed(FFV3DoffPicture *pic, int field, int rows);

/**
 * Waits until rows of a whole frame or field are parsed, and their motion vectors known.
 *
 * @param rows INT_MAX: until it is submitted. A picture predicted from it may be submitted then, because
 *             the device does one picture after the other.
 * @return 0: it is not whole; wait for FFmpeg's own progress
 */
int ff_v3doff_await_parsed(FFV3DoffPicture *pic, int field, int rows);

/**
 * H.264 without frame threads: the last final row of samples of a frame, or of one of its fields, as
 * for ff_thread_report_progress(), which only works with frame threads. INT_MAX: all rows, as in the
 * beginning.
 */
void ff_v3doff_report_final(FFV3DoffPicture *pic, int field, int row);
int ff_v3doff_is_final(const FFV3DoffPicture *pic, int field, int row);
void ff_v3doff_await_final(FFV3DoffPicture *pic, int field, int row);

/**
 * With frame threads, two threads decode the fields of a frame into one picture. Between begin and
 * end, only the thread of the first field may use the picture. The thread of the second field waits
 * for the end.
 *
 * @return a reference to the picture, which ff_v3doff_end_first_field() frees and sets to NULL
 */
FFV3DoffPicture *ff_v3doff_begin_first_field(FFV3DoffPicture *pic);
void ff_v3doff_end_first_field(FFV3DoffPicture **pic);
void ff_v3doff_await_first_field(FFV3DoffPicture *pic);

/** With frame threads: the thread that decodes a field (0: the top field). NULL: none has begun. */
void ff_v3doff_set_decoder(FFV3DoffPicture *pic, int field, const AVCodecContext *avctx);
const AVCodecContext *ff_v3doff_decoder(const FFV3DoffPicture *pic, int field);

/* ---- Frames that are returned one later ------------------------------------------------ */

/**
 * To be called when a frame is about to leave libavcodec, also if there is none (*ret). If the program
 * asked for a delay, this keeps the frame and returns the one kept before.
 *
 * @param frame the decoder's frame; the earlier frame afterwards
 * @param ret   what the decoder returned; what to return afterwards
 * @return 1: there is no earlier frame, so the decoder must decode another one first
 */
int ff_v3doff_hold_back(AVCodecContext *avctx, AVFrame *frame, int *ret);

/** Returns whether frames are held back, so that the next one is parsed meanwhile. */
int ff_v3doff_delays(const AVCodecContext *avctx);

#else

#define ff_v3doff_get_format(avctx, choices) ff_get_format(avctx, choices)
static inline int ff_v3doff_hides(const struct AVCodecHWConfigInternal *config) { return 0; }
static inline void ff_v3doff_init(AVCodecContext *avctx, const FFV3DoffOptions *options) { }
static inline void ff_v3doff_open(AVCodecContext *avctx, int wait) { }
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
static inline void ff_v3doff_wait(const AVFrame *frame) { }
static inline void ff_v3doff_wait_all(AVCodecContext *avctx) { }
static inline void ff_v3doff_await_final(FFV3DoffPicture *pic, int field, int row) { }
static inline int ff_v3doff_hold_back(AVCodecContext *avctx, AVFrame *frame, int *ret)
{
    return 0;
}

#endif /* CONFIG_LIBV3DOFF */

#endif /* AVCODEC_V3DOFF_H */
