/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stream is what a decoder has around its pictures: what the user wants, a device, which all
 * streams of the process share, a pool for the format of its pictures, a policy, and counts of who
 * did what.
 *
 *     v3doff_stream_create        once for each decoder, for all its threads
 *     v3doff_stream_open          before a picture gets memory; opens the device in the background
 *     v3doff_stream_open_picture  memory for a picture
 *     v3doff_stream_ask           before each picture is decoded, in decoding order
 *     v3doff_stream_done          when the picture's samples are final, from the device or the CPU;
 *                                 a submit can do that (v3doff_submit_info.stream)
 *     v3doff_stream_end           when the decoder ends: lines for its log
 *     v3doff_stream_destroy       when its last picture is closed
 *
 * The policy decides which work of each picture the device does. A decoder asks once for each
 * picture. The answer depends on what the user wants, on whether the device is open and works, and
 * on what the stream's pictures cost: their CPU time with the device and without it, and whether
 * the program waits for them. What was learned is kept for later streams (recipe.h).
 */
#ifndef V3DOFF_STREAM_H
#define V3DOFF_STREAM_H

#include "v3doff/device.h"
#include "v3doff/submit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of work. A picture has some of them. */
typedef enum v3doff_family V3DOFF_ENUM {
    V3DOFF_FAMILY_VP9_ITX = 0,
    V3DOFF_FAMILY_VP9_LOOPFILTER = 1,
    V3DOFF_FAMILY_H264_IDCT = 2,
    V3DOFF_FAMILY_H264_DEBLOCK = 3,
    V3DOFF_FAMILY_VP9_RECONSTRUCTION = 4,  /* whole pictures: v3doff/vp9_words.h */
    V3DOFF_FAMILY_H264_RECONSTRUCTION = 5, /* whole pictures: v3doff/h264_words.h */
    /* Whole pictures of intra blocks alone. A decoder that asks for one of these asks for the
     * reconstruction of its codec, too. */
    V3DOFF_FAMILY_VP9_INTRA = 6,
    V3DOFF_FAMILY_H264_INTRA = 7,
    V3DOFF_FAMILIES = 8
} v3doff_family;

typedef enum v3doff_codec V3DOFF_ENUM { V3DOFF_CODEC_VP9 = 0, V3DOFF_CODEC_H264 = 1 } v3doff_codec;

/* Which work of a picture the device does. */
typedef enum v3doff_scope V3DOFF_ENUM {
    V3DOFF_SCOPE_AUTO = 0,    /* only in a policy: reconstruction if possible, else filters */
    V3DOFF_SCOPE_FILTERS = 1, /* the decoder reconstructs, the device filters and transforms */
    V3DOFF_SCOPE_RECONSTRUCTION = 2, /* the decoder only parses */
    V3DOFF_SCOPE_NONE = 3            /* only an answer: the decoder does all work */
} v3doff_scope;

/* Thread-safety: any thread, any time; questions are answered in their order. */
typedef struct v3doff_stream v3doff_stream;

typedef struct v3doff_stream_info {
    size_t struct_size;
    v3doff_codec codec;
    v3doff_mode mode;   /* CPU: off. AUTO: the environment's V3DOFF (off, auto, force) */
    v3doff_scope scope; /* AUTO: V3DOFF_SCOPE (auto, filters, reconstruction) */
    uint32_t threads;   /* how many pictures the decoder decodes at the same time, 1 or more */
    /* How many threads work on a picture besides the one that asks, for example one for each slice.
     * CPU time is then that of the process, because it is not known which threads these are. */
    uint32_t helpers;
    /* Gets the lines of the library while there are streams that have it (v3doff_log_add). If a
     * device is opened that nobody asked for by name (AUTO), errors have the level INFO. NULL:
     * none. */
    v3doff_log_callback log;
    void *log_opaque;
    v3doff_log_level log_level;
} v3doff_stream_info;

/* OK, and *out is NULL: the settings switch the library off. This opens and loads nothing. */
V3DOFF_API v3doff_result v3doff_stream_create(v3doff_stream **out, const v3doff_stream_info *info);

/* The stream's settings. Those that were AUTO come from the environment. */
V3DOFF_API v3doff_result v3doff_stream_get_info(v3doff_stream *stream, v3doff_stream_info *info);

/*
 * Pictures go to this device, for example one that the program has lent (vulkan.h), and the library
 * opens none. v3doff_stream_destroy returns when nothing uses it for this stream any more.
 * NOT_READY: v3doff_stream_open has found another device before.
 */
V3DOFF_API v3doff_result v3doff_stream_lend(v3doff_stream *stream, v3doff_device *device);

typedef struct v3doff_stream_open_info {
    size_t struct_size;
    /* The format of the pictures that follow, for which shaders are compiled as
     * v3doff_device_info.prepare says. 0 bits: the library does not know the format. */
    uint32_t bit_depth;
    v3doff_chroma chroma;
    int32_t mbaff;
    /* Not 0: open the device, unless that has been done. 0: only a device that another stream has
     * opened is used. Programs probe streams before they decode them, and open no device then if
     * decoders begin after some pictures. */
    int32_t begin;
    /* Not 0: begin, and return when the device is open. The mode FORCE waits, too. */
    int32_t wait;
    /* Gets the line that says where the stream's pictures go, once, for the decoder's own log. */
    v3doff_log_callback line;
    void *opaque;
} v3doff_stream_open_info;

/*
 * OK: the device is open, and its shaders are compiled. NOT_READY: not yet; the CPU decodes
 * meanwhile. NO_DEVICE: there is none, and none is looked for again in this process. Once the
 * result is not NOT_READY, it stays.
 *
 * Drivers take up to half a second to open a device, and shaders seconds, so a thread of the
 * library does both, for which only `wait` waits. If the last stream is destroyed meanwhile, it
 * continues for a while, because a driver cannot be interrupted, and closes the device. exit()
 * waits for it. Where there is no GPU's device node, the mode AUTO starts no thread.
 */
V3DOFF_API v3doff_result v3doff_stream_open(v3doff_stream *stream,
                                            const v3doff_stream_open_info *info);

/* The last result of v3doff_stream_open, at once. */
V3DOFF_API v3doff_result v3doff_stream_state(v3doff_stream *stream);

/* The device's. NOT_READY: there is none, or it is not used any more. */
V3DOFF_API v3doff_result v3doff_stream_get_properties(v3doff_stream *stream,
                                                      v3doff_device_properties *properties);

/*
 * As v3doff_picture_open, from the stream's pool, which is made anew when the format changes.
 * Strides of 0 are any. NOT_READY: there is no device, or it is not used any more.
 */
V3DOFF_API v3doff_result v3doff_stream_open_picture(v3doff_stream *stream, v3doff_picture **out,
                                                    const v3doff_pool_info *format,
                                                    const v3doff_planes *planes);

typedef struct v3doff_policy_question {
    size_t struct_size;
    uint32_t width, height;
    /*
     * Bits 1 << V3DOFF_FAMILY_*: the work that the decoder could leave to the device; 0: the
     * picture has none. Reconstruction is possible only if pictures of this kind can be recorded
     * completely, and if all references of this one are pictures of the device.
     */
    uint32_t possible;
    int32_t awaited; /* not 0: later pictures may be predicted from it (nal_ref_idc,
                        refresh_frame_flags) */
    /* Why the decoder does this picture itself, whatever the policy says; NULL: it does not. The
     * answer may return this text as its reason, so it must stay valid. */
    const char *obstacle;
    uint32_t bit_depth; /* 0: 8 */
} v3doff_policy_question;

typedef struct v3doff_policy_answer {
    size_t struct_size;
    v3doff_scope scope; /* NONE, FILTERS or RECONSTRUCTION */
    uint32_t families;  /* the possible ones that the device does */
    int32_t counted;    /* not 0: v3doff_stream_done must follow; v3doff_picture_submit can do it */
    int32_t failed; /* not 0: the device is not used again; later pictures need no memory of it */
    int32_t alone; /* not 0: no other picture was being decoded; probably none waits for its rows */
    const char *reason; /* why NONE; NULL: the picture has no such work. The text stays valid. */
} v3doff_policy_answer;

/*
 * Decides which work of a picture the device does. The rules:
 * - With the mode CPU, the device does nothing. The same is true while the device is not open, if
 * it is bad, after eight failed pictures in a row, and if the question names an obstacle.
 * - The device reconstructs the picture if it can and the scope is not FILTERS. Otherwise it
 * filters.
 * - With the mode FORCE, that is all.
 * - With the mode AUTO, the CPU does the picture if that takes less CPU time, or if the program
 * takes pictures as fast as it gets them and gets them faster from the CPU. Then the device may
 * still do those pictures from which no other is predicted.
 * - With the mode AUTO, the scope AUTO and several pictures at the same time, the CPU does intra
 * pictures, unless the stream has many.
 * - What a person has written in the recipe goes before the last two.
 *
 * A decoder that calls it on the thread that then decodes the picture has its CPU time measured: to
 * the end of v3doff_picture_submit, or to v3doff_stream_done, on the same thread.
 */
V3DOFF_API v3doff_result v3doff_stream_ask(v3doff_stream *stream,
                                           const v3doff_policy_question *question,
                                           v3doff_policy_answer *answer);

/* executor: GPU; CPU if the device failed and the library did its work; NONE if the device had
 * none. */
V3DOFF_API v3doff_result v3doff_stream_done(v3doff_stream *stream, v3doff_executor executor);

/* The device is not used again: the reason of all further answers is this result's text. */
V3DOFF_API v3doff_result v3doff_stream_give_up(v3doff_stream *stream, v3doff_result why);

/* What is counted for the lines at the end, besides submits (v3doff_submit_info.stream). */
typedef enum v3doff_event V3DOFF_ENUM {
    V3DOFF_EVENT_CPU = 0,       /* the CPU does a picture; reason says why */
    V3DOFF_EVENT_CPU_WHOLE = 1, /* the same, and the device was to reconstruct it */
    V3DOFF_EVENT_IDLE = 2,      /* a picture had no work for the device */
    V3DOFF_EVENT_AWAITED = 3,   /* a thread of the decoder waited for a picture */
    V3DOFF_EVENT_COPIED = 4,    /* a reference was copied into the device's memory */
    V3DOFF_EVENT_HELD_BACK = 5, /* a frame is given out one later */
    V3DOFF_EVENTS = 6
} v3doff_event;

V3DOFF_API v3doff_result v3doff_stream_count(v3doff_stream *stream, v3doff_event event,
                                             const char *reason);

/*
 * Passes lines about who did what to the callback, for the decoder's own log: INFO, or DEBUG if
 * there was no device. No lines: there was no picture, or there is no device. With
 * V3DOFF_DEBUG=report=stderr it also writes lines that begin with "libv3doff report:" to standard
 * error, whatever the program does with its log. line may be NULL.
 */
V3DOFF_API v3doff_result v3doff_stream_end(v3doff_stream *stream, v3doff_log_callback line,
                                           void *opaque);

/* Pictures that are still open stay valid. */
V3DOFF_API void v3doff_stream_destroy(v3doff_stream **stream);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_STREAM_H */
