// SPDX-License-Identifier: BSD-2-Clause
#include "policy/balance.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "util/log.hpp"

namespace v3doff {
namespace {

// The program counts as waiting if on average this part of the decoder's threads had a picture in
// progress. It is less than all, because the program uses some time itself between two pictures.
constexpr double crowded_share = 0.8;

// How much longer pictures may take with the device than without it, after so many pairs of
// windows: up to `keep` the device gets them, from `give_up` on the CPU does. Between the two the
// next pair decides, because windows of real pictures differ by several percent.
struct Limits {
    double keep, give_up;
};
constexpr Limits limits[] = {{1.03, 1.3},  {1.03, 1.15}, {1.03, 1.1},
                             {1.03, 1.08}, {1.04, 1.06}, {1.04, 1.04}};
constexpr uint32_t most_pairs = std::size(limits);

// The device is given up if a picture takes more than this part of the CPU time without it. With
// one pair of windows it takes more, because they have different pictures.
constexpr double cpu_time_limit[most_pairs] = {1.25, 1.05, 1.02, 1.02, 1.02, 1.02};

// The device delays nobody with pictures that no other waits for; what is measured is mostly
// chance.
constexpr double more_for_others = 1.05;

// Where the device makes a waiting program wait so much longer, a window is not even ended: after
// two groups of pictures, or after one that takes longer than anybody would put up with.
constexpr double far_too_slow = 4, unbearable_ns = 1e9;

// Without the greatest quarter.
double trimmed_mean(std::span<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const size_t kept = values.size() - (values.size() + 1) / 4;
    return std::accumulate(values.begin(), values.begin() + ptrdiff_t(kept), 0.0) / double(kept);
}

} // namespace

void Balance::Side::add(const Window &window) {
    windows++;
    sum.ns += window.cost.ns;
    sum.cpu_ns = windows > 1 && !sum.cpu_ns ? 0 : sum.cpu_ns + window.cost.cpu_ns;
    crowded = window.crowded;
}

Cost Balance::Side::mean() const {
    const double n = std::max(1u, windows);
    return {sum.ns / n, sum.cpu_ns / n};
}

Balance::Balance(uint32_t threads) : threads_(std::max(1u, threads)), skipped_(threads_) {}

void Balance::add_up(uint64_t now_ns) {
    if (now_ns > last_ns_) under_way_ns_ += double(under_way_) * double(now_ns - last_ns_);
    last_ns_ = std::max(last_ns_, now_ns);
}

Balance::Turn Balance::next(uint64_t now_ns, bool awaited) {
    add_up(now_ns);
    if (pictures_ >= skipped_ && (pictures_ - skipped_) % group == 0) end_group();
    const bool counts = pictures_ >= skipped_;
    pictures_++;
    awaited_ += awaited;
    under_way_++;
    const bool device = share_ == Share::all || (share_ == Share::others && !awaited);
    return {device ? Verdict::gpu : Verdict::cpu, counts ? window_ : 0};
}

void Balance::spent(uint32_t window, uint64_t cpu_ns) {
    if (window == window_ && cpu_count_ < cpu_ns_.size()) cpu_ns_[cpu_count_++] = double(cpu_ns);
}

void Balance::done(uint64_t now_ns) {
    add_up(now_ns);
    if (under_way_) under_way_--;
}

void Balance::begin_window(Share share) {
    share_ = share;
    window_++;
    pictures_ = awaited_ = group_count_ = cpu_count_ = 0;
    skipped_ = threads_;
}

// What the CPU took until now is the first window of a comparison. If an earlier stream has taught
// which share is better, no comparison is needed for the time being.
void Balance::device_is_ready(const Learned &learned) {
    ready_ = true;
    learned_ = learned;
    if (group_count_ >= 2) before_ = measure_window();
    // The program waits, or would with a device that is known to be slower than this.
    const bool waits = before_.crowded || learned_.device.ns > before_.cost.ns;
    home_ = !saves()                                        ? Share::none
            : learned_.compared && before_.cost.ns && waits ? learned_.if_crowded
                                                            : Share::all;
    rest_ = learned_.compared ? next_rest_ : 0;
    begin_window(home_);
    if (home_ == Share::all) skipped_ += cold;
    if (learned_.compared || !before_.cost.ns) return;
    comparison_ = {true, true, Share::none, Share::all, {}, {}};
    comparison_.with_less.add(before_);
}

// This also skips the pictures at the window's beginning, which do not count.
void Balance::end_group() {
    if (pictures_ == skipped_) {
        began_ns_ = last_ns_;
        under_way_ns_ = 0;
        group_count_ = 0;
    } else {
        groups_[group_count_++] = double(last_ns_ - group_began_ns_) / group;
        if (is_far_too_slow()) {
            const Window window = measure_window();
            comparison_.with_more.add(window);
            return settle(Share::none, window);
        }
    }
    group_began_ns_ = last_ns_;
    group_under_way_ns_ = under_way_ns_;
    const bool long_enough = last_ns_ - began_ns_ >= shortest_ns;
    if (pictures_ == skipped_ + most || (pictures_ >= skipped_ + fewest && long_enough))
        end_window();
}

// Before the window's end, so that a slow device does not stop a film for seconds.
bool Balance::is_far_too_slow() const {
    const Cost without = comparison_.runs ? comparison_.with_less.mean() : learned_.cpu;
    const double ns = group * groups_[group_count_ - 1];
    const auto slow = [&](uint32_t i) { return groups_[i] > far_too_slow * without.ns; };
    return share_ == Share::all && without.ns && slow(group_count_ - 1) &&
           (ns > unbearable_ns || (group_count_ > 1 && slow(group_count_ - 2))) &&
           under_way_ns_ - group_under_way_ns_ >= crowded_share * threads_ * ns;
}

Balance::Window Balance::measure_window() {
    const double ns = double(last_ns_ - began_ns_);
    return {
        {trimmed_mean({groups_.data(), group_count_}), trimmed_mean({cpu_ns_.data(), cpu_count_})},
        ns > 0 && under_way_ns_ >= crowded_share * threads_ * ns,
        awaited_ && awaited_ < pictures_};
}

void Balance::end_window() {
    const Window window = measure_window();
    begin_window(share_);
    if (!ready_)
        before_ = window;
    else if (comparison_.runs)
        go_on(window);
    else
        rest(window);
}

Learned Balance::learned() const {
    Balance now(*this);
    auto &[runs, begins_cold, less, more, with_less, with_more] = now.comparison_;
    if (!runs) return learned_;
    if (now.group_count_ > 1)
        (now.share_ == more ? with_more : with_less).add(now.measure_window());
    if (less == Share::none && with_less.windows) now.learned_.cpu = with_less.mean();
    if (more == Share::all && with_more.windows) now.learned_.device = with_more.mean();
    return now.learned_;
}

bool Balance::saves() const {
    return !learned_.cpu.cpu_ns ||
           learned_.device.cpu_ns <= cpu_time_limit[most_pairs - 1] * learned_.cpu.cpu_ns;
}

void Balance::rest(const Window &window) {
    const bool rested = !rest_ || !--rest_;
    Cost &of = home_ == Share::all ? learned_.device : learned_.cpu;
    if (home_ != Share::others && window.cost.cpu_ns) of.cpu_ns = window.cost.cpu_ns;
    if (home_ == Share::all) {
        if (rested) learned_.compared = false;
        if (!window.crowded && saves()) return;
        if (learned_.compared && learned_.if_crowded != Share::all)
            return rest_with(learned_.if_crowded);
        if (!learned_.compared) compare(Share::none, Share::all, window);
    } else if (window.crowded && others_next_) {
        compare(Share::none, Share::others, window);
    } else if ((window.crowded || !saves()) && rested) {
        compare(home_, Share::all, window);
    } else if (rested) {
        // The program does not wait, so it may not need to wait for the device either.
        LOG_DEBUG("balance: the program does not wait for pictures; they go to the device");
        home_ = share_ = Share::all;
        rest_ = next_rest_;
    }
}

// This is the first window of the comparison.
void Balance::compare(Share less, Share more, const Window &window) {
    comparison_ = {true, false, less, more, {}, {}};
    others_next_ = false;
    go_on(window);
}

void Balance::go_on(const Window &window) {
    auto &[runs, begins_cold, less, more, with_less, with_more] = comparison_;
    (share_ == more ? with_more : with_less).add(window);
    if (with_less.windows == with_more.windows) {
        const Result result = judge();
        if (result != Result::undecided)
            return settle(result == Result::more ? more : less, window);
        if (begins_cold) {
            begins_cold = false;
            with_less = with_more = {};
        }
    }
    share_ = share_ == more ? less : more;
}

Balance::Result Balance::judge() const {
    const Side &with_less = comparison_.with_less, &with_more = comparison_.with_more;
    // What begins cold is a pair of its own.
    const uint32_t pairs = std::min(with_more.windows, most_pairs);
    auto [keep, give_up] = limits[pairs - 1];
    if (comparison_.more == Share::others) keep *= more_for_others, give_up *= more_for_others;
    const Cost less = with_less.mean(), more = with_more.mean();
    const bool known = less.cpu_ns && more.cpu_ns;
    const bool last = pairs == most_pairs;
    if (known && more.cpu_ns > cpu_time_limit[pairs - 1] * less.cpu_ns) return Result::less;
    if (known && more.cpu_ns > less.cpu_ns && !last) return Result::undecided;
    const bool crowded = with_more.crowded || with_less.crowded;
    if (!crowded || more.ns <= keep * less.ns) return Result::more;
    return more.ns >= give_up * less.ns && !comparison_.begins_cold ? Result::less
                                                                    : Result::undecided;
}

void Balance::settle(Share share, const Window &window) {
    const auto &[runs, begins_cold, less, more, with_less, with_more] = comparison_;
    const Cost without = with_less.mean(), with = with_more.mean();
    if (with_less.windows) {
        LOG_DEBUG(
            "balance: a picture, and its CPU time, take %.0f and %.0f us if the device gets %s, "
            "%.0f and %.0f us if it gets %s; it gets %s",
            with.ns / 1000, with.cpu_ns / 1000, share_name(more), without.ns / 1000,
            without.cpu_ns / 1000, share_name(less), share_name(share));
        if (less == Share::none) learned_.cpu = without;
    }
    if (more == Share::all) learned_.device = with;
    // `all` was worse: next, find out whether `others` is better than `none`.
    others_next_ = more == Share::all && share != more && window.mixed;
    learned_.if_crowded = share;
    learned_.compared = with_more.crowded || with_less.crowded || share != more;
    comparison_ = {};
    begin_window(share);
    rest_with(share);
}

void Balance::rest_with(Share share) {
    home_ = share_ = share;
    rest_ = next_rest_;
    if (!others_next_) next_rest_ = std::min(2 * next_rest_, longest_rest);
}

} // namespace v3doff
