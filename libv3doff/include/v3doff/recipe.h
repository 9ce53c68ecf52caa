/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recipe says which work of which picture sizes this device should do on this machine. It is a
 * file, which people can read and override. The policy (policy.h) reads it for decoders. Where the
 * recipe says nothing, the device does what is possible.
 *
 * The environment's V3DOFF_RECIPE is gpu or cpu (for everything), or the path of a file that
 * replaces $XDG_CACHE_HOME/v3doff/recipe-DEVICE.json.
 */
#ifndef V3DOFF_RECIPE_H
#define V3DOFF_RECIPE_H

#include "v3doff/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_family V3DOFF_ENUM {
    V3DOFF_FAMILY_VP9_ITX = 0,
    V3DOFF_FAMILY_VP9_LOOPFILTER = 1,
    V3DOFF_FAMILY_H264_IDCT = 2,
    V3DOFF_FAMILY_H264_DEBLOCK = 3,
    V3DOFF_FAMILY_VP9_RECONSTRUCTION = 4,  /* whole pictures: v3doff/vp9_words.h */
    V3DOFF_FAMILY_H264_RECONSTRUCTION = 5, /* whole pictures: v3doff/h264_words.h */
    /* Whole pictures of intra blocks alone. A decoder that asks for one of these asks for the
     * reconstruction of its codec, too; the CPU's choice here goes before that one's. */
    V3DOFF_FAMILY_VP9_INTRA = 6,
    V3DOFF_FAMILY_H264_INTRA = 7,
    V3DOFF_FAMILIES = 8
} v3doff_family;

typedef enum v3doff_choice V3DOFF_ENUM {
    V3DOFF_CHOICE_UNKNOWN = 0, /* not measured yet */
    V3DOFF_CHOICE_CPU = 1,
    V3DOFF_CHOICE_GPU = 2
} v3doff_choice;

typedef struct v3doff_recipe_answer {
    size_t struct_size;
    v3doff_choice choice;
    int32_t overridden; /* by the environment or in the file */
    double simd_us;     /* CPU time of a picture with the decoder's own functions */
    double offload_us;  /* CPU time of a picture if the GPU does the work */
    double device_us;   /* from submit to done */
    char reason[256];   /* the reason in words, also of UNKNOWN */
} v3doff_recipe_answer;

/* Reads the recipe. The library ignores a file that is damaged or was made with another device,
 * driver, CPU or library; the log says so. */
V3DOFF_API v3doff_result v3doff_recipe_ask(v3doff_device *device, v3doff_family family,
                                           uint32_t width, uint32_t height,
                                           v3doff_recipe_answer *answer);

/* The path of a device's recipe. */
V3DOFF_API v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_RECIPE_H */
