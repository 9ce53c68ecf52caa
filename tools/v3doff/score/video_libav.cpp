// SPDX-License-Identifier: BSD-2-Clause
// Any file that libavformat reads; its decoder runs with threads of its own.
#include "score/video.hpp"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
}

namespace tool::score {
namespace {

struct Free {
    void operator()(AVFormatContext *p) const { avformat_close_input(&p); }
    void operator()(AVCodecContext *p) const { avcodec_free_context(&p); }
    void operator()(AVPacket *p) const { av_packet_free(&p); }
    void operator()(AVFrame *p) const { av_frame_free(&p); }
};

// How often a decoder has said that something is wrong. It prints that, and mostly goes on.
class ErrorCount {
  public:
    // Contexts of the decoder's threads are copies, opaque included.
    void watch(AVCodecContext &decoder) { decoder.opaque = this; }
    uint64_t count() const { return count_; }

    // A callback of libavutil.
    static void log(void *context, int level, const char *format, va_list arguments) {
        const bool whole_line = std::strchr(format, '\n');
        av_log_default_callback(context, level, format, arguments);
        if (!context || (level & 0xff) > AV_LOG_ERROR || !whole_line) return;
        if (*static_cast<const AVClass **>(context) != avcodec_get_class()) return;
        auto *counter = static_cast<ErrorCount *>(static_cast<AVCodecContext *>(context)->opaque);
        if (counter) counter->count_++;
    }

  private:
    std::atomic<uint64_t> count_ = 0;
};

class Libav final : public Video {
  public:
    explicit Libav(const std::string &path) : path_(path) {
        av_log_set_level(AV_LOG_ERROR);
        av_log_set_callback(ErrorCount::log);
        open();
        const AVStream *stream = input_->streams[stream_];
        if (stream->nb_frames > 0) pictures_ = uint64_t(stream->nb_frames);
        // The first picture determines the format of all.
        if (!decode()) fail("has no picture that can be decoded");
        format_ = format_of(*frame_);
        decoded_ = true;
    }

    bool next(v3doff_planes &planes) override {
        if (!decoded_ && !decode()) return false;
        decoded_ = false;
        if (format_of(*frame_) != format_)
            fail(fmt::format("changes from {} to {}", format_.text(), format_of(*frame_).text()));
        planes = {};
        planes.struct_size = sizeof planes;
        planes.count = format_.planes();
        for (unsigned p = 0; p < planes.count; p++) {
            planes.data[p] = frame_->data[p];
            planes.stride[p] = frame_->linesize[p];
        }
        return true;
    }

    uint64_t errors() const override { return std::max(messages_.count(), flagged_pictures_); }

  private:
    [[noreturn]] void fail(const std::string &what) const {
        throw std::runtime_error(path_ + ": " + what);
    }
    int must(int result, const char *what) const {
        if (result >= 0) return result;
        char text[AV_ERROR_MAX_STRING_SIZE] = {};
        av_strerror(result, text, sizeof text);
        fail(fmt::format("{}: {}", what, text));
    }

    void open() {
        AVFormatContext *input = nullptr;
        must(avformat_open_input(&input, path_.c_str(), nullptr, nullptr), "opening");
        input_.reset(input);
        must(avformat_find_stream_info(input, nullptr), "reading");
        const AVCodec *codec = nullptr;
        stream_ = must(av_find_best_stream(input, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0),
                       "looking for video");
        decoder_.reset(avcodec_alloc_context3(codec));
        must(avcodec_parameters_to_context(decoder_.get(), input->streams[stream_]->codecpar),
             "preparing the decoder");
        decoder_->thread_count = 0; // as many as there are processors
        messages_.watch(*decoder_);
        // A damaged picture must not be scored without an error.
        decoder_->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
        must(avcodec_open2(decoder_.get(), codec, nullptr), "opening the decoder");
        packet_.reset(av_packet_alloc());
        frame_.reset(av_frame_alloc());
    }

    bool decode() {
        while (true) {
            const int result = avcodec_receive_frame(decoder_.get(), frame_.get());
            if (result == AVERROR_EOF) return false;
            if (result != AVERROR(EAGAIN)) {
                must(result, "decoding");
                if (frame_->flags & AV_FRAME_FLAG_CORRUPT) fail("has a damaged picture");
                if (frame_->decode_error_flags) flagged_pictures_++;
                return true;
            }
            feed();
        }
    }

    void feed() {
        const int result = av_read_frame(input_.get(), packet_.get());
        if (result == AVERROR_EOF) {
            must(avcodec_send_packet(decoder_.get(), nullptr), "decoding");
            return;
        }
        must(result, "reading");
        const bool ours = packet_->stream_index == stream_;
        if (packet_->flags & AV_PKT_FLAG_CORRUPT) fail("truncated, or damaged");
        const int sent = ours ? avcodec_send_packet(decoder_.get(), packet_.get()) : 0;
        av_packet_unref(packet_.get());
        must(sent, "decoding");
    }

    VideoFormat format_of(const AVFrame &frame) const {
        const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(AVPixelFormat(frame.format));
        const uint64_t others = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_ALPHA |
                                AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL |
                                AV_PIX_FMT_FLAG_FLOAT;
        const bool gray = pixels && pixels->nb_components == 1;
        if (!pixels || pixels->flags & others || pixels->comp[0].shift ||
            !(gray || pixels->flags & AV_PIX_FMT_FLAG_PLANAR) ||
            (!gray && pixels->comp[2].plane != 2))
            fail(fmt::format("the pixel format {} is not supported",
                             pixels ? pixels->name : "unknown"));
        const int shifts = pixels->log2_chroma_w * 4 + pixels->log2_chroma_h;
        VideoFormat format;
        format.width = uint32_t(frame.width);
        format.height = uint32_t(frame.height);
        format.bit_depth = uint32_t(pixels->comp[0].depth);
        format.chroma = gray          ? V3DOFF_CHROMA_400
                        : shifts == 5 ? V3DOFF_CHROMA_420
                        : shifts == 4 ? V3DOFF_CHROMA_422
                        : shifts == 1 ? V3DOFF_CHROMA_440
                                      : V3DOFF_CHROMA_444;
        if (!gray && shifts != 5 && shifts != 4 && shifts != 1 && shifts != 0)
            fail(fmt::format("the pixel format {} is not supported", pixels->name));
        return format;
    }

    const std::string path_;
    ErrorCount messages_; // outlives what writes them
    uint64_t flagged_pictures_ = 0;
    std::unique_ptr<AVFormatContext, Free> input_;
    std::unique_ptr<AVCodecContext, Free> decoder_;
    std::unique_ptr<AVPacket, Free> packet_;
    std::unique_ptr<AVFrame, Free> frame_;
    int stream_ = 0;
    bool decoded_ = false;
};

} // namespace

} // namespace tool::score

extern "C" __attribute__((visibility("default"))) tool::score::Video *
v3doff_open_libav(const char *path);

tool::score::Video *v3doff_open_libav(const char *path) {
    return new tool::score::Libav(path);
}
