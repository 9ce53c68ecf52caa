// SPDX-License-Identifier: BSD-2-Clause
// Turns single edges into the levels and masks of superblocks. These are filtered in the standard's
// order, so another order of calls is accepted only if it makes no difference to any sample.
#pragma once

#include <span>

#include "vp9/filter/edge.hpp"
#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

// Returns null, and the same filter in input and superblocks; or why no VP9 picture has these
// calls: limits that belong to no level, edges that lie between blocks, planes that disagree, or an
// order that differs from the standard's (8.8.1) where it matters.
const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          FilterInput &input, std::vector<FilterSuperblock> &superblocks);

} // namespace v3doff::vp9
