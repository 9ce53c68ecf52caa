// SPDX-License-Identifier: BSD-2-Clause
#include "decode.hpp"

extern "C" {
#include "../ffmpeg/frame_hash.h"
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>

#include "buffers.hpp"

namespace fuzz {
namespace {

constexpr int64_t most_pixels = 640 * 480; // streams that say more are refused by both

std::atomic<uint64_t> gpu_pictures, cpu_pictures, whole_pictures;

// The summary of a decoder comes in pieces of a line.
void note_line(void *, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_INFO) return;
    if (std::strncmp(format, "libv3doff: pictures:", 20) && std::strncmp(format, "; %s:", 5))
        return;
    char line[300];
    std::vsnprintf(line, sizeof line, format, arguments);
    unsigned long long gpu = 0, cpu = 0;
    if (std::sscanf(line, "libv3doff: pictures: GPU %llu, CPU %llu", &gpu, &cpu) == 2) {
        gpu_pictures += gpu;
        cpu_pictures += cpu;
    } else if (std::sscanf(line, "; reconstructed: GPU %llu", &gpu) == 1) {
        whole_pictures += gpu;
    }
}

class Decoder {
  public:
    Decoder(Codec codec, const Settings &settings, bool with_v3doff)
        : settings_(settings), frame_(av_frame_alloc()), packet_(av_packet_alloc()) {
        const AVCodec *found =
            avcodec_find_decoder(codec == Codec::vp9 ? AV_CODEC_ID_VP9 : AV_CODEC_ID_H264);
        context_ = avcodec_alloc_context3(found);
        context_->opaque = const_cast<Settings *>(&settings_);
        context_->get_buffer2 = get_filled_buffer;
        context_->max_pixels = most_pixels;
        context_->thread_count = settings.threads;
        context_->thread_type = settings.slices ? FF_THREAD_SLICE : FF_THREAD_FRAME;
        context_->skip_loop_filter = AVDiscard(settings.filter_left_out);
        if (settings.low_delay) context_->flags |= AV_CODEC_FLAG_LOW_DELAY;
        if (settings.fast) context_->flags2 |= AV_CODEC_FLAG2_FAST;
        if (settings.explode) context_->err_recognition |= AV_EF_EXPLODE;
        if (!settings.conceal) context_->error_concealment = 0;
        // Pictures that go out are waited for: here later than the next ones are predicted from
        // them.
        if (settings.reorder && codec == Codec::h264) context_->has_b_frames = 3;
        bool set = av_opt_set(context_->priv_data, "v3doff", with_v3doff ? settings.mode : "off",
                              0) >= 0 &&
                   av_opt_set(context_->priv_data, "v3doff_scope", settings.scope_name(), 0) >= 0;
        if (!set || avcodec_open2(context_, found, nullptr) < 0) {
            std::fprintf(stderr, "fuzz: the decoder does not open\n");
            std::abort();
        }
    }
    ~Decoder() {
        while (!held_.empty())
            let_go();
        av_frame_free(&frame_);
        av_packet_free(&packet_);
        avcodec_free_context(&context_);
    }
    Decoder(const Decoder &) = delete;
    Decoder &operator=(const Decoder &) = delete;

    void send(const Bytes &bytes) {
        if (av_new_packet(packet_, int(bytes.size())) < 0) std::abort();
        std::memcpy(packet_->data, bytes.data(), bytes.size());
        packet_->pts = time_++;
        int result = avcodec_send_packet(context_, packet_);
        while (result == AVERROR(EAGAIN)) {
            take_frames();
            result = avcodec_send_packet(context_, packet_);
        }
        if (result < 0) decoded_.errors++;
        av_packet_unref(packet_);
        take_frames();
    }

    void drain() {
        avcodec_send_packet(context_, nullptr);
        take_frames();
        decoded_.drained[part_] = true;
    }

    void flush() {
        avcodec_flush_buffers(context_);
        part_ = 1;
    }

    Decoded finish() {
        // Frames may outlive their decoder.
        if (settings_.held % 2) avcodec_free_context(&context_);
        while (!held_.empty())
            let_go();
        return std::move(decoded_);
    }

  private:
    void take_frames() {
        for (;;) {
            int result = avcodec_receive_frame(context_, frame_);
            if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return;
            if (result < 0) {
                // The packet's error, told now; a decoder with frame threads may have more to say.
                if (++decoded_.errors > 10000) return;
                continue;
            }
            decoded_.frames.push_back({part_, frame_->width, frame_->height, frame_->format,
                                       frame_->pts, hash_frame(frame_), 0});
            held_.push_back(av_frame_alloc());
            av_frame_move_ref(held_.back(), frame_);
            if (held_.size() > size_t(settings_.held)) let_go();
        }
    }

    void let_go() {
        FrameSeen &seen = decoded_.frames[decoded_.frames.size() - held_.size()];
        seen.later = settings_.held ? hash_frame(held_.front()) : seen.hash;
        av_frame_free(&held_.front());
        held_.pop_front();
    }

    const Settings settings_;
    AVCodecContext *context_ = nullptr;
    AVFrame *frame_;
    AVPacket *packet_;
    std::deque<AVFrame *> held_;
    Decoded decoded_;
    int part_ = 0;
    int64_t time_ = 0;
};

std::vector<Bytes> access_units(const Bytes &file) {
    std::vector<Bytes> packets;
    AVCodecParserContext *parser = av_parser_init(AV_CODEC_ID_H264);
    AVCodecContext *context = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_H264));
    Bytes padded = file;
    padded.resize(file.size() + AV_INPUT_BUFFER_PADDING_SIZE);
    size_t at = 0;
    bool more = true;
    while (more) {
        more = at < file.size();
        uint8_t *data = nullptr;
        int size = 0;
        int used = av_parser_parse2(parser, context, &data, &size, padded.data() + at,
                                    int(file.size() - at), AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
        if (used < 0) break;
        at += size_t(used);
        if (size) packets.emplace_back(data, data + size);
    }
    av_parser_close(parser);
    avcodec_free_context(&context);
    return packets;
}

} // namespace

Pictures pictures_so_far() {
    return {gpu_pictures, cpu_pictures, whole_pictures};
}

void listen_to_log() {
    av_log_set_callback(note_line);
}

std::vector<Bytes> packets_of(const Stream &stream, Packets kind) {
    if (stream.codec == Codec::vp9) return stream.units;
    if (kind == Packets::access_units) return access_units(to_file(stream));
    std::vector<Bytes> packets;
    const size_t group = kind == Packets::units ? 1 : 3;
    for (size_t i = 0; i < stream.units.size(); i += group) {
        Stream some{stream.codec, {}, {}};
        for (size_t j = i; j < stream.units.size() && j < i + group; j++)
            some.units.push_back(stream.units[j]);
        packets.push_back(to_file(some));
    }
    return packets;
}

Decoded decode(const Stream &stream, const Settings &settings, bool with_v3doff) {
    const std::vector<Bytes> packets = packets_of(stream, settings.packets);
    Decoder decoder(stream.codec, settings, with_v3doff);
    const size_t count = packets.size();
    bool stopped = settings.stop == Stop::none;
    size_t sent = 0;
    for (size_t i = 0; i < count; i++) {
        decoder.send(packets[i]);
        if (++sent == settings.close_after) return decoder.finish();
        if (stopped || sent < settings.stop_after) continue;
        stopped = true;
        if (settings.stop == Stop::drain) decoder.drain();
        decoder.flush();
        i = settings.restart_at % count - 1; // the loop adds one
    }
    decoder.drain();
    return decoder.finish();
}

std::optional<std::string> difference(const Decoded &without, const Decoded &with, bool delay) {
    // A delay keeps the last frame of a part that was not drained. The others it gives later:
    // FFmpeg may have returned a frame after its first field and decoded the second one into it
    // since.
    size_t at = 0;
    for (int part = 0; part < 2; part++) {
        std::vector<FrameSeen> first, second;
        for (const FrameSeen &frame : without.frames)
            if (frame.part == part) first.push_back(frame);
        for (const FrameSeen &frame : with.frames)
            if (frame.part == part) second.push_back(frame);
        if (delay && !with.drained[part] && second.size() + 1 == first.size()) first.pop_back();
        for (size_t i = 0; i < first.size() && i < second.size(); i++, at++) {
            FrameSeen a = first[i];
            const FrameSeen &b = second[i];
            if (delay && b.hash == a.later) a.hash = a.later;
            if (a == b) continue;
            bool size = a.width != b.width || a.height != b.height || a.format != b.format;
            return "frame " + std::to_string(at) +
                   (size               ? " has another size or format"
                    : a.time != b.time ? " has another time"
                    : a.hash != b.hash ? " has other samples"
                                       : " changed after it was returned");
        }
        if (first.size() != second.size())
            return std::to_string(second.size()) + " frames instead of " +
                   std::to_string(first.size());
    }
    return std::nullopt;
}

} // namespace fuzz
