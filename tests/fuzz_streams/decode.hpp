// SPDX-License-Identifier: BSD-2-Clause
// A stream decoded by libavcodec, with or without libv3doff.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "returned.hpp"

namespace fuzz {

struct Decoded {
    std::vector<FrameSeen> frames;
    int errors = 0;
    bool drained[2] = {false, false}; // each part gave all its frames
    bool child_differs = false;       // a child process decoded other frames
    std::optional<std::string> child; // what else was wrong with its end
};

struct Pictures {
    uint64_t gpu = 0, cpu = 0;
    uint64_t whole = 0; // of gpu: reconstructed there, not only filtered
};

// Packets as the decoder gets them.
std::vector<Bytes> packets_of(const Stream &stream, Packets kind);

// If it knows which frames a child process may expect, it forks when the settings say so.
Decoded decode(const Stream &stream, const Settings &settings, bool with_v3doff,
               const Decoded *without = nullptr);

// Decodes up to the settings' exit_after and ends the process with the decoder as it is then.
[[noreturn]] void decode_and_exit(const Stream &stream, const Settings &settings, bool with_v3doff);

// What is wrong with the second decode; frames that a delay keeps back are none of it.
std::optional<std::string> difference(const Decoded &without, const Decoded &with, bool delay);

// What decoders have told of the pictures that they decoded with libv3doff.
Pictures pictures_so_far();
void listen_to_log();

} // namespace fuzz
