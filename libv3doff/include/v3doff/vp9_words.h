/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reconstruction of whole VP9 pictures on the device. The decoder only parses, and appends the
 * result as 32-bit words to lanes of memory. The library does prediction, residuals and the loop
 * filter.
 *
 *     for each superblock:
 *         if (!v3doff_vp9_has_room(&words)) v3doff_vp9_make_room(picture, lane, &words);
 *         for each block, in the order of the bitstream:
 *             for each coded transform: the coefficients, then v3doff_vp9_append_transform()
 *             v3doff_vp9_append_intra() or v3doff_vp9_append_inter()
 *     v3doff_vp9_end_lane(picture, lane, &words);
 *     v3doff_vp9_record_picture(picture, &info);
 *     v3doff_picture_submit(picture, ...);
 *
 * Appending takes a store or two. v3doff_vp9_record_picture() checks what was appended.
 */
#ifndef V3DOFF_VP9_WORDS_H
#define V3DOFF_VP9_WORDS_H

#include <string.h>

#include "v3doff/vp9.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The place of a lane's next words; at first all zeros. A lane belongs to one thread at a time, and
 * has the blocks of whole columns of tiles.
 */
typedef struct v3doff_vp9_words {
    uint32_t *block, *transform, *coefficient; /* the next one */
    uint32_t *block_end, *transform_end, *coefficient_end;
    uint32_t *first_transform, *first_coefficient; /* offsets count from here */
} v3doff_vp9_words;

/* The most words of a superblock. */
enum {
    V3DOFF_VP9_BLOCK_WORDS = 64 * 11,
    V3DOFF_VP9_TRANSFORM_WORDS = 3 * 256 * 3,
    V3DOFF_VP9_COEFFICIENT_WORDS = 3 * 64 * 64
};

static inline int v3doff_vp9_has_room(const v3doff_vp9_words *words) {
    return words->block_end - words->block >= V3DOFF_VP9_BLOCK_WORDS &&
           words->transform_end - words->transform >= V3DOFF_VP9_TRANSFORM_WORDS &&
           words->coefficient_end - words->coefficient >= V3DOFF_VP9_COEFFICIENT_WORDS;
}

/* Makes room for a superblock. OUT_OF_MEMORY: the lane stays as it was. INVALID_STATE: the picture
 * was already recorded. */
V3DOFF_API v3doff_result v3doff_vp9_make_room(v3doff_picture *picture, uint32_t lane,
                                              v3doff_vp9_words *words);

/*
 * A coefficient is one word. Its low 10 bits are its place in the block, as in
 * v3doff_vp9_record_itx. The others are its signed value in the stream, before dequantisation.
 */
static inline uint32_t v3doff_vp9_coefficient(uint32_t place, int32_t value) {
    return place | (uint32_t)value << 10;
}

/*
 * Ends the transform whose coefficients, at least one, were appended last. x and y are in units of
 * 4 samples of the plane. tx: the transform size of the block's plane, 0 to 3; 0 in lossless
 * pictures. eob: the number of places in scan order up to the last coefficient, or all if the
 * stream does not say.
 */
static inline void v3doff_vp9_append_transform(v3doff_vp9_words *words, uint32_t plane, uint32_t x,
                                               uint32_t y, uint32_t tx, uint32_t type,
                                               uint32_t eob) {
    *words->transform++ = x | y << 13 | plane << 26 | tx << 28 | type << 30;
    *words->transform++ = (uint32_t)(words->coefficient - words->first_coefficient);
    *words->transform++ = eob;
}

/* What intra and inter blocks have. */
typedef struct v3doff_vp9_block {
    uint32_t row, col; /* in units of 8 luma samples */
    uint32_t size;     /* 0 64x64, 1 64x32, 2 32x64, 3 32x32, ..., 10 8x4, 11 4x8, 12 4x4 */
    uint32_t segment;
    uint32_t tx;       /* transform size, 0 to 3; in chroma at most the largest that fits */
} v3doff_vp9_block;

static inline void v3doff_vp9_append_block_(v3doff_vp9_words *words, const v3doff_vp9_block *block,
                                            uint32_t intra, uint32_t flag, uint32_t kind) {
    *words->block++ = block->row | block->col << 13 | block->size << 26 | intra << 30 | flag << 31;
    *words->block++ = (uint32_t)(words->transform - words->first_transform) / 3;
    *words->block++ = kind | block->tx << 20 | block->segment << 24;
}

/*
 * Appends an intra block. mode: one for each quarter; they are equal unless size is above 9. Modes
 * have FFmpeg's numbers: 0 vertical, 1 horizontal, 2 DC, 3 down left, 4 down right, 5 vertical
 * right, 6 horizontal down, 7 vertical left, 8 horizontal up, 9 true motion. tile_begins: not 0 if
 * the block is in the first column of its tile.
 */
static inline void v3doff_vp9_append_intra(v3doff_vp9_words *words, const v3doff_vp9_block *block,
                                           const uint8_t mode[4], uint32_t chroma_mode,
                                           int tile_begins) {
    v3doff_vp9_append_block_(words, block, 1, tile_begins != 0,
                             mode[0] | (uint32_t)mode[1] << 4 | (uint32_t)mode[2] << 8 |
                                 (uint32_t)mode[3] << 12 | chroma_mode << 16);
}

/* What the loop filter has to know of an inter block. */
enum {
    V3DOFF_VP9_SKIPPED = 1, /* edges inside are not filtered: nothing is coded, or, in blocks of at
                             * least 8x8, no coefficient */
    V3DOFF_VP9_ZEROMV = 2   /* the mode, of the last quarter, is ZEROMV */
};

/*
 * Appends an inter block. reference: indices of v3doff_vp9_picture_info.reference; if the second
 * one is negative, the block has only one reference. vector[quarter][reference]: x, then y, in 1/8
 * luma sample. Unless size is above 9, only the first quarter's vectors are used. flags:
 * V3DOFF_VP9_SKIPPED and V3DOFF_VP9_ZEROMV.
 */
static inline void v3doff_vp9_append_inter(v3doff_vp9_words *words, const v3doff_vp9_block *block,
                                           const int reference[2], v3doff_vp9_filter filter,
                                           const int16_t vector[4][2][2], uint32_t flags) {
    const int quarters = block->size > 9 ? 4 : 1, both = reference[1] >= 0;
    uint32_t *next;
    int i;

    v3doff_vp9_append_block_(words, block, 0, (uint32_t)both,
                             (uint32_t)reference[0] | (both ? (uint32_t)reference[1] << 2 : 0) |
                                 (uint32_t)filter << 4 | flags << 22);
    next = words->block;
    for (i = 0; i < quarters; i++) {
        memcpy(next++, vector[i][0], 4);
        if (both) memcpy(next++, vector[i][1], 4);
    }
    words->block = next;
}

/* Ends a lane that has all its blocks. INVALID_STATE: the picture was already recorded. */
V3DOFF_API v3doff_result v3doff_vp9_end_lane(v3doff_picture *picture, uint32_t lane,
                                             const v3doff_vp9_words *words);

typedef struct v3doff_vp9_picture_info {
    size_t struct_size;
    /*
     * Pictures of this device with the same bit depth and chroma format. In each direction they are
     * at most twice as large as this picture, and at least a sixteenth as large. Before this
     * picture is submitted, each reference must be submitted, or hold samples that the caller made
     * and no longer changes. A reference need not be done: the device keeps the order. Nobody may
     * write its samples before this picture is done (v3doff/picture.h). NULL: no block uses it.
     */
    v3doff_picture *reference[3];
    int32_t lossless;
    /* Not 0: the words may end too early, as in a damaged picture; samples that no block covers
     * stay as they are. */
    int32_t partial;
    /*
     * The decoder's own inverse transforms, itxfm_add[tx][type] as in v3doff/vp9dsp.h, or NULL.
     * Damaged streams can have coefficients so large that decoders produce different results. The
     * library then calls these functions, to get this decoder's result.
     */
    void (*(*itxfm_add)[4])(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob);
    /* [segment][0 luma, 1 chroma][0 DC, 1 AC]: the factor of the coefficients. */
    int16_t dequantisation[8][2][2];
    /*
     * The loop filter: how many rows of superblocks it filters, from the top (0: none; a damaged
     * picture may have fewer than all), the sharpness, 0 to 7, and the levels, 0 to 63:
     * [segment][0 intra, or 1 + the first reference][1; 0 if the mode is ZEROMV]. The edges follow
     * from the blocks. Blocks of level 0 are not filtered.
     */
    uint32_t filtered_rows, sharpness;
    uint8_t filter_level[8][4][2];
    /*
     * As itxfm_add, for decoders that keep more than 16 bits of a coefficient: adds the residual of
     * a transform to samples. coefficients: dequantised, not cut to 16 bits, in the order of
     * v3doff_vp9_record_itx. tx: a v3doff_vp9_tx. stride is in bytes. NULL: itxfm_add; if both are
     * NULL, the library's own functions.
     */
    void (*add_residual)(void *opaque, uint32_t tx, uint32_t type, uint32_t eob,
                         const int32_t *coefficients, void *dst, ptrdiff_t stride);
    void *opaque; /* for add_residual */
} v3doff_vp9_picture_info;

/*
 * Records the picture that was appended, and its loop filter, unless filtered_rows is 0 and
 * v3doff_vp9_record_loopfilter is called. Its memory must be the pool's, with room for whole
 * superblocks. UNSUPPORTED: the memory is different, or VP9 does not have the format.
 * INVALID_ARGUMENT: the words do not form a picture. In both cases nothing is recorded, and the
 * picture can be discarded.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_picture(v3doff_picture *picture,
                                                   const v3doff_vp9_picture_info *info);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_VP9_WORDS_H */
