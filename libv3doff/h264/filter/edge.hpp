// SPDX-License-Identifier: BSD-2-Clause
// Single edges of H.264 deblocking, as the calls of a DSP table have them.
#pragma once

#include <algorithm>
#include <span>

#include "common/edge_calls.hpp"
#include "common/edge_lines.hpp"
#include "h264/filter/reference.hpp"
#include "h264/lines.hpp"
#include "records/h264_filter_edge.h"

namespace v3doff::h264 {

// An edge as a call of FFmpeg's functions gives it: four groups of lines.
struct EdgeCall {
    int alpha = 0, beta = 0; // for 8-bit samples; cut_threshold()
    int8_t tc0[4] = {};      // as the standard has it, also for chroma; negative: not filtered
    uint8_t lines_a_group = 4;
    bool chroma_style = false, strong = false;

    unsigned lines() const { return 4u * lines_a_group; }
    unsigned reach() const { return chroma_style ? 2 : strong ? 4 : 3; }

    using Push = EdgePush;
    static constexpr const char *shader_8 = "h264_filter_edge_8",
                                *shader_high = "h264_filter_edge_high";
    static constexpr unsigned samples = EDGE_SAMPLES;
    EdgeLine line(unsigned number) const {
        const uint style = (chroma_style ? EDGE_CHROMA : 0) | (strong ? EDGE_STRONG : 0);
        return {alpha, beta, tc0[number / lines_a_group], style};
    }
};

// No two samples differ by more, so this loses nothing.
inline constexpr int cut_threshold(int value) {
    return std::clamp(value, 0, 1 << 16);
}

// Filters on the CPU, in plain loops. at: the first sample behind the edge on the first line;
// across and along in bytes.
inline void filter_call(std::byte *at, ptrdiff_t across, ptrdiff_t along, const EdgeCall &call,
                        unsigned bit_depth) {
    Edge edge{at, across, along, call.lines(), int(bit_depth)};
    if (call.strong) return filter_edge_strong(edge, call.alpha, call.beta, call.chroma_style);
    edge.lines = call.lines_a_group;
    for (int tc0 : call.tc0) {
        filter_edge(edge, call.alpha, call.beta, tc0, call.chroma_style);
        edge.at += ptrdiff_t(call.lines_a_group) * along;
    }
}

using PlacedEdge = PlacedCall<EdgeCall>;
using FilterCalls = EdgeCalls<EdgeCall, 4>; // in macroblocks of 16 luma samples

// A frame, or a field of it, as records.
struct FilterRecords {
    MacroblockArea area;
    std::vector<FilterMb> records;
};

// Turns single edges into macroblock records. A call has alpha, beta and tc0, but no strengths. The
// filters of strengths 1 to 3 differ only in tc0, so any three numbers that lead to the right tc0
// are as good as the standard's.
// Returns null, and in result the same filter, a frame or up to two fields; or why no picture has
// these calls: MBAFF, thresholds that differ where a macroblock has one, tc0 of more than three
// strengths, or an order that differs from the standard's (8.7) where it matters.
const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          std::vector<FilterRecords> &result);

} // namespace v3doff::h264
