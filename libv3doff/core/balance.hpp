// SPDX-License-Identifier: BSD-2-Clause
// Who does a decoder's pictures where the GPU saves CPU time: the GPU, but not while that makes a
// program wait which takes pictures as fast as they come. A function of the times it is told.
#pragma once

#include <cstdint>

#include "core/recipe.hpp"

namespace v3doff {

// Pictures are counted in windows of one verdict. While the program waits, which shows in as many
// pictures under way as the decoder has threads, windows of both are compared; the CPU gets the
// pictures if they come faster from it. From time to time the other one is tried again, less and
// less often.
class Balance {
  public:
    explicit Balance(uint32_t threads);

    // A picture begins: who does it. Times are of a clock that never goes back.
    Verdict next(uint64_t now_ns);
    // A picture that was begun is there.
    void done(uint64_t now_ns);

    static constexpr uint32_t counted = 24; // pictures of a window whose time counts
    static constexpr uint32_t shortest_rest = 16, longest_rest = 256; // windows between trials

  private:
    struct Window {
        double ns;    // of the pictures that count
        bool crowded; // the program waited
    };
    void add_up(uint64_t now_ns);
    void end_window(const Window &window);
    void rest(const Window &window);
    void compare(const Window &window);
    void settle(Verdict verdict);

    const uint32_t threads_;

    // The window under way. Its first pictures, one for each thread, do not count: they follow, in
    // their threads, pictures of the window before.
    Verdict verdict_ = Verdict::gpu;
    uint32_t pictures_ = 0;
    uint64_t began_ns_ = 0;
    double under_way_ns_ = 0; // summed over the pictures under way

    uint32_t under_way_ = 0;
    uint64_t last_ns_ = 0; // the last call

    Verdict home_ = Verdict::gpu; // who does pictures between trials
    uint32_t rest_ = 0, next_rest_ = shortest_rest;
    bool cpu_is_faster_ = false; // the last comparison said so, not long ago
    // A comparison: so many windows of it, in turns, and their times by verdict.
    uint32_t compared_ = 0;
    double cpu_ns_[2] = {}, gpu_ns_[2] = {};
};

} // namespace v3doff
