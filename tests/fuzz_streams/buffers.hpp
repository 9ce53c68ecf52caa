// SPDX-License-Identifier: BSD-2-Clause
// Frames' memory, filled before the decoder has it: what a damaged stream leaves out is the same
// then in every decode.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <atomic>

#include "scenario.hpp"

namespace fuzz {

// What a context's opaque points to.
struct Caller {
    const Settings &settings;
    std::atomic<size_t> buffers{0}; // asked for
};

int get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags);

} // namespace fuzz
