/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reconstruction of whole H.264 pictures on the device: frames and fields. The decoder only parses,
 * and appends the result as 32-bit words to lanes of memory. The library does prediction, residuals
 * and deblocking.
 *
 *     for each slice: v3doff_h264_make_room(picture, lane, &words, macroblocks);
 *         for each macroblock, in the order of the bitstream:
 *             its coded blocks: v3doff_h264_append_block()
 *             v3doff_h264_append_inter(), v3doff_h264_append_intra() or v3doff_h264_append_pcm()
 *     v3doff_h264_end_lane(picture, lane, &words);
 *     v3doff_h264_record_rows(...); // may also be done by rows, while others are decoded
 *     v3doff_h264_record_picture(picture, &info);
 *     v3doff_picture_submit(picture, ...);
 *
 * Appending takes a store or two. v3doff_h264_record_picture() checks what was appended. The motion
 * of inter macroblocks is in the decoder's arrays, as what deblocking needs.
 */
#ifndef V3DOFF_H264_WORDS_H
#define V3DOFF_H264_WORDS_H

#include <string.h>

#include "v3doff/h264.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The place of a lane's next words; at first all zeros. A lane belongs to one thread at a time, and
 * has the macroblocks of whole slices.
 */
typedef struct v3doff_h264_words {
    uint32_t *macroblock, *coefficient; /* the next one */
    uint32_t *macroblock_end, *coefficient_end;
} v3doff_h264_words;

/*
 * Makes room for a number of macroblocks of any kind. OUT_OF_MEMORY: the lane stays as it was.
 * INVALID_STATE: the picture was already recorded.
 */
V3DOFF_API v3doff_result v3doff_h264_make_room(v3doff_picture *picture, uint32_t lane,
                                               v3doff_h264_words *words, uint32_t macroblocks);

/*
 * Appends the dequantised coefficients of a coded 4x4 block, or of an 8x8 transform, which has four
 * times as many. Separately coded DC coefficients must be transformed already (8.5.10, 8.5.11) and
 * stand in their blocks. bytes: 32 for each 4x4 block with 8 bits a sample (int16_t), 64 with more
 * (int32_t). The coefficient of row r and column c is at [c * n + r]. Blocks follow in the order of
 * 6.4.3: luma, Cb, Cr. Chroma blocks of 4:2:2 are in raster order. With bypass, the block has the
 * residual instead, row after row.
 */
static inline void v3doff_h264_append_block(v3doff_h264_words *words, const void *coefficients,
                                            size_t bytes) {
    memcpy(words->coefficient, coefficients, bytes);
    words->coefficient += bytes / 4;
}

/* What all kinds of macroblocks but PCM have. */
typedef struct v3doff_h264_macroblock {
    uint32_t x, y; /* in macroblocks; in a field, those of the field; in an MBAFF frame, as in the
                      arrays, which say whether it is a field macroblock */
    /* For each plane, bit i: block i was appended. With 8x8 transforms, an 8x8 block has all of its
     * four bits or none. */
    uint16_t coded[3];
    int transform_8x8; /* for luma, and for chroma in 4:4:4 */
    /*
     * A lossless macroblock (TransformBypassModeFlag), all of whose blocks are 4x4: transform_8x8
     * is 0. The residual is that of 8.5.15, so along a horizontal or vertical prediction it is
     * summed up. Samples are the sums with the prediction modulo 2^8, or 2^16 with more than 8
     * bits. They must not exceed the bit depth.
     */
    int bypass;
} v3doff_h264_macroblock;

typedef enum v3doff_h264_kind V3DOFF_ENUM {
    V3DOFF_H264_INTER = 0,
    V3DOFF_H264_INTRA_4X4 = 1,
    V3DOFF_H264_INTRA_8X8 = 2,
    V3DOFF_H264_INTRA_16X16 = 3,
    V3DOFF_H264_PCM = 4
} v3doff_h264_kind;

/* The most words of a macroblock. The first holds its place and kind. */
enum { V3DOFF_H264_MACROBLOCK_WORDS = 7 };

static inline uint32_t v3doff_h264_macroblock_word(uint32_t x, uint32_t y, v3doff_h264_kind kind) {
    return x | y << 10 | (uint32_t)kind << 20;
}

static inline void v3doff_h264_append_macroblock_(v3doff_h264_words *words,
                                                  const v3doff_h264_macroblock *macroblock,
                                                  v3doff_h264_kind kind) {
    const uint32_t coded = macroblock->coded[0] | (uint32_t)macroblock->coded[1] << 16;

    *words->macroblock++ = v3doff_h264_macroblock_word(macroblock->x, macroblock->y, kind) |
                           (uint32_t)(macroblock->transform_8x8 != 0) << 23 | 1u << 24 |
                           (uint32_t)(macroblock->bypass != 0) << 25;
    *words->macroblock++ = coded;
    *words->macroblock++ = macroblock->coded[2];
}

/* Appends a macroblock whose motion is in the arrays. */
static inline void v3doff_h264_append_inter(v3doff_h264_words *words,
                                            const v3doff_h264_macroblock *macroblock) {
    v3doff_h264_append_macroblock_(words, macroblock, V3DOFF_H264_INTER);
}

/* The same without a residual. */
static inline void v3doff_h264_append_skipped(v3doff_h264_words *words, uint32_t x, uint32_t y) {
    *words->macroblock++ = v3doff_h264_macroblock_word(x, y, V3DOFF_H264_INTER);
}

/*
 * How an intra macroblock is predicted. The modes have FFmpeg's numbers after it has replaced modes
 * whose neighbours are missing.
 *
 * mode: for 4x4 one for each of the 16 blocks in the order of 6.4.3; for 8x8 elements 0, 4, 8 and
 * 12; for 16x16 only the first. 4x4 and 8x8: 0 to 8 as in table 8-2 (0 vertical, 1 horizontal, 2
 * DC, ...), 9 DC from the left, 10 DC from above, 11 DC from neither. 16x16 and chroma: 0 DC, 1
 * horizontal, 2 vertical, 3 plane, 4 DC from the left, 5 DC from above, 6 DC from neither. Chroma
 * where only half of the left side may be used: DC from above and from its upper (7) or lower half
 * (8), or only from its upper (9) or lower half (10).
 * chroma_mode is ignored in 4:4:4 and 4:0:0. Bit 15 - i of top_left and top_right: the samples
 * above and left of block i, or above and right of it, may be used. For 8x8 blocks i = 0, 4, 8, 12,
 * top_right has bit 14 - i instead.
 */
typedef struct v3doff_h264_intra {
    v3doff_h264_kind kind; /* not INTER, not PCM */
    uint8_t mode[16];
    uint8_t chroma_mode;
    uint16_t top_left, top_right;
} v3doff_h264_intra;

static inline void v3doff_h264_append_intra(v3doff_h264_words *words,
                                            const v3doff_h264_macroblock *macroblock,
                                            const v3doff_h264_intra *intra) {
    uint32_t modes[2] = {0, 0};
    int i;

    v3doff_h264_append_macroblock_(words, macroblock, intra->kind);
    for (i = 0; i < 16; i++)
        modes[i / 8] |= (uint32_t)intra->mode[i] << (i % 8 * 4);
    *words->macroblock++ = modes[0];
    *words->macroblock++ = modes[1];
    *words->macroblock++ = intra->top_left | (uint32_t)intra->top_right << 16;
    *words->macroblock++ = intra->chroma_mode;
}

/*
 * Appends a PCM macroblock. samples: row after row and plane after plane, uint8_t with 8 bits a
 * sample, uint16_t with more. bytes: the size of all samples.
 */
static inline void v3doff_h264_append_pcm(v3doff_h264_words *words, uint32_t x, uint32_t y,
                                          const void *samples, size_t bytes) {
    v3doff_h264_append_block(words, samples, bytes);
    *words->macroblock++ = v3doff_h264_macroblock_word(x, y, V3DOFF_H264_PCM);
}

/* Ends a lane that has all its macroblocks. INVALID_STATE: the picture was already recorded. */
V3DOFF_API v3doff_result v3doff_h264_end_lane(v3doff_picture *picture, uint32_t lane,
                                              const v3doff_h264_words *words);

/* How predictions are weighted (8.4.2.3). */
typedef enum v3doff_h264_weighting V3DOFF_ENUM {
    V3DOFF_H264_WEIGHTS_DEFAULT = 0,
    V3DOFF_H264_WEIGHTS_EXPLICIT = 1,
    V3DOFF_H264_WEIGHTS_IMPLICIT = 2
} v3doff_h264_weighting;

enum { V3DOFF_H264_REFERENCES = 16, V3DOFF_H264_NO_REFERENCE = 255 };

/*
 * The references and weights of a slice. reference[list][reference index]: an index of
 * v3doff_h264_picture_info.reference, or NO_REFERENCE. In a field it is twice that index for the
 * top field of the reference, and one more for its bottom field. In an MBAFF frame these are
 * frames. Half of a field macroblock's index says which frame, and the lowest bit which field of
 * it: that of the macroblock's own parity (0), or the other one.
 *
 * Explicit weights, as in the slice header: log2 of the denominator for luma and chroma, 0 to 7;
 * for each list, reference index and plane a weight of -128 to 128 and an offset of -128 to 127.
 * Implicit weights: implicit[reference index of list 0][that of list 1] is list 0's weight, -64 to
 * 128. List 1's weight is 64 minus this one.
 */
typedef struct v3doff_h264_prediction {
    uint8_t reference[2][32];
    uint8_t weighting; /* V3DOFF_H264_WEIGHTS_* */
    uint8_t denominator[2];
    int16_t weight[2][32][3], offset[2][32][3];
    int16_t implicit[32][32];
} v3doff_h264_prediction;

typedef struct v3doff_h264_picture_info {
    size_t struct_size;
    /*
     * Pictures of this device with the same size, bit depth and chroma format. Before this picture
     * is submitted, each reference must be submitted, or hold samples that the caller made and no
     * longer changes. A reference need not be done: the device keeps the order. Nobody may write
     * its samples before this picture is done (v3doff/picture.h). NULL: no macroblock uses it. The
     * reference of a field may be the picture itself, whose other field is then read. With fields
     * and MBAFF, the height in macroblocks is even (7.4.2.1.1), also that of frames that are their
     * references.
     */
    v3doff_picture *reference[V3DOFF_H264_REFERENCES];
    const v3doff_h264_prediction *predictions; /* one for each slice of the arrays */
    /* Not 0: macroblocks may be missing, as in a damaged picture. Their samples stay as they are,
     * and to the deblocking they are predicted from nothing. */
    int32_t partial;
    /* FRAME, or the field of the words: the lines of the other field stay as they are. */
    v3doff_h264_structure structure;
    /* For each slice of an MBAFF frame: v3doff_h264_prediction.implicit of its field macroblocks,
     * [1 in the lower one of a pair][reference index of list 0][that of list 1]. May be NULL if no
     * field macroblock has implicit weights. */
    const int16_t (*field_implicit)[2][32][32];
} v3doff_h264_picture_info;

/*
 * Records the picture that was appended, all of whose macroblocks were handed over. Its memory must
 * be the pool's, with room for whole macroblocks. UNSUPPORTED: the memory is different, or
 * deblocking does not support the format. INVALID_ARGUMENT: the words do not form a picture.
 * INVALID_STATE: macroblocks were not handed over, or the picture was already recorded. LIMIT: too
 * many slices with different weights. In all of these cases nothing is recorded, and the picture
 * can be discarded. Until then its coefficients stay in the lanes.
 */
V3DOFF_API v3doff_result v3doff_h264_record_picture(v3doff_picture *picture,
                                                    const v3doff_h264_picture_info *info);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264_WORDS_H */
