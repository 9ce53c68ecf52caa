// SPDX-License-Identifier: BSD-2-Clause
#include "returned.hpp"

extern "C" {
#include "../ffmpeg/frame_hash.h"
}

#include <cstdlib>
#include <cstring>

namespace fuzz {
namespace {

// The whole buffers: nobody else may use any byte of them.
void fill_with_pattern(AVFrame *frame) {
    const bool deep = av_pix_fmt_desc_get(AVPixelFormat(frame->format))->comp[0].depth > 8;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++)
        std::memset(frame->buf[i]->data, deep ? 0 : 0xc3 + i, frame->buf[i]->size);
}

} // namespace

void ReturnedFrames::take(AVFrame *frame, int part, size_t packets) {
    seen.push_back({part, frame->width, frame->height, frame->format, frame->pts, packets,
                    hash_frame(frame), 0, false});
    kept_.push_back({av_frame_alloc(), seen.size() - 1});
    av_frame_move_ref(kept_.back().frame, frame);
    if (settings_.write == Write::copies) {
        if (av_frame_make_writable(kept_.back().frame) < 0) std::abort();
        write(kept_.back());
    }
    write_where_possible();
    while (kept_.size() > size_t(settings_.held))
        let_go();
}

void ReturnedFrames::write_where_possible() {
    if (settings_.write != Write::when_writable) return;
    for (Kept &kept : kept_)
        if (!kept.written && av_frame_is_writable(kept.frame)) write(kept);
}

void ReturnedFrames::write(Kept &kept) {
    seen[kept.index].later = hash_frame(kept.frame);
    fill_with_pattern(kept.frame);
    kept.written = true;
    kept.pattern = hash_frame(kept.frame);
}

void ReturnedFrames::let_go() {
    Kept &kept = kept_.front();
    FrameSeen &frame = seen[kept.index];
    if (kept.written)
        frame.overwritten = hash_frame(kept.frame) != kept.pattern;
    else
        frame.later = settings_.held ? hash_frame(kept.frame) : frame.hash;
    av_frame_free(&kept.frame);
    kept_.pop_front();
}

void ReturnedFrames::free_all() {
    while (!kept_.empty())
        let_go();
}

} // namespace fuzz
