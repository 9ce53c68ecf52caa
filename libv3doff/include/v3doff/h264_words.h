/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A whole H.264 picture, a frame or a field of one, made on the device: the decoder only parses, and
 * appends what it parses as words to lanes of memory. Prediction, residuals and deblocking are the library's.
 *
 *     for each slice: v3doff_h264_make_room(picture, lane, &words, macroblocks);
 *         for each macroblock, in the order of the bitstream:
 *             its coded blocks: v3doff_h264_append_block()
 *             v3doff_h264_append_inter(), v3doff_h264_append_intra() or v3doff_h264_append_pcm()
 *     v3doff_h264_end_lane(picture, lane, &words);
 *     v3doff_h264_record_picture(picture, &info);
 *     v3doff_h264_record_deblock_arrays(...);
 *     v3doff_picture_submit(picture, ...);
 *
 * Appending is a store or two. What was appended is checked by v3doff_h264_record_picture(), which
 * takes motion vectors from the arrays that deblocking reads too.
 */
#ifndef V3DOFF_H264_WORDS_H
#define V3DOFF_H264_WORDS_H

#include <string.h>

#include "v3doff/h264.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One lane: where its next words go. A lane belongs to one thread at a time, and has the
 * macroblocks of whole slices. Starts as all zeros.
 */
typedef struct v3doff_h264_words {
    uint32_t *macroblock, *coefficient; /* the next one */
    uint32_t *macroblock_end, *coefficient_end;
} v3doff_h264_words;

/*
 * Makes room for so many macroblocks, whatever they have. OUT_OF_MEMORY: the lane stays as it was.
 */
V3DOFF_API v3doff_result v3doff_h264_make_room(v3doff_picture *picture, uint32_t lane,
                                               v3doff_h264_words *words, uint32_t macroblocks);

/*
 * The coefficients of a coded block of 4x4, dequantised; of an 8x8 transform four times as many. DC
 * coefficients that are coded apart are transformed (8.5.10, 8.5.11) and in their blocks. bytes: 32
 * for each block of 4x4 at 8 bits a sample (int16_t), 64 above (int32_t). That of row r and column
 * c stands at [c * n + r]. Blocks come in the order of 6.4.3, luma, Cb, Cr; those of 4:2:2's chroma
 * in raster order.
 */
static inline void v3doff_h264_append_block(v3doff_h264_words *words, const void *coefficients,
                                            size_t bytes) {
    memcpy(words->coefficient, coefficients, bytes);
    words->coefficient += bytes / 4;
}

/* What a macroblock is, whatever it is predicted from. */
typedef struct v3doff_h264_macroblock {
    uint32_t x, y; /* in macroblocks, of a field in its own */
    /* By plane, bit i: block i was appended. With 8x8 transforms an 8x8 block has all of its four
     * bits, or none. */
    uint16_t coded[3];
    int transform_8x8; /* of luma, and of chroma in 4:4:4 */
} v3doff_h264_macroblock;

typedef enum v3doff_h264_kind V3DOFF_ENUM {
    V3DOFF_H264_INTER = 0,
    V3DOFF_H264_INTRA_4X4 = 1,
    V3DOFF_H264_INTRA_8X8 = 2,
    V3DOFF_H264_INTRA_16X16 = 3,
    V3DOFF_H264_PCM = 4
} v3doff_h264_kind;

/* What a macroblock can need, and its place with what it is. */
enum { V3DOFF_H264_MACROBLOCK_WORDS = 7 };

static inline uint32_t v3doff_h264_macroblock_word(uint32_t x, uint32_t y, v3doff_h264_kind kind) {
    return x | y << 10 | (uint32_t)kind << 20;
}

static inline void v3doff_h264_append_macroblock_(v3doff_h264_words *words,
                                                  const v3doff_h264_macroblock *macroblock,
                                                  v3doff_h264_kind kind) {
    const uint32_t coded = macroblock->coded[0] | (uint32_t)macroblock->coded[1] << 16;

    *words->macroblock++ = v3doff_h264_macroblock_word(macroblock->x, macroblock->y, kind) |
                           (uint32_t)(macroblock->transform_8x8 != 0) << 23 | 1u << 24;
    *words->macroblock++ = coded;
    *words->macroblock++ = macroblock->coded[2];
}

/* A macroblock whose motion is in the arrays. */
static inline void v3doff_h264_append_inter(v3doff_h264_words *words,
                                            const v3doff_h264_macroblock *macroblock) {
    v3doff_h264_append_macroblock_(words, macroblock, V3DOFF_H264_INTER);
}

/* The same without a residual. */
static inline void v3doff_h264_append_skipped(v3doff_h264_words *words, uint32_t x, uint32_t y) {
    *words->macroblock++ = v3doff_h264_macroblock_word(x, y, V3DOFF_H264_INTER);
}

/*
 * How an intra macroblock is predicted, as FFmpeg numbers it once modes whose neighbours are
 * missing are replaced.
 *
 * mode: of 16 blocks of 4x4 in the order of 6.4.3, of 8x8 blocks 0, 4, 8 and 12, of 16x16 the first
 * alone. 4x4 and 8x8: 0 to 8 as in table 8-2 (0 vertical, 1 horizontal, 2 DC, ...), 9 DC of the
 * left, 10 of above, 11 of neither. 16x16 and chroma: 0 DC, 1 horizontal, 2 vertical, 3 plane, 4 DC
 * of the left, 5 of above, 6 of neither. chroma_mode: not looked at in 4:4:4 and 4:0:0. top_left,
 * top_right: bit 15 - i, whether the samples above and left, and above and right of block i may be
 * used. 8x8 blocks i = 0, 4, 8, 12 have bit 14 - i for above and right.
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

    v3doff_h264_append_macroblock_(words, macroblock, intra->kind);
    for (int i = 0; i < 16; i++)
        modes[i / 8] |= (uint32_t)intra->mode[i] << (i % 8 * 4);
    *words->macroblock++ = modes[0];
    *words->macroblock++ = modes[1];
    *words->macroblock++ = intra->top_left | (uint32_t)intra->top_right << 16;
    *words->macroblock++ = intra->chroma_mode;
}

/*
 * samples: row after row and plane after plane, uint8_t at 8 bits a sample, uint16_t above. bytes:
 * of all of them.
 */
static inline void v3doff_h264_append_pcm(v3doff_h264_words *words, uint32_t x, uint32_t y,
                                          const void *samples, size_t bytes) {
    v3doff_h264_append_block(words, samples, bytes);
    *words->macroblock++ = v3doff_h264_macroblock_word(x, y, V3DOFF_H264_PCM);
}

/* The lane has all its macroblocks. */
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
 * What the macroblocks of a slice are predicted from. reference: by list and reference index, a
 * number in v3doff_h264_picture_info.reference or NO_REFERENCE. Of a field, twice that number for
 * the top field of the reference, and one more for its bottom field.
 *
 * Explicit weights: log2 of the denominator for luma and chroma, 0 to 7; by list, reference index
 * and plane, a weight of -128 to 128 and an offset of -128 to 127, as in the slice header. Implicit
 * weights: that of list 0, by both reference indices, -64 to 128; list 1 has what is left of 64.
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
     * Pictures of this device, of the same size, bit depth and chroma format. Before this picture
     * is submitted, each must be, or hold samples that the caller made and no longer changes. It
     * may be under way: the device keeps the order. NULL: no macroblock is predicted from it.
     * A field may name the picture itself, of which it reads the other field. Where there are fields
     * the height in macroblocks is even (7.4.2.1.1), also that of the frames that they are predicted from.
     */
    v3doff_picture *reference[V3DOFF_H264_REFERENCES];
    /* As for deblocking, of a frame without MBAFF or of the field. Looked at, of inter macroblocks: mb_type,
     * slice_table, motion and reference. */
    const v3doff_h264_arrays *arrays;
    const v3doff_h264_prediction *predictions; /* by slice, as many as arrays->slice_count */
    /* Some macroblocks are missing, as in a damaged picture: their samples stay as they are. */
    int32_t partial;
    /* FRAME, or the field that the words are of: lines of the other field stay as they are. */
    v3doff_h264_structure structure;
} v3doff_h264_picture_info;

/*
 * Records the picture that was appended. Its memory must be the pool's, with room for whole
 * macroblocks (UNSUPPORTED: it has not, or has another format than deblocking takes).
 * INVALID_ARGUMENT: the words make no picture. In either case nothing is recorded, and the picture
 * can be discarded. Until then its coefficients stay in the lanes.
 */
V3DOFF_API v3doff_result v3doff_h264_record_picture(v3doff_picture *picture,
                                                    const v3doff_h264_picture_info *info);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264_WORDS_H */
