// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's H.264 deblocking of a whole picture, from a decoder's arrays: its own walk over slices
// and macroblocks, its own boundary strengths and thresholds.
#ifndef FFDSP_H264_FILTER_H
#define FFDSP_H264_FILTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FFDSP_FILTER_SLICES = 31 }; // FFmpeg keeps the references of 32, and counts from 1

typedef struct FfdspFilterSlice {
    int first; // address of its first macroblock, in raster order of the picture or field; of MBAFF
               // frames, too
    int disable_deblocking_filter, offset_a, offset_b;
    int lists;                    // 1 in P slices, 2 in B slices
    uint8_t picture[2][32];       // by list and reference index, 0 to 126
    uint8_t field_picture[2][32]; // the same of field macroblocks in MBAFF frames
} FfdspFilterSlice;

// A call of a filter for one edge: plane, sample, direction; tc0 NULL: strength 4.
typedef void (*FfdspFilterRecord)(void *opaque, int plane, int x, int y, int vertical_edge,
                                  int alpha, int beta, const int8_t *tc0);

// Arrays in the layout of FFmpeg's frames: (x, y) of a macroblock at y * mb_stride + x, mb_stride
// at least mb_width + 1, readable from 2 * mb_stride + 1 elements before, those outside of the
// picture with slice_table 0xffff; motion vectors with 4 * mb_width from row to row. In a field
// its macroblock rows are every second one of them.
typedef struct FfdspFilter {
    int bit_depth, chroma_format_idc, cabac;
    int structure; // 1: top field, 2: bottom field, 3: frame
    int mbaff;
    int mb_width, mb_height; // of the frame
    int mb_stride;
    int chroma_qp_index_offset[2];
    uint32_t *mb_type;
    int8_t *qscale;
    uint16_t *slice_table; // slice n has number n + 1
    uint8_t (*non_zero_count)[48];
    uint16_t *cbp;
    int16_t (*motion[2])[2];
    int8_t *reference[2];
    const FfdspFilterSlice *slices;
    int slice_count;
    uint8_t *data[3];    // of the frame
    ptrdiff_t stride[2]; // luma's, chroma's
} FfdspFilter;

// Filters the picture or field in place. With record, no sample changes: each call of an edge
// filter is reported instead. simd also decides whether strengths come from FFmpeg's C code or from
// its SIMD function, where there is one. Returns 0, or -1 where the input is out of range.
int ffdsp_filter_picture(const FfdspFilter *input, int simd, FfdspFilterRecord record,
                         void *opaque);

#ifdef __cplusplus
}
#endif

#endif
