// SPDX-License-Identifier: BSD-2-Clause
// What a picture's submit will do, as plain data: no Vulkan here, so that it can be tested and
// dumped without a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "picture/arena_words.hpp"
#include "picture/format.hpp"
#include "vk/dispatch.hpp"

namespace v3doff {

// Where a picture's planes lie in the words of the samples buffer.
struct SampleMap {
    PictureFormat format;
    uint32_t offset_words[max_planes] = {};
    uint32_t stride_words[max_planes] = {};
};

class Surface;

// Other pictures that a picture's dispatches may read, each dispatch one of them.
inline constexpr uint32_t max_references = 16;

using vk::Dispatch;

// Rows of a plane that a plan reads or overwrites: a submit keeps a copy of them until it
// succeeded, and where its passes run in the device's own memory, those are the rows that they find
// there.
struct RowRange {
    uint32_t first = UINT32_MAX, end = 0;
    bool empty() const { return first >= end; }
    void add(uint32_t from, uint32_t to) {
        first = std::min(first, from);
        end = std::max(end, to);
    }
};

struct Plan {
    // As a dispatch's reference: it finds the scratch buffer where others find the samples.
    static constexpr uint32_t scratch_as_samples = max_references;

    ArenaWords arena;          // what the shaders read: records, coefficients, tables
    size_t reserved_words = 0; // room behind it, see reserve()
    std::vector<Dispatch> dispatches;
    size_t scratch_words = 0; // what they pass on to each other
    RowRange rows[max_planes];
    std::array<const Surface *, max_references> references{}; // null: not used
    bool is_discrete = false; // set before the stages plan: vk::Caps::is_discrete
    bool whole = false;       // the picture is made from nothing: no sample that is there is read
    bool fresh = false;       // so is what the plan writes; other samples stay
    uint32_t own_references = 0; // bits: those that are other lines of the picture itself

    // Calls visit(dispatch, whether a barrier stands before it).
    template <typename Visit>
    void each_pass(Visit visit) const {
        vk::Hazards hazards;
        for (const Dispatch &dispatch : dispatches)
            visit(dispatch, hazards.barrier_before(dispatch));
    }

    // Keeps the memory: a stream in its steady state allocates nothing.
    void clear() {
        arena.clear();
        reserved_words = 0;
        dispatches.clear();
        scratch_words = 0;
        std::fill(std::begin(rows), std::end(rows), RowRange());
        references.fill(nullptr);
        whole = fresh = false;
        own_references = 0;
    }

    // Room in the arena buffer that a dispatch writes and later ones read as if the CPU had made
    // it; a multiple of 16 words. It lies behind the arena, which must not grow any more.
    size_t reserve(size_t words) {
        const size_t at = (arena.size() + reserved_words + 15) / 16 * 16;
        reserved_words = at + words - arena.size();
        return at;
    }

    size_t arena_words() const { return arena.size() + reserved_words; }

    template <typename Push>
    void dispatch(uint32_t shader, std::array<uint32_t, 3> groups, const Push &push) {
        Dispatch &added = dispatches.emplace_back();
        added.shader = shader;
        added.groups = groups;
        added.set_push(push);
    }

    template <typename Push>
    void dispatch_by_area(uint32_t shader, std::array<uint32_t, 3> groups, const Push &push) {
        dispatch(shader, groups, push);
        dispatches.back().by_area = true;
    }
};

} // namespace v3doff
