// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's own loop over a superblock's masks, without a decoder round it.
#include "ffdsp_internal.h"

#include <stdlib.h>

#include "libavcodec/avcodec.h"
#include "libavcodec/vp9dec.h"
#include "libavutil/frame.h"

struct FfdspVp9Filter {
    AVCodecContext codec;
    VP9Context context;
    AVFrame frame;
};

// The limits (8.8.4), which FFmpeg computes while it parses a frame header.
static void fill_limits(VP9Context *context, int sharpness) {
    for (int level = 1; level < 64; level++) {
        const int cap = sharpness ? 9 - sharpness : 63;
        int limit = level >> (sharpness + 3) / 4;
        if (limit > cap) limit = cap;
        if (limit < 1) limit = 1;
        context->filter_lut.lim_lut[level] = (uint8_t)limit;
        context->filter_lut.mblim_lut[level] = (uint8_t)(2 * (level + 2) + limit);
    }
}

FfdspVp9Filter *ffdsp_vp9_filter_open(int bit_depth, int simd, int ss_h, int ss_v, int sharpness) {
    FfdspVp9Filter *filter = calloc(1, sizeof(*filter));
    if (!filter) return NULL;
    ffdsp_lock(simd);
    ff_vp9dsp_init(&filter->context.dsp, bit_depth, 0);
    ffdsp_unlock();
    filter->codec.priv_data = &filter->context;
    filter->context.s.frames[CUR_FRAME].tf.f = &filter->frame;
    filter->context.ss_h = (uint8_t)ss_h;
    filter->context.ss_v = (uint8_t)ss_v;
    filter->context.bytesperpixel = (uint8_t)(bit_depth > 8 ? 2 : 1);
    fill_limits(&filter->context, sharpness);
    return filter;
}

void ffdsp_vp9_filter_superblock(FfdspVp9Filter *filter, uint8_t *const planes[3],
                                 const ptrdiff_t strides[2], const uint8_t superblock[192], int row,
                                 int col) {
    VP9Filter masks;
    _Static_assert(sizeof(masks) == 192, "this FFmpeg's VP9Filter has another layout");
    memcpy(&masks, superblock, sizeof(masks));
    const VP9Context *context = &filter->context;
    for (int plane = 0; plane < 3; plane++)
        filter->frame.data[plane] = planes[plane];
    filter->frame.linesize[0] = (int)strides[0];
    filter->frame.linesize[1] = filter->frame.linesize[2] = (int)strides[1];
    const ptrdiff_t x = (ptrdiff_t)col * 64 * context->bytesperpixel, y = (ptrdiff_t)row * 64;
    ff_vp9_loopfilter_sb(&filter->codec, &masks, row, col, y * strides[0] + x,
                         (y >> context->ss_v) * strides[1] + (x >> context->ss_h));
}

void ffdsp_vp9_filter_close(FfdspVp9Filter *filter) {
    free(filter);
}
