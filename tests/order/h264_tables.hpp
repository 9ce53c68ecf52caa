// SPDX-License-Identifier: BSD-2-Clause
// What each work item may read and write, as README.md states it. The programs measure it and
// fail where the statement is wrong or wider than need be.
#pragma once

#include "h264_passes.hpp"

#include <string>

namespace v3doff::order::h264 {

// Kinds of items: plane type, in MBAFF by the type of the unit and of the one above; and, in kinds
// of their own, units of the last row or column, where the result has no unit below or right.
int reach_kind(const Picture &picture, int plane, int row, int col);
std::string reach_kind_name(int kind);

std::vector<ReachLine> stated_reach(bool mbaff);
void print_reach(const Reach &reach);

} // namespace v3doff::order::h264
