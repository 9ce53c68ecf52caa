/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264's DSP functions with the names and signatures of H264DSPContext in FFmpeg up to 7.1. dsp.h
 * says what a call does. (From 8.0 on, FFmpeg's names do not begin with h264_; the functions are
 * the same.) Strides are in bytes; a stride of twice the plane's means a field.
 *
 * block: despite its type, int16_t with 8 bits and int32_t with more. It is column after column for
 * a transform, row after row if the transform is bypassed. The call clears the block's
 * coefficients.
 */
#ifndef V3DOFF_H264DSP_H
#define V3DOFF_H264DSP_H

#include "v3doff/dsp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*v3doff_h264_loop_filter)(uint8_t *pix, ptrdiff_t stride, int alpha, int beta,
                                        int8_t *tc0);
typedef void (*v3doff_h264_loop_filter_intra)(uint8_t *pix, ptrdiff_t stride, int alpha, int beta);
typedef void (*v3doff_h264_idct)(uint8_t *dst, int16_t *block, int stride);
typedef void (*v3doff_h264_idct_many)(uint8_t *dst, const int *blockoffset, int16_t *block,
                                      int stride, const uint8_t *nnzc);

typedef struct v3doff_h264dsp {
    size_t struct_size;

    /*
     * Deblocking. v_: edges between rows; pix is the first sample below the edge. h_: edges between
     * columns; pix is the first sample to the right. Luma edges have 16 lines, chroma edges 8 (h_
     * in 4:2:2: 16), _mbaff edges half as many. alpha and beta are those for 8 bits at any depth.
     * tc0 has a value for each quarter of the lines. For luma it is -1 if the strength is 0. For
     * chroma it is the table's value plus one, or 0 if the strength is 0. _intra: strength 4.
     * Chroma of 4:4:4 uses luma's functions.
     */
    v3doff_h264_loop_filter h264_v_loop_filter_luma;
    v3doff_h264_loop_filter h264_h_loop_filter_luma;
    v3doff_h264_loop_filter h264_h_loop_filter_luma_mbaff;
    v3doff_h264_loop_filter_intra h264_v_loop_filter_luma_intra;
    v3doff_h264_loop_filter_intra h264_h_loop_filter_luma_intra;
    v3doff_h264_loop_filter_intra h264_h_loop_filter_luma_mbaff_intra;
    v3doff_h264_loop_filter h264_v_loop_filter_chroma;
    v3doff_h264_loop_filter h264_h_loop_filter_chroma;
    v3doff_h264_loop_filter h264_h_loop_filter_chroma_mbaff;
    v3doff_h264_loop_filter_intra h264_v_loop_filter_chroma_intra;
    v3doff_h264_loop_filter_intra h264_h_loop_filter_chroma_intra;
    v3doff_h264_loop_filter_intra h264_h_loop_filter_chroma_mbaff_intra;

    /* The residual of one block. _dc_: all coefficients but the first are zero. */
    v3doff_h264_idct h264_idct_add;
    v3doff_h264_idct h264_idct8_add;
    v3doff_h264_idct h264_idct_dc_add;
    v3doff_h264_idct h264_idct8_dc_add;

    /*
     * The residual of a macroblock: 16 4x4 blocks in the order of 6.4.3, or four 8x8 blocks.
     * blockoffset: bytes from dst to each block. nnzc[scan8[n]]: the number of coefficients of
     * block n. FFmpeg's scan8 has rows of 8 bytes: the 4x4 block in column x and row y is at (y +
     * 1) * 8 + x + 4, Cb is 5 rows further, Cr 10. add16, add4: a block with 0 is skipped, one with
     * 1 and a first coefficient is DC only. add16intra, add8: a block with 0 and a first
     * coefficient is DC only. add8: dst is {Cb, Cr}. Their blocks are n = 16.. and 32.., 4 each. In
     * 4:2:2 there are 8 each, and the second 4 have the offset and count of n + 4.
     */
    v3doff_h264_idct_many h264_idct_add16;
    v3doff_h264_idct_many h264_idct8_add4;
    void (*h264_idct_add8)(uint8_t **dst, const int *blockoffset, int16_t *block, int stride,
                           const uint8_t *nnzc);
    v3doff_h264_idct_many h264_idct_add16intra;

    /* These change coefficients, not samples: the CPU always does them in the call. */
    void (*h264_luma_dc_dequant_idct)(int16_t *output, int16_t *input, int qmul);
    void (*h264_chroma_dc_dequant_idct)(int16_t *block, int qmul);

    /* Bypassed transform: sums are taken modulo the size of a sample in memory. */
    v3doff_h264_idct h264_add_pixels8_clear;
    v3doff_h264_idct h264_add_pixels4_clear;
} v3doff_h264dsp;

/*
 * Fills a table for a bit depth of 8, 9, 10, 12 or 14 and a chroma_format_idc of 0 to 3
 * (UNSUPPORTED: others). table->struct_size must be set. The functions stay valid while the library
 * is loaded. They never end the process, not even if they fail.
 */
V3DOFF_API v3doff_result v3doff_h264dsp_init(v3doff_h264dsp *table, uint32_t bit_depth,
                                             uint32_t chroma_format_idc);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264DSP_H */
