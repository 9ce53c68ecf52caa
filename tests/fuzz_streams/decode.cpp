// SPDX-License-Identifier: BSD-2-Clause
#include "decode.hpp"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "child.hpp"
#include "decoder.hpp"

namespace fuzz {
namespace {

std::atomic<uint64_t> gpu_pictures, cpu_pictures, whole_pictures;

// The summary of a decoder. What FFmpeg says before it aborts explains a crash.
void note_line(void *, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_INFO || (level > AV_LOG_PANIC && std::strncmp(format, "libv3doff:", 10))) return;
    char line[300];
    std::vsnprintf(line, sizeof line, format, arguments);
    if (level <= AV_LOG_PANIC) std::fputs(line, stderr);
    unsigned long long gpu = 0, cpu = 0, whole = 0;
    if (std::sscanf(line, "libv3doff: pictures: GPU %llu, CPU %llu", &gpu, &cpu) != 2) return;
    gpu_pictures += gpu;
    cpu_pictures += cpu;
    const char *reconstructed = std::strstr(line, "reconstructed: GPU ");
    if (reconstructed && std::sscanf(reconstructed, "reconstructed: GPU %llu", &whole) == 1)
        whole_pictures += whole;
}

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

namespace {

// A program that sends a stream to its decoder, and may fork on the way.
class Program {
  public:
    Program(const Stream &stream, const Settings &settings, bool with_v3doff,
            const Decoded *without)
        : stream_(stream), settings_(settings), packets_(packets_of(stream, settings.packets)),
          decoder_(stream.codec, settings, with_v3doff), with_v3doff_(with_v3doff),
          without_(without), stopped_(settings.stop == Stop::none) {}

    void send_up_to(size_t count) {
        while (at_ < packets_.size() && sent_ < count)
            send_next();
    }

    Decoded decode() {
        std::optional<Child> child;
        const size_t fork_after = without_ ? settings_.fork.after : 0;
        if (fork_after) {
            send_up_to(fork_after);
            child.emplace([this] { return be_child(); }, settings_.fork.exits);
        }
        finish();
        if (child) {
            decoded_.child = child->wait_beside_threads();
            decoded_.child_differs = child->differs();
        }
        return std::move(decoded_);
    }

  private:
    void send_next() {
        decoder_.send(packets_[at_++]);
        if (++sent_ < settings_.stop_after || stopped_) return;
        stopped_ = true;
        if (settings_.stop == Stop::drain) decoder_.drain();
        if (settings_.stop == Stop::reopen)
            decoder_.reopen();
        else
            decoder_.flush();
        at_ = settings_.restart_at % packets_.size();
    }

    void finish() {
        send_up_to(settings_.close_after ? settings_.close_after : SIZE_MAX);
        if (!settings_.close_after || sent_ < settings_.close_after) decoder_.drain();
        decoded_ = decoder_.finish();
    }

    // Of what the inherited decoder has not finished, no frames can be expected.
    Child::Status be_child() {
        switch (settings_.fork.child) {
        case Fork::nothing:
            break;
        case Fork::decode:
            return difference(*without_, fuzz::decode(stream_, settings_, with_v3doff_),
                              settings_.delays())
                       ? Child::other_frames
                       : Child::well;
        case Fork::close:
            decoder_.close();
            break;
        case Fork::go_on:
            finish();
            break;
        case Fork::free_frames:
            decoder_.free_frames();
            break;
        }
        return Child::well;
    }

    const Stream &stream_;
    const Settings &settings_;
    const std::vector<Bytes> packets_;
    Decoder decoder_;
    const bool with_v3doff_;
    const Decoded *without_;
    bool stopped_;
    size_t at_ = 0, sent_ = 0; // packets: the next one, and so many
    Decoded decoded_;
};

} // namespace

Decoded decode(const Stream &stream, const Settings &settings, bool with_v3doff,
               const Decoded *without) {
    return Program(stream, settings, with_v3doff, without).decode();
}

void decode_and_exit(const Stream &stream, const Settings &settings, bool with_v3doff) {
    Program program(stream, settings, with_v3doff, nullptr);
    program.send_up_to(settings.exit_after);
    std::exit(0);
}

} // namespace fuzz
