// SPDX-License-Identifier: BSD-2-Clause
// Decides between CPU and device for the pictures of a stream, by what its pictures cost. It counts
// two things: the CPU time of a picture, and the time from one picture to the next. The device gets
// the pictures if that takes less CPU time, unless it makes a program wait that takes pictures as
// fast as they come. The decision depends only on the times that the functions are given.
#pragma once

#include <array>
#include <cstdint>

#include "policy/recipe.hpp"

namespace v3doff {

// Pictures are counted in windows, during which the device's share stays the same. Windows of two
// shares are compared until it is clear which is better. Then the better one is used for many
// windows, before they are compared again.
class Balance {
  public:
    explicit Balance(uint32_t threads);

    // Until the device is ready, the CPU does all pictures, and they are counted, too. learned:
    // what an earlier stream of this kind has taught.
    void device_is_ready(const Learned &learned = {});

    struct Turn {
        Verdict verdict;
        uint32_t window; // for spent(); 0: this picture's CPU time is not counted
    };
    // A picture begins; returns who does it. Pictures that others are predicted from are awaited.
    // Times are those of a clock that never goes back.
    Turn next(uint64_t now_ns, bool awaited);
    // The decoder has done its part of a picture, and all threads needed this CPU time for it.
    void spent(uint32_t window, uint64_t cpu_ns);
    // A picture that was begun is complete.
    void done(uint64_t now_ns);

    // What is known now. A comparison that has not ended says what both cost, but decides nothing.
    Learned learned() const;
    // Whether the device saves CPU time. While only one of the two is known, it is taken to do so.
    bool saves() const;

    // The number of pictures in a window, and in a group of them. A window that takes less than
    // shortest_ns gets more pictures. The slowest quarter of the groups is left out, because one
    // intra picture, or another program, may take as much time as all other pictures.
    static constexpr uint32_t fewest = 24, most = 96, group = 8;
    static constexpr uint64_t shortest_ns = 40'000'000;
    // The device's first pictures allocate memory. They are not counted.
    static constexpr uint32_t cold = 16;
    static constexpr uint32_t shortest_rest = 16, longest_rest = 128; // windows between comparisons

  private:
    struct Window {
        Cost cost;
        bool crowded = false; // the program waited
        bool mixed = false;   // there were pictures of both kinds
    };
    struct Side {
        uint32_t windows = 0;
        Cost sum;
        bool crowded = false; // in the last window
        void add(const Window &window);
        Cost mean() const;
    };
    // Compares two shares in at most most_pairs windows of each, alternately.
    struct Comparison {
        bool runs = false;
        bool begins_cold = false; // the first window of each side may decide, but is not kept
        Share less = Share::none, more = Share::all;
        Side with_less, with_more;
    };
    enum class Result { undecided, less, more };

    void add_up(uint64_t now_ns);
    void begin_window(Share share);
    void end_group();
    Window measure_window();
    void end_window();
    void rest(const Window &window);
    void compare(Share less, Share more, const Window &window);
    void go_on(const Window &window);
    Result judge() const;
    void settle(Share share, const Window &window);
    void rest_with(Share share);
    bool is_far_too_slow() const;

    uint32_t threads_;
    Learned learned_;
    bool ready_ = false;
    Window before_; // what the CPU took before the device was ready

    Share share_ = Share::none, home_ = Share::none; // now, and when nothing is compared
    Comparison comparison_;
    bool others_next_ = false; // next, find out whether `others` is better than `none`
    uint32_t rest_ = 0, next_rest_ = shortest_rest;

    // This window.
    uint32_t window_ = 1, pictures_ = 0, awaited_ = 0, skipped_;
    uint64_t began_ns_ = 0, group_began_ns_ = 0;
    std::array<double, most / group> groups_{}; // time from one picture to the next
    uint32_t group_count_ = 0;
    std::array<double, most> cpu_ns_{};
    uint32_t cpu_count_ = 0;
    double under_way_ns_ = 0, group_under_way_ns_ = 0; // pictures in progress, added up over time

    uint32_t under_way_ = 0;
    uint64_t last_ns_ = 0;
};

} // namespace v3doff
