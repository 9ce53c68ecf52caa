// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/cut.hpp"

#include <algorithm>
#include <utility>

#include "records/vp9_filter.h"

namespace v3doff::vp9 {

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
