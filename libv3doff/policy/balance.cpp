// SPDX-License-Identifier: BSD-2-Clause
#include "policy/balance.hpp"

#include <algorithm>
#include <numeric>

#include "util/log.hpp"

namespace v3doff {
namespace {

// The program counts as waiting if on average this part of the decoder's threads had a picture in
// progress. It is less than all, because the program uses some time itself between two pictures.
constexpr double crowded_share = 0.8;

// The CPU gets pictures from the GPU only if they come faster by this factor in each of two
// windows. Saved CPU time is worth more than a few frames per second, and smaller differences may
// come from the pictures themselves.
constexpr double clearly = 1.15;
// A part of the pictures saves less CPU time, so a smaller gain in speed is enough.
constexpr double somewhat = 1.1;
// Above this factor, one window is enough.
constexpr double obviously = 1.3;

} // namespace

Balance::Balance(uint32_t threads) : threads_(std::max(1u, threads)) {}

const char *Balance::name(Share share) {
    return share == Share::all ? "all" : share == Share::none ? "none" : "those nobody awaits";
}

void Balance::add_up(uint64_t now_ns) {
    if (now_ns > last_ns_) under_way_ns_ += double(under_way_) * double(now_ns - last_ns_);
    last_ns_ = std::max(last_ns_, now_ns);
}

Verdict Balance::next(uint64_t now_ns, bool awaited) {
    add_up(now_ns);
    if (pictures_ >= threads_ && (pictures_ - threads_) % group == 0) end_group();
    pictures_++;
    awaited_ += awaited;
    under_way_++;
    const bool gpu = share_ == Share::all || (share_ == Share::others && !awaited);
    return gpu ? Verdict::gpu : Verdict::cpu;
}

void Balance::done(uint64_t now_ns) {
    add_up(now_ns);
    if (under_way_) under_way_--;
}

// This also skips the pictures at the window's beginning, which do not count.
void Balance::end_group() {
    if (pictures_ == threads_) {
        began_ns_ = last_ns_;
        under_way_ns_ = 0;
        group_count_ = 0;
    } else {
        groups_[group_count_++] = double(last_ns_ - group_began_ns_) / group;
    }
    group_began_ns_ = last_ns_;
    const bool long_enough = last_ns_ - began_ns_ >= shortest_ns;
    if (pictures_ == threads_ + most || (pictures_ >= threads_ + fewest && long_enough))
        end_window();
}

void Balance::end_window() {
    const double ns = double(last_ns_ - began_ns_);
    std::sort(groups_.begin(), groups_.begin() + group_count_);
    const uint32_t kept = group_count_ - group_count_ / 4;
    const Window window{std::accumulate(groups_.begin(), groups_.begin() + kept, 0.0) / kept,
                        ns > 0 && under_way_ns_ >= crowded_share * threads_ * ns,
                        awaited_ && awaited_ < pictures_};
    pictures_ = awaited_ = 0;
    if (comparison_.windows)
        go_on(window);
    else
        rest(window);
}

void Balance::rest(const Window &window) {
    const bool rested = !rest_ || !--rest_;
    if (home_ == Share::all) {
        if (rested) if_crowded_ = Share::all;
        if (!window.crowded) return;
        if (if_crowded_ != Share::all) return rest_with(if_crowded_);
        if (rested) compare(Share::none, Share::all, window);
    } else if (window.crowded && others_next_) {
        compare(Share::none, Share::others, window);
    } else if (window.crowded && rested) {
        compare(home_, Share::all, window);
    } else if (rested) {
        // The program does not wait, so it may not need to wait for the GPU either.
        LOG_DEBUG("balance: the program does not wait for pictures; they go to the GPU");
        home_ = share_ = Share::all;
        rest_ = next_rest_;
    }
}

// This is the first window of the comparison.
void Balance::compare(Share less, Share more, const Window &window) {
    comparison_ = {less, more};
    others_next_ = false;
    go_on(window);
}

void Balance::go_on(const Window &window) {
    auto &[less, more, windows, less_ns, more_ns] = comparison_;
    (share_ == more ? more_ns : less_ns)[windows++ / 2] = window.ns;
    windows_[size_t(share_)]++;
    const bool new_to_us = windows_[size_t(more)] == windows / 2;
    if (windows == 2) {
        if (home_ == more && more_ns[0] <= enough() * less_ns[0]) return settle(more, window);
        if (home_ == less && more_ns[0] > obviously * less_ns[0] && !new_to_us)
            return settle(less, window);
    }
    if (windows == 4) return settle(better(new_to_us), window);
    share_ = share_ == more ? less : more;
}

double Balance::enough() const {
    return comparison_.more == Share::all ? clearly : somewhat;
}

// The GPU keeps its share until both windows show that another is better. The first window of a
// share takes longer, because it allocates memory.
Balance::Share Balance::better(bool first_is_longer) const {
    const auto &[less, more, windows, less_ns, more_ns] = comparison_;
    if (home_ == more) {
        const double shortest = std::min(more_ns[0], more_ns[1]);
        return shortest > enough() * std::max(less_ns[0], less_ns[1]) ? less : more;
    }
    const double with_more = first_is_longer ? more_ns[1] : (more_ns[0] + more_ns[1]) / 2;
    return with_more > enough() * (less_ns[0] + less_ns[1]) / 2 ? less : more;
}

void Balance::settle(Share share, const Window &window) {
    const auto &[less, more, windows, less_ns, more_ns] = comparison_;
    const size_t last = windows > 2;
    LOG_DEBUG("balance: us for each picture if the GPU gets %s: %.0f, %s: %.0f; it gets %s",
              name(more), more_ns[last] / 1000, name(less), less_ns[last] / 1000, name(share));
    // `all` was worse: next, find out whether `others` is better than `none`.
    others_next_ = more == Share::all && share != more && window.mixed;
    if_crowded_ = share;
    comparison_.windows = 0;
    rest_with(share);
}

void Balance::rest_with(Share share) {
    home_ = share_ = share;
    rest_ = next_rest_;
    if (!others_next_) next_rest_ = std::min(2 * next_rest_, longest_rest);
}

} // namespace v3doff
