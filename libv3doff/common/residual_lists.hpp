// SPDX-License-Identifier: BSD-2-Clause
// Residual blocks for the GPU, sorted by kind. No Vulkan here.
#pragma once

#include <array>
#include <span>

#include "common/group_dispatches.hpp"
#include "picture/plain_array.hpp"
#include "picture/stage.hpp"
#include "records/residual.h"

namespace v3doff {

// No picture has more than one 4x4 block for each 4x4 samples.
inline size_t most_residual_blocks(const PictureView &picture) {
    size_t blocks = 0;
    for (unsigned p = 0; p < picture.format.planes(); p++)
        blocks += size_t(picture.plane[p].padded_width) * picture.plane[p].padded_height / 16;
    return blocks;
}

// The blocks of all kinds.
template <uint kinds>
class ResidualLists {
  public:
    // Identifies a block, for strike().
    struct Handle {
        uint kind, index;
    };
    // Blocks of one kind. A record's source counts words from the start of `words`, if the kind has
    // any.
    struct List {
        PlainArray<ResidualRecord> records;
        PlainArray<uint> words;
        uint struck = 0;
    };
    static constexpr uint struck_place = ~0u; // the place in a struck block's record

    // Removes a block that is done elsewhere.
    void strike(Handle handle) {
        List &list = lists_[handle.kind];
        ResidualRecord &record = list.records[handle.index];
        if (record.place == struck_place) return;
        record.place = struck_place;
        list.struck++;
        size_--;
    }
    void clear() { // keeps the memory
        size_ = 0;
        for (List &list : lists_) {
            list.records.clear();
            list.words.clear();
            list.struck = 0;
        }
    }
    size_t size() const { return size_; } // without the struck ones
    const List &list(uint kind) const { return lists_[kind]; }
    const ResidualRecord &record(Handle handle) const {
        return lists_[handle.kind].records.span()[handle.index];
    }
    // Visits all blocks, struck ones too.
    template <typename Visit>
    void each(Visit visit) const {
        for (uint kind = 0; kind < kinds; kind++)
            for (uint i = 0; i < lists_[kind].records.size(); i++)
                visit(Handle{kind, i});
    }

  protected:
    std::array<List, kinds> lists_;
    size_t size_ = 0;
};

// The number of blocks of one kind, or the place of the next one in the arena.
struct ResidualExtent {
    uint records = 0, words = 0;
};

// Adds the workgroups of so many records of one kind. first: the word of the first one; cost: the
// instructions of a workgroup.
inline void add_residual_groups(uint first, uint count, uint kind, uint lanes_log2, uint cost,
                                GroupDispatches &to) {
    const uint most = RESIDUAL_LANES >> lanes_log2;
    for (uint done = 0; done < count; done += most)
        to.add(first + done * 2,
               pack(kind, RESIDUAL_GROUP_KIND) | pack(lanes_log2, RESIDUAL_GROUP_LANES_LOG2) |
                   pack(std::min(most, count - done), RESIDUAL_GROUP_COUNT),
               cost);
}

// Puts lists into the arena: the records of all kinds, then their coefficients, then workgroups.
template <uint kinds>
class ResidualPacker {
  public:
    using Lists = ResidualLists<kinds>;
    using Extents = std::array<ResidualExtent, kinds>;

    // Step 1: count everything.
    void count(const Lists &lists) {
        for (uint kind = 0; kind < kinds; kind++) {
            const auto &list = lists.list(kind);
            count_[kind].records += uint(list.records.size()) - list.struck;
            count_[kind].words += uint(list.words.size());
        }
    }

    // Step 2: make room for it in the arena.
    void make_room(ArenaWords &arena) {
        uint records = 0, words = 0;
        for (const ResidualExtent &extent : count_) {
            records += extent.records;
            words += extent.words;
        }
        arena.align(4);
        uint record = uint(arena.size());
        arena.grow(record + records * 2);
        arena.align(4);
        uint word = uint(arena.size());
        arena.grow(word + words);
        for (uint kind = kinds; kind-- > 0;) {
            next_[kind] = {record, word};
            record += count_[kind].records * 2;
            word += count_[kind].words;
        }
    }

    // Step 3: put it there.
    void put(const Lists &lists, ArenaWords &arena) {
        for (uint kind = 0; kind < kinds; kind++)
            put(lists.list(kind), next_[kind], arena.data());
    }

    // Step 4: add the workgroups. cost: the instructions of one.
    void add_groups(uint kind, uint lanes_log2, uint cost, GroupDispatches &to) const {
        const uint count = count_[kind].records;
        add_residual_groups(next_[kind].records - count * 2, count, kind, lanes_log2, cost, to);
    }

  private:
    static void put(const typename Lists::List &list, ResidualExtent &to, uint *arena) {
        const auto words = list.words.span();
        std::copy(words.begin(), words.end(), arena + to.words);
        const uint base = words.empty() ? 0 : to.words;
        to.words += uint(words.size());
        for (const ResidualRecord &from : list.records.span()) {
            if (from.place == Lists::struck_place) continue;
            arena[to.records++] = from.place;
            arena[to.records++] = from.source + base;
        }
    }

    Extents count_{}, next_{};
};

} // namespace v3doff
