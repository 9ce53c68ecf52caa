// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_runs.hpp"

namespace v3doff::order::vp9 {
namespace {

struct Work {
    int plane;
    Place tile;
};

// The planes in memory, and which tiles are through.
class Run {
  public:
    Run(const Picture &picture, const Grid &grid, const Strips &strips)
        : picture_(picture), grid_(grid), strips_(strips), monitor_(true) {
        for (const Plane &plane : picture.planes) {
            memory_.emplace_back(monitor_, "frame", 0, plane.width, plane.height);
            memory_.back().fill(plane.samples, false);
            done_.emplace_back(static_cast<size_t>(grid.tiles_down() * grid.tiles_across()), false);
        }
    }

    std::vector<Work> all_work() const {
        std::vector<Work> work;
        for (int row = 0; row < grid_.tiles_down(); ++row)
            for (int col = 0; col < grid_.tiles_across(); ++col)
                for (int plane = 0; plane < 3; ++plane)
                    work.push_back({plane, {row, col}});
        return work;
    }

    void begin_dispatch() { monitor_.begin_dispatch(); }

    void execute(const Work &work) {
        const auto plane = static_cast<size_t>(work.plane);
        monitor_.begin_item();
        const Plane &p = picture_.planes[plane];
        const bool unit = grid_.tile_cols == 1 && grid_.tile_rows == 1;
        monitor_.reach.item(unit ? 0 : -1, reach_kind(picture_, p, work.tile.row, work.tile.col),
                            p.left(work.tile.col), p.top(work.tile.row));
        filter_tile(picture_, work.plane, memory_[plane], grid_, work.tile, strips_[plane]);
        done_[plane][static_cast<size_t>(grid_.index(work.tile))] = true;
    }

    bool ready(const Work &work, Forget forget) const {
        for (const Place &place : grid_.waits_for(work.tile)) {
            if (forget == Forget::left && place.row == work.tile.row) continue;
            if (forget == Forget::above && place.row != work.tile.row) continue;
            if (!done_[static_cast<size_t>(work.plane)][static_cast<size_t>(grid_.index(place))])
                return false;
        }
        return true;
    }

    Outcome outcome(const Planes &expected) const {
        Outcome outcome;
        for (size_t plane = 0; plane < memory_.size(); ++plane)
            outcome.differences += memory_[plane].differences(expected[plane]);
        outcome.violations = monitor_.violations();
        outcome.violation = monitor_.first_violation();
        outcome.dispatches = monitor_.dispatch();
        outcome.reach = monitor_.reach;
        return outcome;
    }

  private:
    const Picture &picture_;
    const Grid &grid_;
    const Strips &strips_;
    Monitor monitor_;
    std::vector<Memory> memory_;
    std::vector<std::vector<bool>> done_;
};

// Takes one of the entries that are ready out of the list; none: nullopt.
std::optional<Work> take_ready(std::vector<Work> &list, const Run &run, Random &random,
                               Forget forget) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < list.size(); ++i)
        if (run.ready(list[i], forget)) ready.push_back(i);
    if (ready.empty()) return std::nullopt;
    const size_t chosen = ready[static_cast<size_t>(random.below(static_cast<int>(ready.size())))];
    const Work work = list[chosen];
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(chosen));
    return work;
}

} // namespace

Outcome run_dispatches(const Picture &picture, const Planes &expected, Random &random,
                       const Grid &grid, const Strips &strips) {
    Run run(picture, grid, strips);
    for (const std::vector<Place> &tiles : dispatches(grid)) {
        std::vector<Work> work;
        for (int plane = 0; plane < 3; ++plane)
            for (const Place &tile : tiles)
                work.push_back({plane, tile});
        random.shuffle(work);
        run.begin_dispatch();
        for (const Work &w : work)
            run.execute(w);
    }
    return run.outcome(expected);
}

Outcome run_topological(const Picture &picture, const Planes &expected, Random &random,
                        const Grid &grid, const Strips &strips, Forget forget) {
    Run run(picture, grid, strips);
    std::vector<Work> left = run.all_work();
    while (!left.empty()) {
        run.begin_dispatch(); // a flag orders memory like a barrier
        run.execute(*take_ready(left, run, random, forget));
    }
    return run.outcome(expected);
}

Outcome run_flags(const Picture &picture, const Planes &expected, Random &random, const Grid &grid,
                  const Strips &strips, int resident, bool descending) {
    Run run(picture, grid, strips);
    std::vector<Work> queue = run.all_work(), running;
    if (!descending) std::reverse(queue.begin(), queue.end()); // started from the back
    bool deadlock = false;
    while (!queue.empty() || !running.empty()) {
        while (!queue.empty() && static_cast<int>(running.size()) < resident) {
            running.push_back(queue.back());
            queue.pop_back();
        }
        const std::optional<Work> work = take_ready(running, run, random, Forget::nothing);
        deadlock = !work;
        if (deadlock) break;
        run.begin_dispatch();
        run.execute(*work);
    }
    Outcome outcome = run.outcome(expected);
    outcome.deadlock = deadlock;
    outcome.dispatches = 1;
    return outcome;
}

FlagCounts flag_counts(const Grid &grid) {
    FlagCounts counts{};
    const auto by_dispatch = dispatches(grid);
    counts.longest_chain = static_cast<int>(by_dispatch.size());
    for (const auto &tiles : by_dispatch) {
        counts.widest = std::max(counts.widest, static_cast<int>(tiles.size()));
        counts.tiles += static_cast<int>(tiles.size());
        for (const Place &tile : tiles)
            counts.waits += static_cast<int>(grid.waits_for(tile).size());
    }
    return counts;
}

} // namespace v3doff::order::vp9
