// SPDX-License-Identifier: BSD-2-Clause
// Calls of a loop filter, edge by edge, the same for both codecs. Edge is what a codec calls one
// (common/edge_calls.hpp), Filter its stage for pictures.
#pragma once

#include <cstring>
#include <span>

#include "common/edge_calls.hpp"
#include "common/edge_lines.hpp"
#include "dsp/at_once.hpp"

namespace v3doff::dsp {

// The edge follows the first half of the samples in each row of the small picture. Only the samples
// that the filter reads are copied: the caller may have no memory beside them.
template <bool to_picture, typename Edge>
void copy_lines(const Call &call, ptrdiff_t across, ptrdiff_t along, std::span<const Edge> edges,
                const PlaneView &plane) {
    const ptrdiff_t bytes = call.sample_bytes(), half = ptrdiff_t(Edge::samples / 2);
    std::byte *theirs = call.at(), *ours = plane.data + half * bytes;
    for (const Edge &edge : edges)
        for (unsigned line = 0; line < edge.lines(); line++) {
            if (to_picture) std::memset(ours - half * bytes, 0, size_t(2 * half * bytes));
            for (auto n = -ptrdiff_t(edge.reach()); n < ptrdiff_t(edge.reach()); n++) {
                std::byte *const a = ours + n * bytes, *const b = theirs + n * across;
                std::memcpy(to_picture ? a : b, to_picture ? b : a, size_t(bytes));
            }
            theirs += along, ours += plane.stride;
        }
}

template <typename Edge>
void filter_at_once(AtOnce kind, const Call &call, bool between_rows,
                    std::span<const Edge> edges) noexcept {
    const ptrdiff_t across = between_rows ? call.stride : call.sample_bytes();
    const ptrdiff_t along = between_rows ? call.sample_bytes() : call.stride;
    const auto before = [&](Picture &picture) {
        copy_lines<true>(call, across, along, edges, picture.view().plane[0]);
        for (const Edge &edge : edges)
            picture.stage<EdgeLines<Edge>>(Slot::filter).record(edge);
    };
    const auto after = [&](const PlaneView &plane) {
        copy_lines<false>(call, across, along, edges, plane);
    };
    if (run_at_once(kind, call.bit_depth, std::ref(before), std::ref(after))) return;
    std::byte *at = call.at();
    for (const Edge &edge : edges) {
        filter_call(at, across, along, edge, call.bit_depth);
        at += ptrdiff_t(edge.lines()) * along;
    }
}

// Edges that follow each other along a line. is_visible(picture, placed edge) is called for each:
// it throws if the picture cannot take it, and may shorten it. False: it is left out.
template <typename Filter, typename Edge, typename IsVisible>
void filter_edges(AtOnce kind, const Call &call, bool between_rows, std::span<const Edge> edges,
                  IsVisible is_visible) noexcept {
    const auto record = [&](Picture &picture, uint32_t lane, const Place &place) {
        PlacedCall<Edge> edge{0, place.plane, place.x, place.y, place.field != 0, between_rows, {}};
        const PlaneView &plane = picture.view().plane[place.plane];
        for (const Edge &call_edge : edges) {
            edge.call = call_edge;
            if (is_visible(picture.view(), edge)) {
                if (edge.y < edge.above() || edge.x < edge.left() ||
                    edge.end_x() > plane.padded_width || edge.end_y() > plane.padded_height)
                    refuse("the edge's samples leave the picture's memory");
                picture.stage<Filter>(Slot::filter).record_call(lane, picture.view(), edge);
            }
            if (between_rows)
                edge.x += call_edge.lines();
            else
                edge.y += call_edge.lines() << edge.field;
        }
    };
    if (!recorded(call, record)) filter_at_once(kind, call, between_rows, edges);
}

} // namespace v3doff::dsp
