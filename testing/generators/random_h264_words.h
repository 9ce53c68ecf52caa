/* SPDX-License-Identifier: BSD-2-Clause */
/* Random whole H.264 frames and fields, valid ones, as a decoder would append them as words. */
#ifndef RANDOM_H264_WORDS_H
#define RANDOM_H264_WORDS_H

#include "v3doff/h264_words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct random_h264_words {
    uint32_t width, height;
    v3doff_chroma chroma;
    uint32_t bit_depth;
    int references; /* that macroblocks are predicted from, 16 at most; 0: all are intra */
    unsigned seed;
    v3doff_h264_structure structure;
    int own; /* of a field: one more reference is the picture itself */
    int mbaff; /* a frame of an even number of rows, with frame and field pairs */
} random_h264_words;

/* A slice is two rows of macroblocks, in an MBAFF frame five halves of a row of pairs. Its words can
 * be appended by any thread. */
typedef struct random_h264_picture {
    random_h264_words what;
    uint32_t mb_width, mb_height, slices;
    uint32_t slice_length; /* in macroblocks or pairs */
    v3doff_h264_arrays arrays;     /* for deblocking, too */
    v3doff_h264_picture_info info; /* with references still empty */
    void *memory;                  /* of the arrays */
} random_h264_picture;

/* NULL: no memory. The arrays are complete once all slices were appended. */
random_h264_picture *make_random_h264_picture(const random_h264_words *what);
void free_random_h264_picture(random_h264_picture **picture);

/* Slices first, first + step, ...; ends the lane. Returns the first result that is not OK. */
v3doff_result append_random_h264_slices(v3doff_picture *picture, uint32_t lane,
                                        random_h264_picture *of, uint32_t first, uint32_t step);

#ifdef __cplusplus
}
#endif

#endif
