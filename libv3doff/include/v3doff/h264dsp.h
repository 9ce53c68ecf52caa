/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264's DSP functions with the names and signatures of H264DSPContext in FFmpeg up to 7.1. See
 * dsp.h for what a call does. (From 8.0 on FFmpeg's names lack the h264_ in front; the functions are
 * the same.) Strides are in bytes; a stride of twice the plane's means a field.
 *
 * block: int16_t at 8 bit, int32_t above, whatever the type says; column after column where there is
 * a transform, row after row where it is bypassed. What a block had is cleared in the call.
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
     * Deblocking. v_: edges between rows, pix is the first sample below; h_: edges between columns,
     * pix is the first sample right of it. Luma 16 lines, chroma 8 (h_ in 4:2:2: 16), _mbaff half
     * of that. alpha and beta: for 8 bits at any depth. tc0: for each quarter of the lines; luma -1
     * where the strength is 0, chroma the table's value plus one and 0 where the strength is 0.
     * _intra: strength 4. Chroma of 4:4:4 uses the functions of luma.
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

    /* Residuals of one block. _dc_: all coefficients but the first are zero. */
    v3doff_h264_idct h264_idct_add;
    v3doff_h264_idct h264_idct8_add;
    v3doff_h264_idct h264_idct_dc_add;
    v3doff_h264_idct h264_idct8_dc_add;

    /*
     * Of a macroblock: 16 blocks of 4x4 in the order of 6.4.3, or 4 of 8x8; blockoffset: bytes from
     * dst to each. nnzc: how many coefficients block n has, at FFmpeg's scan8[n]: rows of 8 bytes,
     * the block at (x, y) of 4x4 at (y + 1) * 8 + x + 4, Cb 5 rows further, Cr 10.
     * add16, add4: 0 is skipped, 1 with a first coefficient is DC only. add16intra, add8: 0 with a
     * first coefficient is DC only. add8: dst is {Cb, Cr}, whose blocks are n = 16.. and 32.., 4
     * each, in 4:2:2 8 each, the second 4 with the offset and count of n + 4.
     */
    v3doff_h264_idct_many h264_idct_add16;
    v3doff_h264_idct_many h264_idct8_add4;
    void (*h264_idct_add8)(uint8_t **dst, const int *blockoffset, int16_t *block, int stride,
                           const uint8_t *nnzc);
    v3doff_h264_idct_many h264_idct_add16intra;

    /* These change coefficients, not samples: they are done in the call, on the CPU, bound or not. */
    void (*h264_luma_dc_dequant_idct)(int16_t *output, int16_t *input, int qmul);
    void (*h264_chroma_dc_dequant_idct)(int16_t *block, int qmul);

    /* Bypassed transform: sums are taken modulo the size of a sample in memory. */
    v3doff_h264_idct h264_add_pixels8_clear;
    v3doff_h264_idct h264_add_pixels4_clear;
} v3doff_h264dsp;

/*
 * Fills a table for a bit depth of 8, 9, 10, 12 or 14 and a chroma_format_idc of 0 to 3
 * (UNSUPPORTED: others). table->struct_size must be set. The functions stay valid for ever, and
 * never fail in a way that ends the process.
 */
V3DOFF_API v3doff_result v3doff_h264dsp_init(v3doff_h264dsp *table, uint32_t bit_depth,
                                             uint32_t chroma_format_idc);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264DSP_H */
