// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/schedule.hpp"

#include <algorithm>

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

} // namespace v3doff::vp9
