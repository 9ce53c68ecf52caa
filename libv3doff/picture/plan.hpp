// SPDX-License-Identifier: BSD-2-Clause
// The passes of a picture's submit, as plain data. There is no Vulkan here, so that plans can be
// tested and dumped without a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "picture/arena_words.hpp"
#include "picture/rows.hpp"
#include "vk/dispatch.hpp"

namespace v3doff {

class Surface;

// The most other pictures that a picture's dispatches may read. Each dispatch can read one of them.
inline constexpr uint32_t max_references = 16;

using vk::Dispatch;

struct Plan {
    // As a dispatch's reference: its samples binding is the scratch buffer.
    static constexpr uint32_t scratch_as_samples = max_references;

    ArenaWords arena;          // what the shaders read: records, coefficients, tables
    size_t reserved_words = 0; // room after it, see reserve()
    std::vector<Dispatch> dispatches;
    size_t scratch_words = 0; // memory in which dispatches pass data to later ones
    // What it reads or overwrites. A submit keeps a copy of these rows until it has succeeded. If
    // its passes work in the device's own memory, only these rows are copied to it.
    PlaneRows rows;
    std::array<Surface *, max_references> references{}; // null: not used
    bool is_discrete = false; // set before the stages plan: vk::Caps::is_discrete
    // What the passes do with the samples that the picture has before.
    enum class Old {
        read,   // they may read some, so a copy is kept of what they overwrite
        beside, // they read none; samples in other lines stay
        gone,   // they read none, and write all
    };
    Old old = Old::read;
    uint32_t own_references = 0; // bits: references that are other lines of the picture itself

    // Calls visit(dispatch, whether it needs a barrier before it).
    template <typename Visit>
    void each_pass(Visit visit) const {
        vk::Hazards hazards;
        for (const Dispatch &dispatch : dispatches)
            visit(dispatch, hazards.barrier_before(dispatch));
    }

    // Keeps the memory, so that a stream allocates nothing after its first pictures.
    void clear() {
        arena.clear();
        reserved_words = 0;
        dispatches.clear();
        scratch_words = 0;
        std::fill(std::begin(rows), std::end(rows), RowRange());
        references.fill(nullptr);
        old = Old::read;
        own_references = 0;
    }

    // Reserves room in the arena buffer, at a multiple of 16 words. A dispatch writes it, and later
    // ones read it like words of the CPU. It follows the arena, which must not grow after this.
    size_t reserve(size_t words) {
        const size_t at = (arena.size() + reserved_words + 15) / 16 * 16;
        reserved_words = at + words - arena.size();
        return at;
    }

    size_t arena_words() const { return arena.size() + reserved_words; }

    // Barriers follow from what it touches, and whether there is scratch memory: its shader names
    // that in any case.
    Dispatch &add(const Dispatch &dispatch) {
        if ((dispatch.access.reads | dispatch.access.writes) & vk::memory_scratch)
            scratch_words = std::max(scratch_words, size_t(1));
        return dispatches.emplace_back(dispatch);
    }
    template <typename Push>
    Dispatch &dispatch(uint32_t shader, std::array<uint32_t, 3> groups, const Push &push,
                       vk::Access access) {
        return add(Dispatch(shader, groups, push, access));
    }
};

} // namespace v3doff
