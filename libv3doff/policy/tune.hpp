// SPDX-License-Identifier: BSD-2-Clause
// Measures whether a device saves CPU time for a kind of work. The decoder's own functions and the
// device do the work of the same picture, and the bits are compared.
#pragma once

#include <memory>

#include "picture/picture.hpp"
#include "policy/recipe.hpp"

namespace v3doff {

struct TuneLimits {
    uint64_t end_ns = UINT64_MAX; // of the steady clock: no step begins after it
    bool whole_process = true;    // CPU time of the process, or only of the threads that work
};

enum class TrialResult { measured, out_of_time, not_on_device, wrong_bits };

// Fills the entry's timing and verdict when it says `measured`.
TrialResult run_trial(std::shared_ptr<vk::Device> device, v3doff_memory_path memory,
                      const Trial &trial, const TuneLimits &limits, RecipeEntry &entry);

uint64_t steady_ns();

// This CPU's name for people.
std::string cpu_name();

} // namespace v3doff
