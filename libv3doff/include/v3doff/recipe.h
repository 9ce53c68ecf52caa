/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recipe: for which work and picture sizes the GPU pays, measured on this device against this
 * CPU, kept in a file that people can read, and overridden by them where they know better.
 *
 * The policy (policy.h) asks for decoders. Where nothing is known yet a decoder hands its own SIMD
 * functions to v3doff_tune_begin, which measures in the background for at most about a second and
 * writes the file; the next stream knows.
 *
 * The environment's V3DOFF_RECIPE is gpu or cpu (for everything) or the path of a file to use
 * instead of $XDG_CACHE_HOME/v3doff/recipe-DEVICE.json.
 */
#ifndef V3DOFF_RECIPE_H
#define V3DOFF_RECIPE_H

#include "v3doff/h264dsp.h"
#include "v3doff/vp9dsp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_family V3DOFF_ENUM {
    V3DOFF_FAMILY_VP9_ITX = 0,
    V3DOFF_FAMILY_VP9_LOOPFILTER = 1,
    V3DOFF_FAMILY_H264_IDCT = 2,
    V3DOFF_FAMILY_H264_DEBLOCK = 3,
    V3DOFF_FAMILY_VP9_RECONSTRUCTION = 4, /* whole pictures, from words: v3doff/vp9_words.h */
    V3DOFF_FAMILY_H264_RECONSTRUCTION = 5, /* the same of H.264: v3doff/h264_words.h */
    V3DOFF_FAMILIES = 6
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
    double offload_us;  /* CPU time of a picture when the GPU does the work */
    double device_us;   /* from submit to done */
    char reason[256];   /* in words; for UNKNOWN, why */
} v3doff_recipe_answer;

/* Never measures. A file that is damaged, or of another device, driver, CPU or library, counts as
 * none; the log says so. */
V3DOFF_API v3doff_result v3doff_recipe_ask(v3doff_device *device, v3doff_family family,
                                           uint32_t width, uint32_t height,
                                           v3doff_recipe_answer *answer);

/* Where the recipe of a device is kept. */
V3DOFF_API v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes);

/*
 * Predicts a block of VP9, as FFmpeg's function does. left: from the bottom up. top: with the corner before it.
 * Both for 8 bit, dst aligned to the block.
 */
typedef void (*v3doff_vp9_intra_pred)(uint8_t *dst, ptrdiff_t stride, const uint8_t *left,
                                      const uint8_t *top);
enum { V3DOFF_VP9_INTRA_MODES = 15 };

/*
 * H.264's prediction as FFmpeg's functions make it, all for 8 bit 4:2:0. luma: [0 16x16, 1 8x8][quarters of a
 * sample across, plus 4 times those down]; both have the stride. chroma: [0 8 wide, 1 4 wide]; x and y: eighths.
 * Intra: of 16x16 luma and 8x8 chroma, by mode as in v3doff_h264_intra.
 */
typedef struct v3doff_h264_predictors {
    size_t struct_size;
    void (*luma[2][16])(uint8_t *dst, const uint8_t *src, ptrdiff_t stride);
    void (*chroma[2])(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int height, int x, int y);
    void (*luma_intra[7])(uint8_t *dst, ptrdiff_t stride);
    void (*chroma_intra[7])(uint8_t *dst, ptrdiff_t stride);
} v3doff_h264_predictors;

typedef struct v3doff_tune_info {
    size_t struct_size;
    const v3doff_vp9dsp *vp9;   /* the CPU's own functions for 8 bit; NULL: not measured */
    uint32_t width, height;     /* only the size class of such pictures; 0: all classes */
    uint32_t budget_ms;         /* 0: 1000. Where it does not suffice the rest stays as it was. */
    const v3doff_h264dsp *h264; /* those for 8 bit 4:2:0; NULL: not measured */
    /*
     * Intra prediction that goes with vp9, [0 4x4 to 3 32x32][mode, as v3doff_vp9_append_intra has them], for
     * the reconstruction of whole pictures; vp9 then has inter too. NULL: that is not measured.
     */
    const v3doff_vp9_intra_pred (*vp9_intra)[V3DOFF_VP9_INTRA_MODES];
    /* What goes with h264 for the reconstruction of whole pictures. NULL: that is not measured. */
    const v3doff_h264_predictors *h264_predictors;
} v3doff_tune_info;

/*
 * Measures now, on the calling thread: bits first (a device that gives others is marked bad), then
 * times; writes the recipe's file. CPU time is that of the whole process, so nothing else should
 * run in it.
 */
V3DOFF_API v3doff_result v3doff_tune(v3doff_device *device, const v3doff_tune_info *info);

/*
 * The same on a thread of the library; CPU time is then that of the threads that do the work. At
 * most once a process, device and codec; one after the other. The tables are copied; their
 * functions must stay valid until v3doff_tune_wait, which a program calls before it unloads them.
 */
V3DOFF_API v3doff_result v3doff_tune_begin(v3doff_device *device, const v3doff_tune_info *info);
V3DOFF_API void v3doff_tune_wait(void);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_RECIPE_H */
