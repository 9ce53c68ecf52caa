// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/edge_lines.hpp"

#include "h264/filter/reference.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {

void filter_call(std::byte *at, ptrdiff_t across, ptrdiff_t along, const EdgeCall &call,
                 unsigned bit_depth) {
    Edge edge{at, across, along, call.lines(), int(bit_depth)};
    if (call.strong) return filter_edge_strong(edge, call.alpha, call.beta, call.chroma_style);
    edge.lines = call.lines_a_group;
    for (int tc0 : call.tc0) {
        filter_edge(edge, call.alpha, call.beta, tc0, call.chroma_style);
        edge.at += ptrdiff_t(call.lines_a_group) * along;
    }
}

void EdgeLines::plan(const SampleMap &map, Plan &plan) {
    if (!given_) return;
    static const uint32_t shaders[2] = {vk::shader_index("h264_filter_edge_8"),
                                        vk::shader_index("h264_filter_edge_high")};
    const unsigned lines = call_.lines();
    const size_t first = (plan.arena.size() + 3) / 4;
    plan.arena.resize(4 * (first + lines));
    const uint style = (call_.chroma_style ? EDGE_CHROMA : 0) | (call_.strong ? EDGE_STRONG : 0);
    for (unsigned n = 0; n < lines; n++) {
        const EdgeLine line{call_.alpha, call_.beta, call_.tc0[n / call_.lines_a_group], style};
        std::memcpy(&plan.arena[4 * (first + n)], &line, sizeof line);
    }
    const EdgePush push{map.offset_words[0], map.stride_words[0], lines, uint32_t(first),
                        map.format.bit_depth};
    plan.dispatch(shaders[map.format.bit_depth > 8], {1, 1, 1}, push, vk::in_place);
    plan.rows[0].add(0, lines);
}

void EdgeLines::run_cpu(const PictureView &picture) {
    if (!given_) return;
    const PlaneView &plane = picture.plane[0];
    const ptrdiff_t bytes = picture.format.sample_bytes();
    filter_call(plane.data + 4 * bytes, bytes, plane.stride, call_, picture.format.bit_depth);
}

} // namespace v3doff::h264
