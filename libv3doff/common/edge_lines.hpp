// SPDX-License-Identifier: BSD-2-Clause
// Single edges of a loop filter, laid out as lines in a small picture of their own. A call of a DSP
// table that cannot wait for a picture does this.
#pragma once

#include <array>
#include <cstring>

#include "picture/stage.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff {

// Edge: as in common/edge_calls.hpp, and with the record of each line, its shaders, and the number
// of samples of a row, in the middle of which the edge lies.
template <typename Edge>
class EdgeLines final : public Stage {
  public:
    // Adds the edge's lines below the present ones.
    void record(const Edge &edge) {
        if (count_ == edges_.size()) throw Error(V3DOFF_ERROR_LIMIT, "more than two edges");
        edges_[count_++] = edge;
    }

    uint64_t records() const override { return count_; }
    void clear() override { count_ = 0; }

    void plan(const SampleMap &map, Plan &plan) override {
        if (!count_) return;
        static const uint32_t shaders[2] = {vk::shader_index(Edge::shader_8),
                                            vk::shader_index(Edge::shader_high)};
        plan.arena.align(4);
        const auto first = uint32_t(plan.arena.size() / 4);
        uint32_t lines = 0;
        for (unsigned n = 0; n < count_; n++)
            for (unsigned line = 0; line < edges_[n].lines(); line++, lines++) {
                const auto record = edges_[n].line(line);
                static_assert(sizeof record == 16);
                plan.arena.grow(plan.arena.size() + 4);
                std::memcpy(plan.arena.end() - 4, &record, sizeof record);
            }
        const typename Edge::Push push{map.offset_words[0], map.stride_words[0], lines, first,
                                       map.format.bit_depth};
        plan.dispatch(shaders[map.format.bit_depth > 8], {1, 1, 1}, push, vk::in_place);
        plan.rows[0].add(0, lines);
    }

    void run_cpu(const PictureView &picture) override {
        const PlaneView &plane = picture.plane[0];
        const ptrdiff_t bytes = picture.format.sample_bytes();
        std::byte *at = plane.data + ptrdiff_t(Edge::samples / 2) * bytes;
        for (unsigned n = 0; n < count_; n++) {
            filter_call(at, bytes, plane.stride, edges_[n], picture.format.bit_depth);
            at += ptrdiff_t(edges_[n].lines()) * plane.stride;
        }
    }

  private:
    std::array<Edge, 2> edges_;
    unsigned count_ = 0;
};

} // namespace v3doff
