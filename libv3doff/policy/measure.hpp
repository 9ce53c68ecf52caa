// SPDX-License-Identifier: BSD-2-Clause
// Measures what a recipe lacks, with a decoder's own functions, and writes the file.
#pragma once

#include <iterator>

#include "policy/families.hpp"
#include "vk/device.hpp"

namespace v3doff {

// Copies of the decoder's tables; the functions in them stay its own.
struct OwnFunctions {
    struct Vp9Intra {
        v3doff_vp9_intra_pred of[4][V3DOFF_VP9_INTRA_MODES];
    };
    std::optional<v3doff_vp9dsp> vp9;
    std::optional<Vp9Intra> vp9_intra;
    std::optional<v3doff_h264dsp> h264;
    std::optional<v3doff_h264_predictors> h264_predictors;
    Functions pointers() const;
};

struct Measuring {
    std::shared_ptr<vk::Device> device;
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO;
    OwnFunctions simd;
    unsigned first_size = 0, end_size = std::size(size_classes);
    uint64_t budget_ns = 0;
    bool whole_process = true; // CPU time of the process, or only of the threads that work
};

void measure(const Measuring &order);
// The same on a thread of the library, only once for each process, device and codec.
void begin_measuring(Measuring order);
// Waits at most this long for it, and then makes it stop: when this returns, it does not call the
// decoder's own functions any more.
void end_measuring(uint64_t timeout_ns);

} // namespace v3doff
