// SPDX-License-Identifier: BSD-2-Clause
// Who does a decoder's pictures where the GPU saves CPU time: the GPU, but not while that makes a
// program wait which takes pictures as fast as they come. A function of the times it is told.
#pragma once

#include <array>
#include <cstdint>

#include "policy/recipe.hpp"

namespace v3doff {

// Pictures are counted in windows of one share. While the program waits, which shows in as many
// pictures under way as the decoder has threads, windows of two shares are compared; the smaller
// one is taken if pictures come faster with it. From time to time they are compared again, less
// and less often.
class Balance {
  public:
    explicit Balance(uint32_t threads);

    // A picture begins: who does it. Awaited are those that others are predicted from. Times are of
    // a clock that never goes back.
    Verdict next(uint64_t now_ns, bool awaited);
    // A picture that was begun is there.
    void done(uint64_t now_ns);

    // Pictures of a window whose time counts, more where so many take less than shortest_ns; and of
    // a group of them. The slowest quarter of the groups is left out: a picture that is not
    // predicted, or what else a machine does, may take as long as all others.
    static constexpr uint32_t fewest = 24, most = 96, group = 8;
    static constexpr uint64_t shortest_ns = 40'000'000;
    static constexpr uint32_t shortest_rest = 16, longest_rest = 128; // windows between comparisons

  private:
    // What the GPU gets: the more, the less CPU time; but a picture's way through the device delays
    // those that wait for its rows. Others: pictures that are not awaited, which delay nobody.
    enum class Share { none, others, all };
    struct Window {
        double ns;    // a picture
        bool crowded; // the program waited
        bool mixed;   // there were pictures of both kinds
    };
    // Of two shares, four windows at most, in turns.
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

    // The window under way. Its first pictures, one for each thread, do not count: they follow, in
    // their threads, pictures of the window before.
    Share share_ = Share::all;
    uint32_t pictures_ = 0, awaited_ = 0;
    uint64_t began_ns_ = 0, group_began_ns_ = 0;
    std::array<double, most / group> groups_{}; // a picture
    uint32_t group_count_ = 0;
    double under_way_ns_ = 0; // summed over the pictures under way

    uint32_t under_way_ = 0;
    uint64_t last_ns_ = 0; // the last call

    Share home_ = Share::all; // between comparisons
    uint32_t rest_ = 0, next_rest_ = shortest_rest;
    Comparison comparison_;
    std::array<uint32_t, 3> windows_{}; // compared so far, by share
    bool others_next_ = false;          // compare them with none when the window is over
    // What the last comparison said, not long ago, of a program that waits.
    Share if_crowded_ = Share::all;
};

} // namespace v3doff
