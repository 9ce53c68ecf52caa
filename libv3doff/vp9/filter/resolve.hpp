// SPDX-License-Identifier: BSD-2-Clause
// Turns single edges into the levels and masks of superblocks. These are filtered in the standard's
// order, so another order of calls is accepted only if it makes no difference to any sample.
#pragma once

#include <span>
#include <vector>

#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

// One edge of 8 lines; (x, y) is the first sample behind it.
struct EdgeCall {
    uint32_t ticket = 0; // its place in the order of all calls of the picture
    uint16_t x = 0, y = 0;
    int16_t e = 0, i = 0, h = 0; // cut_limit()
    uint8_t plane = 0, size = 0;
    bool between_rows = false;
};

// Returns null, and the same filter in input and superblocks; or why no VP9 picture has these
// calls: limits that belong to no level, edges that lie between blocks, planes that disagree, or an
// order that differs from the standard's (8.8.1) where it matters.
const char *resolve_edges(std::span<const EdgeCall> calls, const PictureFormat &format,
                          FilterInput &input, std::vector<FilterSuperblock> &superblocks);

} // namespace v3doff::vp9
