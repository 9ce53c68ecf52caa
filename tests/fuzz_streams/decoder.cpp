// SPDX-License-Identifier: BSD-2-Clause
#include "decoder.hpp"

extern "C" {
#include <libavutil/opt.h>
}

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fuzz {
namespace {

constexpr int64_t most_pixels = 640 * 480; // streams that say more are refused by both

} // namespace

bool delay_can_be_chosen() {
    AVCodecContext *context = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_H264));
    const bool found = av_opt_find(context->priv_data, "v3doff_delay", nullptr, 0, 0);
    avcodec_free_context(&context);
    return found;
}

Decoder::Decoder(Codec codec, const Settings &settings, bool with_v3doff)
    : codec_(avcodec_find_decoder(codec == Codec::vp9 ? AV_CODEC_ID_VP9 : AV_CODEC_ID_H264)),
      settings_(settings), with_v3doff_(with_v3doff), caller_{settings}, frame_(av_frame_alloc()),
      packet_(av_packet_alloc()), frames_(settings) {
    open(settings.threads);
}

Decoder::~Decoder() {
    frames_.free_all();
    av_frame_free(&frame_);
    av_packet_free(&packet_);
    close();
}

void Decoder::open(int threads) {
    context_ = avcodec_alloc_context3(codec_);
    context_->opaque = &caller_;
    context_->get_buffer2 = get_filled_buffer;
    context_->max_pixels = most_pixels;
    context_->thread_count = threads;
    context_->thread_type = settings_.slices ? FF_THREAD_SLICE : FF_THREAD_FRAME;
    context_->skip_loop_filter = AVDiscard(settings_.filter_left_out);
    if (settings_.low_delay) context_->flags |= AV_CODEC_FLAG_LOW_DELAY;
    if (settings_.corrupt) context_->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    if (settings_.fast) context_->flags2 |= AV_CODEC_FLAG2_FAST;
    if (settings_.explode) context_->err_recognition |= AV_EF_EXPLODE;
    if (!settings_.conceal) context_->error_concealment = 0;
    // Pictures that go out are waited for: here later than the next ones are predicted from them.
    if (settings_.reorder && codec_->id == AV_CODEC_ID_H264) context_->has_b_frames = 3;
    void *options = context_->priv_data;
    bool set = av_opt_set(options, "v3doff", with_v3doff_ ? settings_.mode : "off", 0) >= 0 &&
               av_opt_set(options, "v3doff_scope", settings_.scope_name(), 0) >= 0;
    if (av_opt_find(options, "v3doff_delay", nullptr, 0, 0))
        set = set && av_opt_set(options, "v3doff_delay", settings_.delay ? "1" : "0", 0) >= 0;
    if (!set || avcodec_open2(context_, codec_, nullptr) < 0) {
        std::fprintf(stderr, "fuzz: the decoder does not open\n");
        std::abort();
    }
}

// A player that is late leaves out what nothing is predicted from, or its filter.
void Decoder::be_late() {
    if (!settings_.late_after || sent_ < settings_.late_after) return;
    const size_t step = sent_ % 5;
    context_->skip_frame = step == 1 ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
    context_->skip_loop_filter = step == 2   ? AVDISCARD_ALL
                                 : step == 3 ? AVDISCARD_NONREF
                                             : AVDiscard(settings_.filter_left_out);
}

void Decoder::send_packet() {
    int result = avcodec_send_packet(context_, packet_);
    while (result == AVERROR(EAGAIN)) {
        take_frames(settings_.receive != Receive::one);
        result = avcodec_send_packet(context_, packet_);
    }
    if (result < 0) decoded_.errors++;
    av_packet_unref(packet_);
}

// One that is refused, or one that has nothing but side data.
void Decoder::send_empty() {
    if (sent_ % 2 ? av_new_packet(packet_, 0) < 0
                  : !av_packet_new_side_data(packet_, AV_PKT_DATA_STRINGS_METADATA, 8))
        std::abort();
    if (!(sent_ % 2)) std::memcpy(packet_->side_data[0].data, "key\0val", 8);
    send_packet();
}

void Decoder::send(const Bytes &bytes) {
    be_late();
    if (settings_.receive == Receive::before) take_frames(true);
    if (settings_.empty_packets && sent_ % 3 == 1) send_empty();
    if (av_new_packet(packet_, int(bytes.size())) < 0) std::abort();
    std::memcpy(packet_->data, bytes.data(), bytes.size());
    packet_->pts = int64_t(sent_++);
    send_packet();
    if (settings_.receive != Receive::before) take_frames(settings_.receive == Receive::behind);
    frames_.write_where_possible();
}

void Decoder::drain() {
    // A packet without data says the same as none; what follows it is refused.
    avcodec_send_packet(context_, settings_.empty_packets ? packet_ : nullptr);
    if (settings_.empty_packets) avcodec_send_packet(context_, nullptr);
    take_frames(true);
    if (settings_.empty_packets) avcodec_send_packet(context_, nullptr);
    decoded_.drained[part_] = true;
}

void Decoder::flush() {
    avcodec_flush_buffers(context_);
    part_ = 1;
}

void Decoder::reopen() {
    close();
    open(1);
    part_ = 1;
}

Decoded Decoder::finish() {
    // Frames may outlive their decoder.
    if (settings_.held % 2) close();
    frames_.free_all();
    decoded_.frames = std::move(frames_.seen);
    return std::move(decoded_);
}

void Decoder::take_frames(bool all) {
    for (;;) {
        int result = avcodec_receive_frame(context_, frame_);
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
        if (result < 0) {
            // The packet's error, told now; a decoder with frame threads may have more to say.
            if (++decoded_.errors > 10000) return;
            continue;
        }
        frames_.take(frame_, part_, sent_);
        if (!all) return;
    }
}

} // namespace fuzz
