// SPDX-License-Identifier: BSD-2-Clause
// Measures whether a device saves CPU time for a kind of work. The decoder's own functions and the
// device do the work of the same picture, and the bits are compared.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "picture/picture.hpp"
#include "policy/recipe.hpp"

namespace v3doff {

// To call the decoder's own functions, until somebody withdraws it.
class Permission {
  public:
    // Calls them, unless the permission was withdrawn: then false.
    template <typename Functions>
    bool use(Functions functions) {
        std::lock_guard lock(in_use_);
        if (withdrawn_) return false;
        functions();
        return true;
    }

    // Returns when they are not being called, and never will be again. It waits for one call.
    void withdraw() {
        withdrawn_ = true;
        std::lock_guard lock(in_use_);
    }
    bool withdrawn() const { return withdrawn_; }

  private:
    std::mutex in_use_;
    std::atomic<bool> withdrawn_ = false;
};

struct TuneLimits {
    uint64_t end_ns; // of the steady clock
    Permission &permission;
    bool whole_process = true; // CPU time of the process, or only of the threads that work
    bool over() const;         // no step begins any more
};

enum class TrialResult { measured, out_of_time, not_on_device, wrong_bits };

// Fills the entry's timing and verdict when it says `measured`.
TrialResult run_trial(std::shared_ptr<vk::Device> device, v3doff_memory_path memory,
                      const Trial &trial, const TuneLimits &limits, RecipeEntry &entry);

uint64_t steady_ns();

// This CPU's name for people.
std::string cpu_name();

} // namespace v3doff
