/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VP9 work that a picture can record. Numbers are those of FFmpeg's VP9 decoder, so that its
 * arguments can be handed over as they are.
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
 * Records one inverse transform: at submit its residual is added to the samples that then stand
 * at (x, y) of the plane, and clipped. x and y are multiples of 4 in samples of that plane; the
 * block must begin inside the picture and may end in its padding (v3doff_planes.padded_*).
 *
 * coefficients: n*n values, int16_t at 8 bit and int32_t above, column after column (the value of
 * row r and column c at [c * n + r]), dequantised. eob: how many were coded in scan order, 1 to
 * n*n; values that cannot be reached with that eob must be zero, as they are in a decoder. The
 * values are copied and the array is cleared, as a CPU transform would.
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
    v3doff_picture *reference; /* what is predicted from, see below */
    uint32_t plane, x, y;      /* x and y are multiples of 4 */
    uint32_t width, height;    /* width 4, 8, 16, 32 or 64; height 1 to 64 */
    /* The sample of the reference that the block's first one lies on, and the fractions beyond it
     * in 1/16 sample, 0 to 15. It may lie outside the reference, as far as it likes. */
    int32_t ref_x, ref_y;
    uint32_t mx, my;
    v3doff_vp9_filter filter;
    int32_t average; /* 0: write; 1: average with what stands there, a second prediction */
    /* From one sample to the next in 1/16 sample of the reference: 1 to 32; 0 is 16, not scaled. */
    uint32_t step_x, step_y;
} v3doff_vp9_mc;

/*
 * Records one block of motion compensation, with the arithmetic of FFmpeg's mc and smc functions;
 * samples outside the reference's visible size are its nearest ones. At submit all blocks with
 * average 0 are done first, then those with average 1, then the picture's transforms. Blocks with
 * the same average must not overlap. The block must begin inside the picture and may end in its
 * padding.
 *
 * reference: a picture that is done, of this device, with the same bit depth and chroma format, and
 * of any size. Its samples are read when the picture is submitted, or when v3doff_picture_require
 * asks for the block. Reopening the reference is refused from that submit until the picture is done;
 * closing it is allowed, unless the memory is the caller's. A picture has at most three references
 * (LIMIT).
 *
 * lane: as for v3doff_vp9_record_itx. v3doff_picture_require does the lane's blocks of motion
 * compensation too, so transforms that it may be asked for belong into the lane of the blocks
 * below them.
 *
 * UNSUPPORTED: the caller does this block on its CPU; nothing was recorded.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_mc(v3doff_picture *picture, uint32_t lane,
                                              const v3doff_vp9_mc *block);

/*
 * Levels and edge masks of one 64x64 superblock, laid out as FFmpeg's VP9Filter.
 *
 * level: 0 to 63, of each 8x8 luma block, row after row; looked at where an edge is marked.
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
 * sharpness: 0 to 7. Once a picture; not while other threads record.
 *
 * Marks whose filter would leave the picture (rounded up to whole 8x8 luma blocks, which must be
 * there in the caller's own memory), and levels above 63 at an edge, are refused.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_loopfilter(v3doff_picture *picture, uint32_t sharpness,
                                                      const v3doff_vp9_superblock *superblocks,
                                                      size_t count);

/*
 * The same for some rows of superblocks: `rows` of them from first_row on, superblocks being those
 * of first_row. They follow what is recorded, and what was submitted with
 * v3doff_picture_submit_rows; a row that has no edge to filter can be left out only as part of a
 * whole band. A band of superblock rows [a, b) changes rows 64a - 8 to 64b of the luma plane, and
 * in others those of its superblocks and the 8 above; it reads no others.
 */
V3DOFF_API v3doff_result v3doff_vp9_record_loopfilter_rows(
    v3doff_picture *picture, uint32_t sharpness, const v3doff_vp9_superblock *superblocks,
    uint32_t first_row, uint32_t rows);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_VP9_H */
