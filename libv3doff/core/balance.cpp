// SPDX-License-Identifier: BSD-2-Clause
#include "core/balance.hpp"

#include <algorithm>

#include "util/log.hpp"

namespace v3doff {
namespace {

// Of the decoder's threads, so many must have had a picture under way on average for the program to
// count as one that waits: what it does with a picture between two takes some of the time, too.
constexpr double crowded_share = 0.8;

// The CPU must be faster by so much in each of two windows to get pictures that the GPU could do
// for less CPU time, which counts for more than a few frames a second; and by less the pictures may
// differ themselves.
constexpr double clearly = 1.15;
// And beyond this one window is enough to know.
constexpr double obviously = 1.3;

} // namespace

Balance::Balance(uint32_t threads) : threads_(std::max(1u, threads)) {}

void Balance::add_up(uint64_t now_ns) {
    if (now_ns > last_ns_) under_way_ns_ += double(under_way_) * double(now_ns - last_ns_);
    last_ns_ = std::max(last_ns_, now_ns);
}

Verdict Balance::next(uint64_t now_ns) {
    add_up(now_ns);
    if (pictures_ == threads_ + counted) {
        const double ns = double(last_ns_ - began_ns_);
        end_window({ns, ns > 0 && under_way_ns_ >= crowded_share * threads_ * ns});
        pictures_ = 0;
    }
    if (pictures_++ == threads_) {
        began_ns_ = last_ns_;
        under_way_ns_ = 0;
    }
    under_way_++;
    return verdict_;
}

void Balance::done(uint64_t now_ns) {
    add_up(now_ns);
    if (under_way_) under_way_--;
}

void Balance::end_window(const Window &window) {
    if (compared_)
        compare(window);
    else
        rest(window);
}

void Balance::rest(const Window &window) {
    const bool rested = !rest_ || !--rest_;
    if (home_ == Verdict::gpu) {
        if (rested) cpu_is_faster_ = false;
        if (!window.crowded) return;
        if (cpu_is_faster_) return settle(Verdict::cpu);
        if (rested) compare(window);
    } else if (rested) {
        if (window.crowded) return compare(window);
        // Nobody waits, so it may be that nobody waits for the GPU either.
        LOG_DEBUG("balance: the program does not wait for pictures; they go to the GPU");
        home_ = verdict_ = Verdict::gpu;
        rest_ = next_rest_;
    }
}

void Balance::compare(const Window &window) {
    const uint32_t pair = compared_++ / 2;
    if (verdict_ == Verdict::cpu)
        cpu_ns_[pair] = window.ns;
    else
        gpu_ns_[pair] = window.ns;
    if (compared_ == 2) {
        if (home_ == Verdict::gpu && gpu_ns_[0] <= clearly * cpu_ns_[0])
            return settle(Verdict::gpu);
        if (home_ == Verdict::cpu && gpu_ns_[0] > obviously * cpu_ns_[0])
            return settle(Verdict::cpu);
    }
    if (compared_ == 4) {
        const double gpu = std::min(gpu_ns_[0], gpu_ns_[1]);
        return settle(gpu > clearly * std::max(cpu_ns_[0], cpu_ns_[1]) ? Verdict::cpu
                                                                       : Verdict::gpu);
    }
    verdict_ = verdict_ == Verdict::cpu ? Verdict::gpu : Verdict::cpu;
}

void Balance::settle(Verdict verdict) {
    if (compared_)
        LOG_DEBUG("balance: %.0f us a picture from the CPU, %.0f from the GPU: they go to the %s",
                  cpu_ns_[0] / counted / 1000, gpu_ns_[0] / counted / 1000, verdict_name(verdict));
    compared_ = 0;
    home_ = verdict_ = verdict;
    cpu_is_faster_ = verdict == Verdict::cpu;
    rest_ = next_rest_;
    next_rest_ = std::min(2 * next_rest_, longest_rest);
}

} // namespace v3doff
