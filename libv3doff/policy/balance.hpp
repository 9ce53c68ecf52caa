// SPDX-License-Identifier: BSD-2-Clause
// Decides between GPU and CPU for the pictures of a decoder for which the GPU saves CPU time. The
// GPU gets them, unless it makes a program wait that takes pictures as fast as they come. The
// decision depends only on the times that the functions are given.
#pragma once

#include <array>
#include <cstdint>

#include "policy/recipe.hpp"

namespace v3doff {

// Pictures are counted in windows, during which the GPU's share stays the same. If the program
// waits, all threads of the decoder have a picture in progress. Then windows of two shares are
// compared, and the smaller share is used if pictures come faster with it. The comparison is
// repeated at longer and longer intervals.
class Balance {
  public:
    explicit Balance(uint32_t threads);

    // A picture begins; returns whether the GPU does it. Pictures that others are predicted from
    // are awaited. Times are those of a clock that never goes back.
    Verdict next(uint64_t now_ns, bool awaited);
    // A picture that was begun is complete.
    void done(uint64_t now_ns);

    // The number of pictures in a window, and in a group of them. A window that takes less than
    // shortest_ns gets more pictures. The slowest quarter of the groups is left out, because one
    // intra picture, or another program, may take as much time as all other pictures.
    static constexpr uint32_t fewest = 24, most = 96, group = 8;
    static constexpr uint64_t shortest_ns = 40'000'000;
    static constexpr uint32_t shortest_rest = 16, longest_rest = 128; // windows between comparisons

  private:
    // What the GPU gets. A larger share takes less CPU time, but a picture on the device delays
    // those that wait for its rows. `others` are the pictures that are not awaited; they delay
    // none.
    enum class Share { none, others, all };
    struct Window {
        double ns;    // for each picture
        bool crowded; // the program waited
        bool mixed;   // there were pictures of both kinds
    };
    // Compares two shares in at most four windows, alternately.
    struct Comparison {
        Share less = Share::none, more = Share::all;
        uint32_t windows = 0;
        std::array<double, 2> less_ns{}, more_ns{};
    };
    static const char *name(Share share);
    void add_up(uint64_t now_ns);
    void end_group();
    void end_window();
    void rest(const Window &window);
    void compare(Share less, Share more, const Window &window);
    void go_on(const Window &window);
    double enough() const;
    Share better(bool first_is_longer) const;
    void settle(Share share, const Window &window);
    void rest_with(Share share);

    const uint32_t threads_;

    // The current window. Its first pictures, one for each thread, do not count, because the
    // picture before them in the same thread belongs to the previous window.
    Share share_ = Share::all;
    uint32_t pictures_ = 0, awaited_ = 0;
    uint64_t began_ns_ = 0, group_began_ns_ = 0;
    std::array<double, most / group> groups_{}; // for each picture
    uint32_t group_count_ = 0;
    double under_way_ns_ = 0; // summed over the pictures in progress

    uint32_t under_way_ = 0;
    uint64_t last_ns_ = 0; // the last call

    Share home_ = Share::all; // between comparisons
    uint32_t rest_ = 0, next_rest_ = shortest_rest;
    Comparison comparison_;
    std::array<uint32_t, 3> windows_{}; // compared so far, by share
    bool others_next_ = false;          // compare them with none when the window is over
    // The result of the last comparison in a program that waits, if it is recent.
    Share if_crowded_ = Share::all;
};

} // namespace v3doff
