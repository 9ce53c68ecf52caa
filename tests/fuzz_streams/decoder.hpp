// SPDX-License-Identifier: BSD-2-Clause
// A decoder of libavcodec, used as the settings say.
#pragma once

#include "buffers.hpp"
#include "decode.hpp"
#include "returned.hpp"

namespace fuzz {

// Else frames may come one later whatever the settings say, as an older libavcodec returns them.
bool delay_can_be_chosen();

class Decoder {
  public:
    Decoder(Codec codec, const Settings &settings, bool with_v3doff);
    ~Decoder();
    Decoder(const Decoder &) = delete;
    Decoder &operator=(const Decoder &) = delete;

    void send(const Bytes &bytes);
    void drain();
    void flush();  // another part of the stream follows
    void reopen(); // so it does in another decoder, with one thread
    void close() { avcodec_free_context(&context_); }
    void free_frames() { frames_.free_all(); }
    Decoded finish();

  private:
    void open(int threads);
    void send_empty();
    void be_late();
    void send_packet();
    void take_frames(bool all);

    const AVCodec *codec_;
    const Settings &settings_;
    const bool with_v3doff_;
    Caller caller_;
    AVCodecContext *context_ = nullptr;
    AVFrame *frame_;
    AVPacket *packet_;
    ReturnedFrames frames_;
    Decoded decoded_;
    int part_ = 0;
    size_t sent_ = 0;
};

} // namespace fuzz
