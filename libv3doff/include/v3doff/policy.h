/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy decides which work of each picture the device does. A decoder asks once for each
 * picture. The answer depends on what the user wants, on whether the device is open and works, and
 * on what the stream's pictures cost: their CPU time with the device and without it, and whether
 * the program waits for them. What was learned is kept for later streams (recipe.h).
 *
 *     v3doff_policy_create     once for each decoder, for all its threads
 *     v3doff_policy_ask        before each picture, in decoding order
 *     v3doff_policy_done       when the picture's samples are final, from the device or the CPU; a
 *                              submit can do that (v3doff_submit_info.policy)
 *     v3doff_policy_destroy
 */
#ifndef V3DOFF_POLICY_H
#define V3DOFF_POLICY_H

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
typedef struct v3doff_policy v3doff_policy;

typedef struct v3doff_policy_info {
    size_t struct_size;
    v3doff_codec codec;
    v3doff_mode mode;   /* CPU: off. AUTO: the environment's V3DOFF (off, auto, force) */
    v3doff_scope scope; /* AUTO: V3DOFF_SCOPE (auto, filters, reconstruction) */
    uint32_t threads;   /* how many pictures the decoder decodes at the same time, 1 or more */
    /* How many threads work on a picture besides the one that asks, for example one for each slice.
     * CPU time is then that of the process, because it is not known which threads these are. */
    uint32_t helpers;
} v3doff_policy_info;

V3DOFF_API v3doff_result v3doff_policy_create(v3doff_policy **out, const v3doff_policy_info *info);

/* The policy's settings. Those that were AUTO come from the environment. */
V3DOFF_API v3doff_result v3doff_policy_get_info(v3doff_policy *policy, v3doff_policy_info *info);

typedef struct v3doff_policy_question {
    size_t struct_size;
    v3doff_device *device; /* NULL: not open yet */
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
    int32_t counted;    /* not 0: v3doff_policy_done must follow; v3doff_picture_submit can do it */
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
 * the end of v3doff_picture_submit, or to v3doff_policy_done, on the same thread.
 */
V3DOFF_API v3doff_result v3doff_policy_ask(v3doff_policy *policy,
                                           const v3doff_policy_question *question,
                                           v3doff_policy_answer *answer);

/* executor: GPU; CPU if the device failed and the library did its work; NONE if the device had
 * none. */
V3DOFF_API v3doff_result v3doff_policy_done(v3doff_policy *policy, v3doff_executor executor);

V3DOFF_API void v3doff_policy_destroy(v3doff_policy **policy);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_POLICY_H */
