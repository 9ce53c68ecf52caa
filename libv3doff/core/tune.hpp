// SPDX-License-Identifier: BSD-2-Clause
// Measures whether work pays on a device: the same picture's work by the decoder's own functions
// and by the device, bits compared.
#pragma once

#include <functional>

#include "picture/picture.hpp"
#include "core/recipe.hpp"

namespace v3doff {

// One kind of work on one picture, made from nothing but its size.
struct Trial {
    v3doff_family family{};
    unsigned size = 0; // in size_classes
    PictureFormat format;
    // The same work for the same picture, as often as it is called.
    std::function<void(Picture &)> record;
    std::function<void(const PictureView &)> run_simd;
};

struct TuneLimits {
    uint64_t end_ns = UINT64_MAX; // of the steady clock: no step begins after it
    bool whole_process = true;    // CPU time of the process, or only of the threads that work
};

enum class TrialResult { measured, out_of_time, not_on_device, wrong_bits };

// Fills the entry's timing and verdict when it says `measured`.
TrialResult run_trial(std::shared_ptr<vk::Device> device, v3doff_memory_path memory,
                      const Trial &trial, const TuneLimits &limits, RecipeEntry &entry);

uint64_t steady_ns();

// This CPU, as a person would name it.
std::string cpu_name();

} // namespace v3doff
