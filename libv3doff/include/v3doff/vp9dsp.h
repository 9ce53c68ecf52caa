/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VP9's DSP functions with the names, dimensions and signatures of FFmpeg's VP9DSPContext. dsp.h
 * says what a call does. Strides are in bytes.
 */
#ifndef V3DOFF_VP9DSP_H
#define V3DOFF_VP9DSP_H

#include "v3doff/dsp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct v3doff_vp9dsp {
    size_t struct_size;

    /*
     * [0 4x4, 1 8x8, 2 16x16, 3 32x32, 4 lossless][type, columns first: 0 DCT and DCT, 1 DCT and
     * ADST, 2 ADST and DCT, 3 ADST and ADST]. For 32x32 every type is DCT, for lossless every type
     * is Walsh-Hadamard. block: int16_t with 8 bits, int32_t with more, column after column; the
     * call clears it. eob: the number of coefficients in scan order; those after it must be zero.
     */
    void (*itxfm_add[5][4])(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob);

    /*
     * [0 4 wide, 1 8 wide, 2 16 wide][0 edge between columns, 1 edge between rows], 8 lines. dst is
     * the first sample after the edge. The limits are those for 8 bits at any depth:
     * mb_lim = 2 * (level + 2) + lim, hev_thr = level >> 4, lim from level and sharpness.
     */
    void (*loop_filter_8[3][2])(uint8_t *dst, ptrdiff_t stride, int mb_lim, int lim, int hev_thr);

    /* 16 wide, 16 lines. */
    void (*loop_filter_16[2])(uint8_t *dst, ptrdiff_t stride, int mb_lim, int lim, int hev_thr);

    /* [width for the first 8 lines][width for the next 8][direction]; widths: 0 4 wide, 1 8 wide.
     * The limits' low 8 bits are for the first lines, the bits above for the next. */
    void (*loop_filter_mix2[2][2][2])(uint8_t *dst, ptrdiff_t stride, int mb_lim, int lim,
                                      int hev_thr);

    /*
     * Motion compensation. These calls are executed immediately, also in a bound thread. A decoder
     * keeps its own functions here; to use a device, it calls v3doff_vp9_record_mc. [0 64 wide, 1
     * 32, 2 16, 3 8, 4 4][0 smooth, 1 regular, 2 sharp, 3 bilinear][0 put, 1 average] [mx is not
     * 0][my is not 0]; mx, my in 1/16 sample; h 1 to 64.
     */
    void (*mc[5][4][2][2][2])(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref,
                              ptrdiff_t ref_stride, int h, int mx, int my);

    /* The same from a reference of another size. dx, dy: the steps in 1/16 sample, 1 to 32. Other
     * steps are refused. */
    void (*smc[5][4][2])(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref,
                         ptrdiff_t ref_stride, int h, int mx, int my, int dx, int dy);
} v3doff_vp9dsp;

/*
 * Fills a table for a bit depth of 8, 10 or 12 (UNSUPPORTED: other depths). table->struct_size must
 * be set; members that this library does not have become NULL. The functions stay valid while the
 * library is loaded. They never end the process, not even if they fail.
 */
V3DOFF_API v3doff_result v3doff_vp9dsp_init(v3doff_vp9dsp *table, uint32_t bit_depth);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_VP9DSP_H */
