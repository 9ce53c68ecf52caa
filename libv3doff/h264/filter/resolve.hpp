// SPDX-License-Identifier: BSD-2-Clause
// Turns single edges into macroblock records. A call has alpha, beta and tc0, but no strengths. The
// filters of strengths 1 to 3 differ only in tc0, so any three numbers that lead to the right tc0
// are as good as the standard's.
#pragma once

#include <span>

#include "h264/filter/edge.hpp"
#include "h264/filter/pack.hpp"

namespace v3doff::h264 {

// A frame, or a field of it, as records.
struct FilterRecords {
    MacroblockArea area;
    std::vector<FilterMb> records;
};

// Returns null, and in result the same filter, a frame or up to two fields; or why no picture has
// these calls: MBAFF, thresholds that differ where a macroblock has one, tc0 of more than three
// strengths, or an order that differs from the standard's (8.7) where it matters.
const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          std::vector<FilterRecords> &result);

} // namespace v3doff::h264
