// SPDX-License-Identifier: BSD-2-Clause
// H.264 residual blocks on their way to the GPU: sorted by kind, their coefficients cut down to the
// corner that holds any, in the order the kernels read. No Vulkan here.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "h264/macroblock_batch.hpp"
#include "picture/arena_words.hpp"
#include "picture/plain_array.hpp"
#include "h264/residual_reference.hpp"
#include "records/h264_residual.h"

namespace v3doff::h264 {

// Where a block's samples are. x and y are those of its first one; its rows follow each other, or
// are every second one where field is 1: then y may be odd.
struct ResidualPlace {
    uint plane, x, y, field;
};

inline constexpr uint residual_struck =
    ~0u; // ResidualRecord::place of a block that is done elsewhere

struct ResidualInput {
    ResidualPlace place;
    ResidualKind kind;
    const void *coefficients;
};

// Records of one lane of recording. Thread-safety: none; one batch a lane.
class ResidualBatch {
  public:
    // Which of the blocks it is, for strike(). kind is one of shaders/records/h264_residual.h.
    struct Handle {
        uint kind, index;
    };

    // Copies what counts of the block, which is not an 8x8 bypass: that is four of 4x4.
    Handle add(const ResidualInput &block, int bit_depth);

    // The block was done elsewhere, or will be.
    void strike(Handle handle);

    static uint edge(uint kind); // samples

    // Adds a block to its plane on the CPU; a struck one does nothing.
    void run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes, int bit_depth) const;

    // The place of a block, nothing if it is struck.
    std::optional<ResidualPlace> place(Handle handle) const;

    // The block as the decoder handed it over, or one that adds the same; nothing if it is struck.
    // The block's coefficients are those in the second argument.
    std::optional<ResidualInput> unpack(Handle handle, int bit_depth, void *coefficients) const;

    void clear();                              // keeps the memory
    std::size_t size() const { return size_; } // without those struck

    // Blocks of one kind. A record's source counts words from the start of `words`.
    struct List {
        PlainArray<ResidualRecord> records;
        PlainArray<uint> words;
        uint struck = 0;
    };
    const List &list(uint kind) const { return lists_[kind]; }

  private:
    void add_4x4(const ResidualPlace &place, const void *coefficients, bool high);

    std::array<List, RESIDUAL_KINDS> lists_;
    std::size_t size_ = 0;
};

struct ResidualDispatch {
    uint groups;
    ResidualPush push;
};

// What a plan takes: blocks of lanes, and macroblocks.
struct ResidualWork {
    std::span<const ResidualBatch *const> batches;
    std::span<const MacroblockBatch *const> macroblocks;
    MacroblockLayout layout; // of macroblocks
};

// Appends groups, records and coefficients of all batches to the arena and says what to dispatch:
// nothing, or one; more than that only where a dispatch would run for long. `planes` has everything
// of the push constants but `groups`.
void residual_plan(const ResidualWork &work, const PictureFormat &format,
                   const ResidualPush &planes, ArenaWords &arena,
                   std::vector<ResidualDispatch> &dispatches);

} // namespace v3doff::h264
