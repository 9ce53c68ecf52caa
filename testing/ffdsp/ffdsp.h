// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's internal VP9 and H.264 DSP functions, callable from C and C++ tests.
//
// Tables come from a static FFmpeg built by tools/ffmpeg-static. Signatures are FFmpeg's own; a
// different one does not compile (see FFDSP_TAKE). What callers must guarantee is stated below
// for x86-64, where it was measured with FFmpeg 7.1.5, 8.1.2 and 9.0.2 from SSE2 to AVX-512:
// page guards for what is touched, faults for alignment, comparison with C for value ranges. With
// NEON (aarch64, 7.1.5) the same ranges are compared; where it takes less, that is said.
//
// For all functions
//  - Strides and pixel pointers are in bytes; a sample is uint8_t at 8 bits, else uint16_t.
//  - Coefficients are int16_t at 8 bits, else int32_t behind the int16_t pointer.
//  - Enough for every function: pictures and strides aligned to 64 bytes, blocks of coefficients
//    aligned to 64 bytes, positions at multiples of the block size.
//  - Call ffdsp_emms() before x87 arithmetic (long double) on x86: some functions use MMX.
//  - What is only read, or rewritten unchanged, lies inside the ranges given here. Column-edge
//    filters store all samples they read, changed or not.
//
// Thread-safety: every function here may be called from any thread. While a table is made for
// the first time FFmpeg's process-wide CPU flags may be zero for a moment: open FFmpeg decoders
// before or after, not meanwhile. Tables are never freed and never change.
#ifndef FFDSP_H
#define FFDSP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// -- VP9 -------------------------------------------------------------------------------------
//
// intra_pred[tx][mode]: writes the prediction of a block of 4 << tx samples a side to dst.
//   mode  0 to 9 as in the bitstream (v3doff_vp9_append_intra), 10: DC of the left, 11: DC of the
//         samples above, 12 to 14: the middle of the range, one less, one more.
//   left  4 << tx samples, from the bottom up, for mode 8 (horizontal up) from the top down
//   top   4 << tx samples, for 4x4 eight; top[-1] is the corner. Aligned to the block's width.
//
// itxfm_add[tx][type]: adds the inverse transform of block to dst.
//   tx    0: 4x4, 1: 8x8, 2: 16x16, 3: 32x32 (DCT for all types), 4: lossless 4x4 (all types)
//   type  bit 0: ADST horizontally (rows), bit 1: ADST vertically (columns). FFmpeg's order is
//         DCT_DCT, DCT_ADST, ADST_DCT, ADST_ADST; in the specification tx_type 1 is ADST_DCT
//         and 2 is DCT_ADST, named column first, row second: swap 1 and 2.
//   block is transposed: the coefficient of horizontal frequency u and vertical frequency v is
//         block[u * size + v]. After the call all size * size coefficients are zero, and nothing
//         behind them was touched.
//   eob   number of coefficients in scan order, 1 or more. Every coefficient from that scan
//         position on must be zero: SIMD neither reads nor clears beyond a corner chosen by eob.
//         Make blocks through ffdsp_vp9_scan(). An eob that is too large is always right.
//   Alignment: dst and stride to the width of the block in bytes, block to 64 bytes.
//   SIMD equals C only where no intermediate value overflows, as in a conforming stream (8.7.2).
//   Safe: the forward transform of any residual within +-(2^bit_depth - 1); or independent random
//   coefficients with magnitudes up to
//                 4x4    8x8    16x16   32x32   lossless
//       8 bits    4096   2048   1024    512     32767
//      10 bits    4096   65536  4096    4096    32768
//      12 bits    65536  65536  65536   32768   32768
//
// loop_filter_8[width][dir], loop_filter_16[dir], loop_filter_mix2[width0][width1][dir]
//   width 0: 4, 1: 8, 2: 16 samples wide (loop_filter_16: 16 wide)
//   dir   0: vertical edge, dst is the first sample right of it; 1: horizontal edge, dst is the
//         first sample below it. loop_filter_8 filters 8 lines, the others 16; mix2 filters
//         the first 8 with width0, the next 8 with width1.
//   mb_lim, lim, hev_thr: as for 8 bits at every depth (the functions shift); mix2 takes two
//         each, the first 8 lines' in bits 0..7, the others' in bits 8..15.
//   Touched a side: 8 samples for width 16, 4 for the others. Alignment: dst and stride to 16
//   bytes for dir 1 and for width 16 above 8 bits; none needed otherwise.
//   SIMD equals C for mb_lim up to 254 (8.8 needs at most 193), lim 0..63, hev_thr 0..15.
//   loop_filter_8[2] has no x86 SIMD at 8 bits: both tables hold the C function.
//
// mc[size][filter][avg][mx != 0][my != 0], smc[size][filter][avg]
//   size 0..4: 64, 32, 16, 8, 4 wide; filter 0: smooth, 1: regular, 2: sharp, 3: bilinear;
//   mx, my in 1/16 sample, dx, dy the step in 1/16. Reads 3 samples left and above, 4 below and
//   up to 16 bytes right of the block where that direction is fractional. NEON: h is at most
//   twice the width, or mc overruns its buffer (both directions) or stops after 8 lines (4 wide).

typedef void (*FfdspVp9IntraPred)(uint8_t *dst, ptrdiff_t stride, const uint8_t *left,
                                  const uint8_t *top);
typedef void (*FfdspVp9Itxfm)(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob);
typedef void (*FfdspVp9LoopFilter)(uint8_t *dst, ptrdiff_t stride, int mb_lim, int lim,
                                   int hev_thr);
typedef void (*FfdspVp9Mc)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref,
                           ptrdiff_t ref_stride, int h, int mx, int my);
typedef void (*FfdspVp9ScaledMc)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref,
                                 ptrdiff_t ref_stride, int h, int mx, int my, int dx, int dy);

typedef struct FfdspVp9 {
    FfdspVp9IntraPred intra_pred[4][15];
    FfdspVp9Itxfm itxfm_add[5][4];
    FfdspVp9LoopFilter loop_filter_8[3][2];
    FfdspVp9LoopFilter loop_filter_16[2];
    FfdspVp9LoopFilter loop_filter_mix2[2][2][2];
    FfdspVp9Mc mc[5][4][2][2][2];
    FfdspVp9ScaledMc smc[5][4][2];
} FfdspVp9;

// bit_depth 8, 10 or 12; simd 0: plain C, else what this machine's CPU flags select, as a decoder
// without the "bitexact" flag has it. NULL for other depths.
const FfdspVp9 *ffdsp_vp9(int bit_depth, int simd);

// FFmpeg's scan for tx and type as above: size * size indices into the (transposed) block.
const int16_t *ffdsp_vp9_scan(int tx, int type);

// The loop filter of one superblock, all planes: FFmpeg's loop over the masks, with the functions
// above. superblock  a VP9Filter: 64 levels, then masks [2][2][8][4]; levels of marked edges are 1
// to 63 row, col    count superblocks of 64x64 luma samples; superblocks come in raster order
// planes      the picture's first samples; both chroma planes have strides[1]. Whole blocks of 8x8
//             samples of the plane are filtered, also where the picture ends inside of them.
// bit_depth 8, 10 or 12; ss_h, ss_v 1 where chroma has half the columns, rows; sharpness 0 to 7.
typedef struct FfdspVp9Filter FfdspVp9Filter;
FfdspVp9Filter *ffdsp_vp9_filter_open(int bit_depth, int simd, int ss_h, int ss_v, int sharpness);
void ffdsp_vp9_filter_superblock(FfdspVp9Filter *filter, uint8_t *const planes[3],
                                 const ptrdiff_t strides[2], const uint8_t superblock[192], int row,
                                 int col);
void ffdsp_vp9_filter_close(FfdspVp9Filter *filter);

// -- H.264 -----------------------------------------------------------------------------------
//
// idct_add, idct8_add, idct_dc_add, idct8_dc_add: add the inverse transform of one block.
//   block is transposed: horizontal frequency u, vertical frequency v at block[u * size + v].
//   Cleared afterwards; the dc functions need all other coefficients zero (some SIMD ones
//   transform or clear them, C ones leave them).
//   Alignment: block to 16 bytes; dst and stride to 16 bytes for 8x8 above 8 bits.
//   SIMD equals C at 8 bits for random coefficients up to 4096 (4x4), 1024 (8x8).
// add_pixels4_clear, add_pixels8_clear (transform bypass): adds block to dst without clipping,
//   modulo the sample type, and clears it. Not transposed: block[y * size + x].
//
// idct_add16, idct_add16intra, idct8_add4, idct_add8: a macroblock at once.
//   block         16 coefficients for each 4x4 block in the order of 6.4.3: block n at 16 * n;
//                 8x8 block n at 64 * n. Cb from 16 * 16, Cr from 32 * 16 coefficients on.
//   blockoffset   bytes from dst to 4x4 block n; from dst[0] or dst[1] for Cb 16.., Cr 32...
//   nnzc          rows of 8 bytes: of the luma block at (x, y) of 4x4 at (y + 1) * 8 + x + 4; Cb 5
//                 rows further, Cr 10. 5 * 8 bytes for luma, 15 * 8 bytes for idct_add8.
//   idct_add16    nnz 0: skipped. nnz 1 and a DC not zero: DC only, so AC must be zero. Else full.
//   idct8_add4    the same with 8x8 blocks, nnzc and blockoffset of n = 0, 4, 8, 12.
//   idct_add16intra, idct_add8   nnz not 0: full; nnz 0 and a DC not zero: DC only.
//   idct_add8     dst is {Cb, Cr}; n = 16..19 and 32..35. 4:2:2 also the coefficient blocks
//                 20..23 and 36..39, for which blockoffset and nnzc are taken at n + 4.
//   What a block had is cleared; a skipped block is not touched.
// luma_dc_dequant_idct: input[4 * x + y] (transposed), not changed; writes output[16 * n] for the
//   16 blocks n in the order of 6.4.3 and nothing else: (value * qmul + 128) >> 8. SIMD equals C
//   while results fit 16 bits (at 8 bits).
// chroma_dc_dequant_idct: in place on block[16 * n], n = 2 * y + x; 4 values, 4:2:2: 8.
//   4:2:0: (value * qmul) >> 7, 4:2:2: (value * qmul + 128) >> 8.
//
// v_loop_filter_*: horizontal edges, pix is the first sample below; 16 columns, chroma 8.
// h_loop_filter_*: vertical edges, pix is the first sample right of it; luma 16 rows, chroma 8
//   (4:2:2: 16); _mbaff half of that. 4:4:4 chroma uses the luma functions.
//   alpha, beta   table values as for 8 bits at every depth (the functions shift), 1 or more:
//                 with 0 SIMD filters what C leaves; FFmpeg's decoder does not call then.
//   tc0           four values, each for a quarter of the lines. Luma: -1 (bS 0) to 25. Chroma:
//                 the table's value plus one, 0 (bS 0) to 26. _intra functions are for bS 4.
//   Touched a side: luma 4 samples (C and row edges with bS < 4: 3), chroma 2. Alignment: pix
//   and stride to 16 bytes for v_ functions, none needed for h_.
//
// x86 has SIMD at 8 and 10 bits only; at 9, 12 and 14 bits both tables hold C functions, and so
// for add_pixels*, chroma_dc_dequant_idct and (above 8 bits) luma_dc_dequant_idct everywhere.
//
// pred4x4, pred8x8l, pred8x8 (chroma; 4:2:2: 8x16), pred16x16: a block from the samples around it.
//   Modes as in shaders/records/h264_intra.h. topright: 4 samples, of the modes down and left and
//   vertical left; in pred8x8l topleft is 0x8000 or 0, topright 0x4000 or 0: whether those samples
//   may be used.
// pred*_add (lossless intra prediction): [0] vertical, [1] horizontal for 4x4 and 8x8l; for 8x8
// (chroma) and 16x16 [1] horizontal, [2] vertical, [0] is NULL. Residuals are not transposed.

//
// qpel_put, qpel_avg[size][x + 4 * y]: luma, x and y in quarters; size 0..2: squares of 16, 8, 4.
//   One stride for dst and src. Reads 2 samples left and above, 3 right and below where that
//   direction is fractional; SIMD up to 16 bytes more on a line. dst is aligned to the width.
// chroma_put, chroma_avg[size]: 8, 4, 2 wide, h lines, x and y in eighths; reads one more of each.
// weight_pixels_tab, biweight_pixels_tab: in place on block; on dst with src, offset the sum of both.
//   SIMD equals C at 8 bits where two weights are below 128 and their sums of products and the offset
//   fit 16 bits; at 10 bits (x86) only where weights are positive and results below 32768.

typedef void (*FfdspH264Qpel)(uint8_t *dst, const uint8_t *src, ptrdiff_t stride);
typedef void (*FfdspH264Chroma)(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int h, int x,
                                int y);
typedef void (*FfdspH264Weight)(uint8_t *block, ptrdiff_t stride, int height, int log2_denom,
                                int weight, int offset);
typedef void (*FfdspH264Biweight)(uint8_t *dst, uint8_t *src, ptrdiff_t stride, int height,
                                  int log2_denom, int weightd, int weights, int offset);
typedef void (*FfdspH264LoopFilter)(uint8_t *pix, ptrdiff_t stride, int alpha, int beta,
                                    int8_t *tc0);
typedef void (*FfdspH264LoopFilterIntra)(uint8_t *pix, ptrdiff_t stride, int alpha, int beta);
typedef void (*FfdspH264Idct)(uint8_t *dst, int16_t *block, int stride);
typedef void (*FfdspH264IdctMany)(uint8_t *dst, const int *blockoffset, int16_t *block, int stride,
                                  const uint8_t *nnzc);
typedef void (*FfdspH264IdctChroma)(uint8_t **dst, const int *blockoffset, int16_t *block,
                                    int stride, const uint8_t *nnzc);

// FFmpeg's names without the h264_ they had up to 8.0; the weight tables are 16, 8, 4, 2 wide.
typedef struct FfdspH264 {
    FfdspH264Weight weight_pixels_tab[4];
    FfdspH264Biweight biweight_pixels_tab[4];
    FfdspH264Qpel qpel_put[4][16];
    FfdspH264Qpel qpel_avg[4][16];
    FfdspH264Chroma chroma_put[4];
    FfdspH264Chroma chroma_avg[4];

    FfdspH264LoopFilter v_loop_filter_luma;
    FfdspH264LoopFilter h_loop_filter_luma;
    FfdspH264LoopFilter h_loop_filter_luma_mbaff;
    FfdspH264LoopFilterIntra v_loop_filter_luma_intra;
    FfdspH264LoopFilterIntra h_loop_filter_luma_intra;
    FfdspH264LoopFilterIntra h_loop_filter_luma_mbaff_intra;
    FfdspH264LoopFilter v_loop_filter_chroma;
    FfdspH264LoopFilter h_loop_filter_chroma;
    FfdspH264LoopFilter h_loop_filter_chroma_mbaff;
    FfdspH264LoopFilterIntra v_loop_filter_chroma_intra;
    FfdspH264LoopFilterIntra h_loop_filter_chroma_intra;
    FfdspH264LoopFilterIntra h_loop_filter_chroma_mbaff_intra;

    FfdspH264Idct idct_add;
    FfdspH264Idct idct8_add;
    FfdspH264Idct idct_dc_add;
    FfdspH264Idct idct8_dc_add;
    FfdspH264IdctMany idct_add16;
    FfdspH264IdctMany idct8_add4;
    FfdspH264IdctChroma idct_add8;
    FfdspH264IdctMany idct_add16intra;
    void (*luma_dc_dequant_idct)(int16_t *output, int16_t *input, int qmul);
    void (*chroma_dc_dequant_idct)(int16_t *block, int qmul);

    FfdspH264Idct add_pixels8_clear;
    FfdspH264Idct add_pixels4_clear;

    void (*pred4x4[15])(uint8_t *src, const uint8_t *topright, ptrdiff_t stride);
    void (*pred8x8l[12])(uint8_t *src, int topleft, int topright, ptrdiff_t stride);
    void (*pred8x8[11])(uint8_t *src, ptrdiff_t stride);
    void (*pred16x16[9])(uint8_t *src, ptrdiff_t stride);

    void (*pred4x4_add[2])(uint8_t *pix, int16_t *block, ptrdiff_t stride);
    void (*pred8x8l_add[2])(uint8_t *pix, int16_t *block, ptrdiff_t stride);
    void (*pred8x8l_filter_add[2])(uint8_t *pix, int16_t *block, int topleft, int topright,
                                   ptrdiff_t stride);
    void (*pred8x8_add[3])(uint8_t *pix, const int *block_offset, int16_t *block, ptrdiff_t stride);
    void (*pred16x16_add[3])(uint8_t *pix, const int *block_offset, int16_t *block,
                             ptrdiff_t stride);
} FfdspH264;

// bit_depth 8, 9, 10, 12 or 14; chroma_format_idc 0 to 3 (2: 4:2:2 functions for chroma);
// simd as for ffdsp_vp9(). NULL for other values.
const FfdspH264 *ffdsp_h264(int bit_depth, int chroma_format_idc, int simd);

// -- the build and the machine ---------------------------------------------------------------

const char *ffdsp_version(void);        // FFmpeg's version, such as "7.1.5"
int ffdsp_cpu_flags(void);              // AV_CPU_FLAG_* that simd != 0 tables are chosen by
const char *ffdsp_cpu_flag_names(void); // the same in words, "none" for none
const char *ffdsp_vectors(void);        // the widest vectors among them: "avx2", "neon", "none"
void ffdsp_emms(void);                  // leaves MMX state; does nothing where there is none

#ifdef __cplusplus
}
#endif

#endif
