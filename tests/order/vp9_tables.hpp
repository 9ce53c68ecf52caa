// SPDX-License-Identifier: BSD-2-Clause
// What README.md states of the VP9 schedules: reach of work items, numbers of dispatches.
#pragma once

#include "reach.hpp"

#include <cstdint>

namespace v3doff::order::vp9 {

enum class Schedule { shifted_units, cut_stored, cut_recomputed };

std::vector<ReachLine> stated_reach(Schedule schedule);
void print_reach(const Reach &reach, Schedule schedule);

// Dispatches of the wavefront by tile, and the flags of its one-dispatch form.
void print_wavefront_counts();

// Dispatches of the cut passes for random block structures. Random: not what clips need.
void print_cut_counts(uint64_t seed);

} // namespace v3doff::order::vp9
