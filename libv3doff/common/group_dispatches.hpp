// SPDX-License-Identifier: BSD-2-Clause
// Distributes workgroups to dispatches, so that none of these runs for long.
#pragma once

#include "picture/plan.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff {

// Appends workgroups to the arena, two words each: where its records begin, and what they are.
// Until the last one is added, nobody else appends to the arena.
class GroupDispatches {
  public:
    // like: the model of each dispatch, except for its workgroups. Its first push constant is set
    // to the word where they begin. most_cost: the most instructions of a dispatch.
    GroupDispatches(Plan &plan, const Dispatch &like, uint64_t most_cost = vk::instructions_per_ms)
        : plan_(plan), like_(like), most_cost_(most_cost), cost_(most_cost) {
        plan.arena.align(2);
        like_.groups = {0, 1, 1};
    }
    // cost: its instructions, more than 0. Workgroups of one object do not depend on each other.
    void add(uint32_t records, uint32_t what, uint64_t cost) {
        cost_ += cost;
        if (cost_ > most_cost_) begin(cost);
        const size_t at = plan_.arena.size();
        plan_.arena.grow(at + 2);
        uint32_t *const words = plan_.arena.data() + at;
        words[0] = records, words[1] = what;
        ++*groups_;
    }

  private:
    [[gnu::noinline]] void begin(uint64_t cost) {
        like_.push[0] = uint32_t(plan_.arena.size());
        groups_ = plan_.add(like_).groups.data();
        like_.follows = true;
        cost_ = cost;
    }

    Plan &plan_;
    Dispatch like_;
    const uint64_t most_cost_;
    uint64_t cost_;              // of the current dispatch
    uint32_t *groups_ = nullptr; // its number of workgroups
};

} // namespace v3doff
