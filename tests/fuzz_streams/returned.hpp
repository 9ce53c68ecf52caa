// SPDX-License-Identifier: BSD-2-Clause
// Frames that a decoder returned, as a program treats them: looked at, kept, written, freed.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

extern "C" {
#include <libavutil/frame.h>
}

#include "scenario.hpp"

namespace fuzz {

struct FrameSeen {
    int part; // of the stream: before or behind a stop
    int width, height, format;
    int64_t time;
    size_t packets;   // sent when it was returned
    uint64_t hash;    // when it was returned
    uint64_t later;   // before the program wrote into it, or when it was let go of
    bool overwritten; // what the program wrote was not there any more when it was let go of
    bool operator==(const FrameSeen &) const = default;
};

class ReturnedFrames {
  public:
    explicit ReturnedFrames(const Settings &settings) : settings_(settings) {}
    ~ReturnedFrames() { free_all(); }
    ReturnedFrames(const ReturnedFrames &) = delete;
    ReturnedFrames &operator=(const ReturnedFrames &) = delete;

    void take(AVFrame *frame, int part, size_t packets); // moves it
    void write_where_possible();                         // frames that have become writable
    void free_all();

    std::vector<FrameSeen> seen;

  private:
    struct Kept {
        AVFrame *frame;
        size_t index; // of seen
        bool written = false;
        uint64_t pattern = 0; // its hash
    };
    void write(Kept &kept);
    void let_go();

    const Settings &settings_;
    std::deque<Kept> kept_;
};

} // namespace fuzz
