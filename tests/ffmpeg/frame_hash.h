// SPDX-License-Identifier: BSD-2-Clause
// A hash of a frame's samples, without padding.
#pragma once

#include <stdint.h>

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

static uint64_t hash_row(uint64_t sum, const uint8_t *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t hash_frame(const AVFrame *frame) {
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (int p = 0; p < av_pix_fmt_count_planes((enum AVPixelFormat)frame->format); p++) {
        int chroma = p == 1 || p == 2;
        int width = AV_CEIL_RSHIFT(frame->width, chroma ? format->log2_chroma_w : 0);
        int height = AV_CEIL_RSHIFT(frame->height, chroma ? format->log2_chroma_h : 0);
        for (int y = 0; y < height; y++)
            sum = hash_row(sum, frame->data[p] + (ptrdiff_t)y * frame->linesize[p],
                           (size_t)width * (format->comp[0].depth > 8 ? 2 : 1));
    }
    return sum;
}
