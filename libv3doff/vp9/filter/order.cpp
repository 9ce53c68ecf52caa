// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/order.hpp"

#include <algorithm>
#include <utility>

#include "records/vp9_filter.h"
#include "util/divide.hpp"
#include "vk/caps_costs.hpp"

namespace v3doff::vp9 {
namespace {

constexpr uint32_t max_group_rows = 8; // 128 invocations, 16 a superblock of luma
constexpr uint32_t max_steps = 16;

// The time of a dispatch before its first step, in steps. On the same device, a step of natural
// content is estimated to take 8 us.
constexpr uint32_t dispatch_steps = vk::dispatch_start_us / 8;

FilterWave wave_of(uint32_t rows, uint32_t cols, uint32_t groups, uint32_t steps) {
    FilterWave wave{};
    wave.rows = rows;
    wave.cols = cols;
    wave.group_rows = divide_up(rows, groups);
    wave.groups = divide_up(rows, wave.group_rows);
    wave.steps = steps;
    wave.lag = steps + wave.group_rows;
    const uint32_t last_row = rows - 1 - (wave.groups - 1) * wave.group_rows; // in its group
    wave.dispatches = divide_up(cols + last_row + wave.lag * (wave.groups - 1), steps);
    return wave;
}

} // namespace

FilterWave plan_wave(uint32_t rows, uint32_t cols) {
    FilterWave best{};
    uint64_t least = UINT64_MAX;
    const uint32_t groups = divide_up(rows, max_group_rows);
    for (uint32_t steps = 1; steps <= max_steps; steps++) {
        const FilterWave wave = wave_of(rows, cols, groups, steps);
        const uint64_t cost = uint64_t(wave.dispatches) * (steps + dispatch_steps);
        if (cost >= least) continue;
        least = cost;
        best = wave;
    }
    return best;
}

void StripLevels::plan(uint32_t rows, uint32_t cols, const std::vector<StripCuts> &cuts) {
    first.assign(cuts.size(), 0);
    second.assign(cuts.size(), 0);
    // For each strip of the row above: the level after which the slot has its last 8 rows.
    last_rows_.assign(cols, 0);
    size_t strip = 0;
    for (uint32_t row = 0; row < rows && strip < cuts.size(); row++) {
        uint16_t left = 0; // the level after which the strip on the left is complete
        for (uint32_t col = 0; col + 1 < cols; col++, strip++) {
            uint16_t complete = first[strip] = cuts[strip].columns ? 1 : uint16_t(left + 1);
            if (row)
                complete = second[strip] = uint16_t(std::max(first[strip], last_rows_[col]) + 1);
            last_rows_[col] = cuts[strip].rows ? first[strip] : complete;
            left = complete;
        }
    }
}

void StripTasks::sort(uint32_t rows, uint32_t cols, const std::vector<uint16_t> &levels) {
    const uint32_t last = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
    end_.assign(last + 1, 0);
    for (uint16_t level : levels)
        end_[level]++;
    uint32_t begin = end_[0] = 0;
    for (uint32_t &end : end_)
        begin += std::exchange(end, begin);
    words_.resize(begin);
    size_t strip = 0;
    for (uint32_t row = 0; row < rows && strip < levels.size(); row++)
        for (uint32_t col = 0; col + 1 < cols; col++, strip++)
            if (levels[strip])
                words_[end_[levels[strip]]++] =
                    pack(row, FILTER_TASK_ROW) | pack(col, FILTER_TASK_COL);
}

void StripTasks::take_all(uint32_t first_row, uint32_t rows, uint32_t cols, uint32_t level) {
    const uint32_t count = rows > first_row ? (rows - first_row) * (cols - 1) : 0;
    words_.resize(count);
    uint32_t *word = words_.data();
    for (uint32_t row = first_row; row < rows; row++)
        for (uint32_t col = 0; col + 1 < cols; col++)
            *word++ = pack(row, FILTER_TASK_ROW) | pack(col, FILTER_TASK_COL);
    end_.assign(count ? level + 1 : 1, 0);
    end_.back() = count;
}

void CutPasses::plan(uint32_t rows, uint32_t cols, const std::vector<StripCuts> (&cuts)[2]) {
    levels_ = 0;
    for (unsigned set = 0; set < 2; set++) {
        const bool nobody_waits =
            !cuts[set].empty() && std::all_of(cuts[set].begin(), cuts[set].end(),
                                              [](StripCuts cut) { return cut.columns & cut.rows; });
        if (nobody_waits) {
            tasks_[first_tasks][set].take_all(0, rows, cols, 1);
            tasks_[second_tasks][set].take_all(1, rows, cols, 2);
        } else {
            strips_.plan(rows, cols, cuts[set]);
            tasks_[first_tasks][set].sort(rows, cols, strips_.first);
            tasks_[second_tasks][set].sort(rows, cols, strips_.second);
        }
        for (const auto &kind : tasks_)
            levels_ = std::max(levels_, kind[set].levels());
    }
}

uint32_t CutPasses::dispatches() const {
    uint32_t count = 2;
    for (uint32_t level = 1; level <= levels_; level++)
        for (Kind kind : {first_tasks, second_tasks})
            count += this->count(kind, level) != 0;
    return count;
}

} // namespace v3doff::vp9
