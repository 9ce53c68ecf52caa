// SPDX-License-Identifier: BSD-2-Clause
// A stream decoded by libavcodec, with or without libv3doff.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario.hpp"

namespace fuzz {

struct FrameSeen {
    int part; // of the stream: before or behind a stop
    int width, height, format;
    int64_t time;
    uint64_t hash;  // when it was returned
    uint64_t later; // when it was let go of
    bool operator==(const FrameSeen &) const = default;
};

struct Decoded {
    std::vector<FrameSeen> frames;
    int errors = 0;
    bool drained[2] = {false, false}; // each part gave all its frames
};

struct Pictures {
    uint64_t gpu = 0, cpu = 0;
    uint64_t whole = 0; // of gpu: reconstructed there, not only filtered
};

// Packets as the decoder gets them.
std::vector<Bytes> packets_of(const Stream &stream, Packets kind);

Decoded decode(const Stream &stream, const Settings &settings, bool with_v3doff);

// What is wrong with the second decode; frames that a delay keeps back are none of it.
std::optional<std::string> difference(const Decoded &without, const Decoded &with, bool delay);

// What decoders have told of the pictures that they decoded with libv3doff.
Pictures pictures_so_far();
void listen_to_log();

} // namespace fuzz
