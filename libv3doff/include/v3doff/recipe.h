/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recipe says for which work and picture sizes the GPU saves CPU time. The library measures
 * this device against this CPU and keeps the result in a file, which people can read and override.
 *
 * The policy (policy.h) reads the recipe for decoders. If nothing was measured yet, a decoder gives
 * its own SIMD functions to v3doff_tune_begin, which measures in the background for about a second
 * at most and writes the file for the next stream.
 *
 * The environment's V3DOFF_RECIPE is gpu or cpu (for everything), or the path of a file that
 * replaces $XDG_CACHE_HOME/v3doff/recipe-DEVICE.json.
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

/* Reads the recipe and never measures. The library ignores a file that is damaged or was made with
 * another device, driver, CPU or library; the log says so. */
V3DOFF_API v3doff_result v3doff_recipe_ask(v3doff_device *device, v3doff_family family,
                                           uint32_t width, uint32_t height,
                                           v3doff_recipe_answer *answer);

/* The path of a device's recipe. */
V3DOFF_API v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes);

/*
 * Predicts a VP9 block as FFmpeg's function does. left: from the bottom up. top: the corner is the
 * sample before it. All samples have 8 bits, and dst is aligned to the block.
 */
typedef void (*v3doff_vp9_intra_pred)(uint8_t *dst, ptrdiff_t stride, const uint8_t *left,
                                      const uint8_t *top);
enum { V3DOFF_VP9_INTRA_MODES = 15 };

/*
 * FFmpeg's functions for H.264 prediction, for 8 bit 4:2:0. luma: [0 16x16, 1 8x8][x + 4 * y, both
 * in quarters of a sample]; dst and src have the same stride. chroma: [0 8 wide, 1 4 wide]; x and y
 * in eighths of a sample. luma_intra is for 16x16, chroma_intra for 8x8, block_intra for 4x4
 * blocks; the index is the mode as in v3doff_h264_intra.
 */
typedef struct v3doff_h264_predictors {
    size_t struct_size;
    void (*luma[2][16])(uint8_t *dst, const uint8_t *src, ptrdiff_t stride);
    void (*chroma[2])(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int height, int x, int y);
    void (*luma_intra[7])(uint8_t *dst, ptrdiff_t stride);
    void (*chroma_intra[7])(uint8_t *dst, ptrdiff_t stride);
    void (*block_intra[9])(uint8_t *dst, const uint8_t *top_right, ptrdiff_t stride);
} v3doff_h264_predictors;

typedef struct v3doff_tune_info {
    size_t struct_size;
    const v3doff_vp9dsp *vp9;   /* the CPU's own functions for 8 bit; NULL: not measured */
    uint32_t width, height;     /* only this size's class; 0: all classes */
    uint32_t budget_ms;         /* 0: 1000. What does not fit in this time stays as it was. */
    const v3doff_h264dsp *h264; /* the same for 8 bit 4:2:0; NULL: not measured */
    /*
     * Intra prediction for VP9: [0 4x4 to 3 32x32][mode as in v3doff_vp9_append_intra]. With it,
     * and with vp9's functions for motion compensation, whole reconstruction is measured, too.
     * NULL: not measured.
     */
    const v3doff_vp9_intra_pred (*vp9_intra)[V3DOFF_VP9_INTRA_MODES];
    /* Prediction for H.264. With it, whole reconstruction is measured, too. NULL: not measured. */
    const v3doff_h264_predictors *h264_predictors;
} v3doff_tune_info;

/*
 * Measures on the calling thread and writes the recipe's file. First it compares bits: a device
 * with wrong bits is marked bad. Then it measures times. CPU time is that of the whole process, so
 * nothing else should run in it.
 */
V3DOFF_API v3doff_result v3doff_tune(v3doff_device *device, const v3doff_tune_info *info);

/*
 * The same on a thread of the library; CPU time is then that of the threads that do the work. A
 * process measures each device and codec only once, and one after the other. The tables are copied.
 *
 * Nothing is measured if the recipe's file cannot be written.
 *
 * end waits at most timeout_ns for all that has begun (0: does not wait; UINT64_MAX: as long as it
 * takes). Then it stops what is still measured. When it returns, no function of a table is being
 * called or will be; for that it waits for one call of them for one picture. So a program calls it
 * before it unloads them. What was stopped may begin again.
 */
V3DOFF_API v3doff_result v3doff_tune_begin(v3doff_device *device, const v3doff_tune_info *info);
V3DOFF_API void v3doff_tune_end(uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_RECIPE_H */
