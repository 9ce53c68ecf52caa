// SPDX-License-Identifier: BSD-2-Clause
// Frames' memory, filled before the decoder has it: what a damaged stream leaves out is the same
// then in every decode.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
}

#include "scenario.hpp"

namespace fuzz {

// The kind of memory is that of the settings in the context's opaque.
int get_filled_buffer(AVCodecContext *context, AVFrame *frame, int flags);

} // namespace fuzz
