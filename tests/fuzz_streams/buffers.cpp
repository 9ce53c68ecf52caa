// SPDX-License-Identifier: BSD-2-Clause
#include "buffers.hpp"

extern "C" {
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

#include <cstdlib>
#include <cstring>

namespace fuzz {
namespace {

constexpr size_t page = 4096, least_alignment = 64;

void free_memory(void *, uint8_t *memory) {
    std::free(memory);
}

AVBufferRef *allocate(size_t bytes) {
    bytes = (bytes + page - 1) / page * page;
    auto *memory = static_cast<uint8_t *>(std::aligned_alloc(page, bytes));
    AVBufferRef *buffer =
        memory ? av_buffer_create(memory, bytes, free_memory, nullptr, 0) : nullptr;
    if (!buffer) std::free(memory);
    return buffer;
}

struct Layout {
    int strides[4] = {};
    size_t sizes[4] = {};
    int planes = 0;
};

Layout lay_out(AVCodecContext *context, const AVFrame *frame, Buffers kind) {
    Layout layout;
    int width = frame->width, height = frame->height, alignments[AV_NUM_DATA_POINTERS];
    avcodec_align_dimensions2(context, &width, &height, alignments);
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(AVPixelFormat(frame->format));
    layout.planes = av_pix_fmt_count_planes(AVPixelFormat(frame->format));
    for (int p = 0; p < layout.planes; p++) {
        int bytes = av_image_get_linesize(AVPixelFormat(frame->format), width, p);
        // Not what FFmpeg would take: wider rows, and where nothing else is needed odd multiples.
        layout.strides[p] =
            FFALIGN(bytes, int(least_alignment)) + (kind == Buffers::one_aligned ? 0 : 64);
        int rows = p == 1 || p == 2 ? AV_CEIL_RSHIFT(height, format->log2_chroma_h) : height;
        layout.sizes[p] = size_t(layout.strides[p]) * size_t(rows + 2) + 256;
    }
    return layout;
}

int get_own_buffer(AVCodecContext *context, AVFrame *frame, Buffers kind) {
    const Layout layout = lay_out(context, frame, kind);
    const size_t before = kind == Buffers::misaligned ? least_alignment : 0;
    size_t all = before;
    for (size_t size : layout.sizes)
        all += FFALIGN(size, least_alignment);
    size_t at = before;
    for (int p = 0; p < layout.planes; p++) {
        if (kind == Buffers::planes_apart) at = 0;
        if (!p || kind == Buffers::planes_apart) {
            frame->buf[p] = allocate(kind == Buffers::planes_apart ? layout.sizes[p] : all);
            if (!frame->buf[p]) return AVERROR(ENOMEM);
        }
        frame->data[p] = frame->buf[kind == Buffers::planes_apart ? p : 0]->data + at;
        frame->linesize[p] = layout.strides[p];
        at += FFALIGN(layout.sizes[p], least_alignment);
    }
    frame->extended_data = frame->data;
    return 0;
}

void fill(AVFrame *frame) {
    const int deep = av_pix_fmt_desc_get(AVPixelFormat(frame->format))->comp[0].depth > 8;
    for (int p = 0; p < AV_NUM_DATA_POINTERS && frame->data[p]; p++) {
        const AVBufferRef *buffer = av_frame_get_plane_buffer(frame, p);
        // Of two bytes too it is a sample that 9 bits hold.
        std::memset(frame->data[p], deep ? 1 : 0x5a + p,
                    size_t(buffer->data + buffer->size - frame->data[p]));
    }
}

} // namespace

int get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags) {
    Caller &caller = *static_cast<Caller *>(context->opaque);
    if (++caller.buffers == caller.settings.refused_buffer) return AVERROR(ENOMEM);
    const Buffers kind = caller.settings.buffers;
    int result = kind == Buffers::decoder ? avcodec_default_get_buffer2(context, frame, flags)
                                          : get_own_buffer(context, frame, kind);
    if (result >= 0) fill(frame);
    return result;
}

} // namespace fuzz
