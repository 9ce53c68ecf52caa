/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VP9 work that a picture can record. Numbers are those of FFmpeg's VP9 decoder, which can pass its
 * arguments unchanged.
 */
#ifndef V3DOFF_VP9_H
#define V3DOFF_VP9_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_vp9_tx V3DOFF_ENUM {
    V3DOFF_VP9_TX_4X4 = 0,
    V3DOFF_VP9_TX_8X8 = 1,
    V3DOFF_VP9_TX_16X16 = 2,
    V3DOFF_VP9_TX_32X32 = 3,
    V3DOFF_VP9_TX_LOSSLESS = 4 /* 4x4 Walsh-Hadamard */
} v3doff_vp9_tx;

/* Named as FFmpeg names them: vertical first, for coefficients stored transposed. */
typedef enum v3doff_vp9_tx_type V3DOFF_ENUM {
    V3DOFF_VP9_DCT_DCT = 0,
    V3DOFF_VP9_DCT_ADST = 1,
    V3DOFF_VP9_ADST_DCT = 2,
    V3DOFF_VP9_ADST_ADST = 3
} v3doff_vp9_tx_type;

/*
 * Records one inverse transform. At submit its residual is added to the samples that are at (x, y)
 * of the plane then, and the sums are clipped. x and y are samples of that plane and multiples
 * of 4. The block must begin inside the picture and may end in its padding
 * (v3doff_planes.padded_*).
 *
 * coefficients: n*n dequantised values, int16_t with 8 bits and int32_t with more, column after
 * column: row r of column c is at [c * n + r]. eob: the number of coded coefficients in scan order,
 * 1 to n*n. Values beyond eob must be zero, as they are in a decoder. The call copies the values
 * and clears the array, as a CPU transform would.
 *
 * lane: any number below V3DOFF_LANES; calls in one lane must not overlap in time. Blocks of one
 * picture must not overlap in space.
 *
 * UNSUPPORTED: the caller does this block on its CPU; nothing was recorded, nothing cleared.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_itx(v3doff_picture *picture, uint32_t lane,
                                               uint32_t plane, uint32_t x, uint32_t y,
                                               v3doff_vp9_tx tx, v3doff_vp9_tx_type type,
                                               uint32_t eob, void *coefficients);

/* Named and numbered as FFmpeg does. */
typedef enum v3doff_vp9_filter V3DOFF_ENUM {
    V3DOFF_VP9_FILTER_SMOOTH = 0,
    V3DOFF_VP9_FILTER_REGULAR = 1,
    V3DOFF_VP9_FILTER_SHARP = 2,
    V3DOFF_VP9_FILTER_BILINEAR = 3
} v3doff_vp9_filter;

/* Motion compensation of one block of one plane. Positions and sizes in samples of that plane. */
typedef struct v3doff_vp9_mc {
    size_t struct_size;
    v3doff_picture *reference; /* see below */
    uint32_t plane, x, y;      /* x and y are multiples of 4 */
    uint32_t width, height;    /* width 4, 8, 16, 32 or 64; height 1 to 64 */
    /* The reference's sample for the block's first one, and the fractions in 1/16 sample, 0 to 15.
     * It may be at any distance outside the reference. */
    int32_t ref_x, ref_y;
    uint32_t mx, my;
    v3doff_vp9_filter filter;
    int32_t average; /* 0: write; 1: average with the samples there (second prediction) */
    /* The distance of two samples in 1/16 sample of the reference: 1 to 32; 0 is 16, not scaled. */
    uint32_t step_x, step_y;
} v3doff_vp9_mc;

/*
 * Records one block of motion compensation, with the arithmetic of FFmpeg's mc and smc functions.
 * For samples outside the reference's visible size, the nearest one inside is used. At submit all
 * blocks with average 0 are done first, then those with average 1, then the picture's transforms.
 * Blocks with the same average must not overlap. The block must begin inside the picture and may
 * end in its padding.
 *
 * reference: a picture of this device that is done, with the same bit depth and chroma format, and
 * of any size. Its samples are read when the picture is submitted, or when v3doff_picture_require
 * needs the block. From that submit until the picture is done, nobody may write the reference's
 * samples, and it cannot be reopened (v3doff/picture.h). It can be closed. A picture has at most
 * three references (LIMIT).
 *
 * lane: as for v3doff_vp9_record_itx. v3doff_picture_require also does this lane's motion
 * compensation. So record a transform in the lane of the motion compensation at its place.
 *
 * UNSUPPORTED: the caller does this block on its CPU; nothing was recorded.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_mc(v3doff_picture *picture, uint32_t lane,
                                              const v3doff_vp9_mc *block);

/*
 * Levels and edge masks of one 64x64 superblock, laid out as FFmpeg's VP9Filter.
 *
 * level: 0 to 63, of each 8x8 luma block, row after row; read only where an edge is marked.
 * mask[set][direction][row][size]: set 0 luma, 1 subsampled chroma (planes that are not
 * subsampled use set 0); direction 0 edges between columns, 1 between rows; row of 8x8 luma blocks;
 * size 0, 1, 2: filters 16, 8 and 4 wide at the block's edge, 3: the edge inside it, 4 samples
 * further. Bit n is column n.
 */
typedef struct v3doff_vp9_superblock {
    uint8_t level[64];
    uint8_t mask[2][2][8][4];
} v3doff_vp9_superblock;

/*
 * Records the loop filter of the whole picture, which runs after its transforms. superblocks: all
 * of them in raster order, count = ((width + 63) / 64) * ((height + 63) / 64); they are copied.
 * sharpness: 0 to 7. Call it once for each picture, and not while other threads record.
 *
 * The call refuses levels above 63 at an edge, and marks whose filter would leave the picture. The
 * picture's size counts in whole 8x8 luma blocks, which the caller's own memory must hold.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_loopfilter(v3doff_picture *picture, uint32_t sharpness,
                                                      const v3doff_vp9_superblock *superblocks,
                                                      size_t count);

/*
 * The same for some rows of superblocks: `rows` of them from first_row on; superblocks points to
 * the first of them. They follow what was recorded before, or submitted with
 * v3doff_picture_submit_rows. A row without an edge to filter can be left out only together with
 * its whole band. A band of superblock rows [a, b) reads and changes only rows 64a - 8 to 64b of
 * the luma plane, and in other planes the rows of its superblocks and the 8 above.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_loopfilter_rows(v3doff_picture *picture,
                                                           uint32_t sharpness,
                                                           const v3doff_vp9_superblock *superblocks,
                                                           uint32_t first_row, uint32_t rows);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_VP9_H */
