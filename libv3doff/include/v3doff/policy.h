/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy: what of each picture is the device's. A decoder asks one question a picture, and the answer
 * takes into account what the user wants, whether the device is open and works, what the recipe says
 * (recipe.h), and whether pictures are wanted faster than they come from the device.
 *
 *     v3doff_policy_create     once a decoder, for all its threads
 *     v3doff_policy_ask        when it begins with a picture, in decoding order
 *     v3doff_policy_done       when the picture's samples are final, whoever made them
 *     v3doff_policy_destroy
 */
#ifndef V3DOFF_POLICY_H
#define V3DOFF_POLICY_H

#include "v3doff/recipe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_codec V3DOFF_ENUM {
    V3DOFF_CODEC_VP9 = 0,
    V3DOFF_CODEC_H264 = 1
} v3doff_codec;

/* What of a picture is done on the device. */
typedef enum v3doff_scope V3DOFF_ENUM {
    V3DOFF_SCOPE_AUTO = 0,           /* wanted: what pays; no answer */
    V3DOFF_SCOPE_FILTERS = 1,        /* the decoder reconstructs, the device filters and transforms */
    V3DOFF_SCOPE_RECONSTRUCTION = 2, /* the decoder only parses */
    V3DOFF_SCOPE_NONE = 3            /* an answer: the decoder makes the picture itself */
} v3doff_scope;

/* Thread-safety: any thread, any time; questions are answered in the order in which they come. */
typedef struct v3doff_policy v3doff_policy;

typedef struct v3doff_policy_info {
    size_t struct_size;
    v3doff_codec codec;
    v3doff_mode mode;   /* CPU: off. AUTO: what the environment's V3DOFF says (off, auto, force) */
    v3doff_scope scope; /* AUTO: what V3DOFF_SCOPE says (auto, filters, reconstruction) */
    uint32_t threads;   /* pictures that the decoder decodes at once, 1 or more */
} v3doff_policy_info;

V3DOFF_API v3doff_result v3doff_policy_create(v3doff_policy **out, const v3doff_policy_info *info);

/* What is wanted, by who made the policy or else by the environment. */
V3DOFF_API v3doff_result v3doff_policy_get_info(v3doff_policy *policy, v3doff_policy_info *info);

typedef struct v3doff_policy_question {
    size_t struct_size;
    v3doff_device *device; /* NULL: it is not open yet */
    uint32_t width, height;
    /*
     * Bits 1 << V3DOFF_FAMILY_*: what of the picture the decoder could leave to the device; 0: there is
     * nothing to do. Reconstruction: only if pictures of that kind can be recorded whole, and what this one
     * is predicted from is in pictures of the device.
     */
    uint32_t possible;
    int32_t awaited; /* not 0: others may be predicted from it (nal_ref_idc, refresh_frame_flags) */
} v3doff_policy_question;

typedef struct v3doff_policy_answer {
    size_t struct_size;
    v3doff_scope scope; /* NONE, FILTERS or RECONSTRUCTION */
    uint32_t families;  /* of those possible, the device's */
    int32_t counted;    /* not 0: v3doff_policy_done has to follow */
    int32_t failed;     /* the device has failed for good: later pictures need no memory of it */
    int32_t alone;      /* no other picture was under way: it is probable that nobody waits for its rows */
    /* Such pictures were not measured yet, and there were enough of them to be worth it: v3doff_tune_begin
     * is wanted. Said once a stream and size. */
    int32_t measure;
    const char *reason; /* of NONE; NULL: there was nothing to do. The text stays valid. */
} v3doff_policy_answer;

/*
 * What of a picture is the device's? The rules:
 * - The mode CPU, and a device that is not open yet, is bad, or has failed eight pictures in a row: nothing.
 * - A scope that is not AUTO is obeyed, but a picture that cannot be reconstructed is filtered.
 * - The scope AUTO: reconstruction where the recipe says that it costs least CPU time, else filters.
 * - Filters: with FORCE all that is possible, else what the recipe does not give to the CPU.
 * - With AUTO, while the program takes pictures as fast as they come and they come faster from the CPU: nothing, or
 *   only pictures that none is predicted from. Not where the recipe is overridden by a person.
 */
V3DOFF_API v3doff_result v3doff_policy_ask(v3doff_policy *policy,
                                           const v3doff_policy_question *question,
                                           v3doff_policy_answer *answer);

/* executor: GPU; CPU where the library had to make what was the device's; NONE where nothing was. */
V3DOFF_API v3doff_result v3doff_policy_done(v3doff_policy *policy, v3doff_executor executor);

V3DOFF_API void v3doff_policy_destroy(v3doff_policy **policy);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_POLICY_H */
