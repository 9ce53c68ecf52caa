// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/edge.hpp"

#include "util/error.hpp"
#include "vk/shaders.hpp"
#include "vp9/filter/reference.hpp"

namespace v3doff::vp9 {

void Edge::record(unsigned size, int e, int i, int h) {
    if (count_ + 8 > most_edge_lines) throw Error(V3DOFF_ERROR_LIMIT, "more than two edges");
    for (unsigned line = 0; line < 8; line++)
        lines_[count_++] = {cut_limit(e), cut_limit(i), cut_limit(h), size};
}

void Edge::plan(const SampleMap &map, Plan &plan) {
    if (!count_) return;
    static const uint32_t shaders[2] = {vk::shader_index("vp9_filter_edge_8"),
                                        vk::shader_index("vp9_filter_edge_high")};
    const size_t first = (plan.arena.size() + 3) / 4;
    plan.arena.resize(4 * (first + count_));
    std::memcpy(plan.arena.data() + 4 * first, lines_.data(), count_ * sizeof(EdgeLine));
    const EdgePush push{map.offset_words[0], map.stride_words[0], count_, uint32_t(first),
                        map.format.bit_depth};
    plan.dispatch(shaders[map.format.bit_depth > 8], {1, 1, 1}, push, vk::in_place);
    plan.rows[0].add(0, count_);
}

void Edge::run_cpu(const PictureView &picture) {
    const PlaneView &plane = picture.plane[0];
    for (unsigned n = 0; n < count_; n++) {
        const EdgeLine &line = lines_[n];
        const EdgeLimits limits{uint32_t(line.e), uint32_t(line.i), uint32_t(line.h)};
        std::byte *row = plane.data + ptrdiff_t(n) * plane.stride;
        if (picture.format.bit_depth == 8)
            filter_edge(reinterpret_cast<uint8_t *>(row) + 8, 1, 0, 1, line.size, limits, 8);
        else
            filter_edge(reinterpret_cast<uint16_t *>(row) + 8, 1, 0, 1, line.size, limits,
                        picture.format.bit_depth);
    }
}

} // namespace v3doff::vp9
