// SPDX-License-Identifier: BSD-2-Clause
// Single edges of the VP9 loop filter, as the calls of a DSP table have them. Limits may have any
// value, even values that no VP9 picture has, because FFmpeg's checkasm uses these.
#pragma once

#include <span>

#include "common/edge_calls.hpp"
#include "common/edge_lines.hpp"
#include "records/vp9_filter_edge.h"
#include "vp9/filter/input.hpp"
#include "vp9/filter/reference.hpp"

namespace v3doff::vp9 {

struct EdgeCall {
    int16_t e = 0, i = 0, h = 0; // cut_limit()
    uint8_t size = 0;            // 4, 8 or 16
    uint8_t line_count = 8;      // fewer at the picture's end

    unsigned lines() const { return line_count; }
    unsigned reach() const { return size == 16 ? 8 : 4; }

    using Push = EdgePush;
    static constexpr const char *shader_8 = "vp9_filter_edge_8",
                                *shader_high = "vp9_filter_edge_high";
    static constexpr unsigned samples = EDGE_SAMPLES;
    EdgeLine line(unsigned) const { return {e, i, h, size}; }
};

// A limit of an edge, cut to the range that makes a difference for 12-bit samples.
inline constexpr int16_t cut_limit(int value) {
    return int16_t(value < -1 ? -1 : value > 16383 ? 16383 : value);
}

// Filters on the CPU, in plain loops. at: the first sample behind the edge on the first line;
// across and along in bytes, whole samples.
inline void filter_call(std::byte *at, ptrdiff_t across, ptrdiff_t along, const EdgeCall &call,
                        unsigned bit_depth) {
    const EdgeLimits limits{uint32_t(call.e), uint32_t(call.i), uint32_t(call.h)};
    const auto filter = [&](auto *q0) {
        constexpr auto bytes = ptrdiff_t(sizeof *q0);
        filter_edge(q0, across / bytes, along / bytes, call.lines(), call.size, limits, bit_depth);
    };
    if (bit_depth > 8)
        filter(reinterpret_cast<uint16_t *>(at));
    else
        filter(reinterpret_cast<uint8_t *>(at));
}

using PlacedEdge = PlacedCall<EdgeCall>;    // of a frame: VP9 has no fields
using FilterCalls = EdgeCalls<EdgeCall, 6>; // in superblocks of 64 luma samples

// Turns single edges into the levels and masks of superblocks. These are filtered in the standard's
// order, so another order of calls is accepted only if it makes no difference to any sample.
// Returns null, and the same filter in input and superblocks; or why no VP9 picture has these
// calls: limits that belong to no level, edges that lie between blocks, planes that disagree, or an
// order that differs from the standard's (8.8.1) where it matters.
const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          FilterInput &input, std::vector<FilterSuperblock> &superblocks);

} // namespace v3doff::vp9
