/* SPDX-License-Identifier: BSD-2-Clause */
/* Random blocks of whole VP9 pictures, valid ones, as a decoder would append them as words. */
#ifndef RANDOM_WORDS_H
#define RANDOM_WORDS_H

#include "v3doff/vp9_words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct random_words {
    uint32_t width, height;
    v3doff_chroma chroma;
    int references; /* that blocks are predicted from; 0: all blocks are intra */
    int lossless;
    unsigned seed; /* of superblock columns [first, end) of the lane, which are a tile */
} random_words;

/* Appends the blocks of superblock columns [first, end) and ends the lane. Returns the first
 * result that is not OK. */
v3doff_result append_random_words(v3doff_picture *picture, uint32_t lane, const random_words *what,
                                  uint32_t first, uint32_t end);

/* With references still empty, and without rows to filter. */
v3doff_vp9_picture_info random_words_info(const random_words *what);

#ifdef __cplusplus
}
#endif

#endif
