// SPDX-License-Identifier: BSD-2-Clause
// Transform blocks on their way to the GPU: sorted by kind, their coefficients cut down to the
// corner that holds any, in the order the kernels read. No Vulkan here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/arena_words.hpp"
#include "core/plain_array.hpp"
#include "records/vp9_itx.h"

namespace v3doff::vp9 {

// One block as a decoder hands it over: numbers as in itx_reference.hpp, x and y in samples.
struct ItxInput {
    uint plane, x, y;
    int tx, type, eob;
    const void *coefficients;
};

template <typename T>
using ItxArray = PlainArray<T>;

// Records of one lane of recording. Thread-safety: none; one batch a lane.
class ItxBatch {
  public:
    // Which of the blocks it is, for strike().
    struct Handle {
        uint kind, index;
    };

    // Copies what counts of the block. The caller has made sure that itx_fits().
    Handle add(const ItxInput &block, int bit_depth);

    // The block was done elsewhere, or will be.
    void strike(Handle handle);
    static constexpr uint struck_place = ~0u; // of its record

    // Adds a block to its plane on the CPU; a struck one does nothing.
    void run_cpu(Handle handle, void *plane, std::ptrdiff_t stride_bytes, int bit_depth) const;

    // The block as it could have been handed over: with an end of block of its class, and for a DC
    // block a coefficient that gives its residual. Nothing for a struck one.
    std::optional<ItxInput> unpack(Handle handle, int bit_depth,
                                   std::vector<std::int32_t> &coefficients) const;

    void clear();                              // keeps the memory
    std::size_t size() const { return size_; } // without those struck

    // Blocks of one kind. A record's source counts words from the start of `words`.
    struct List {
        ItxArray<ItxRecord> records;
        ItxArray<uint> words;
        uint struck = 0;
    };
    const List &list(uint kind) const { return lists_[kind]; }

  private:
    std::array<List, ITX_KINDS> lists_;
    std::size_t size_ = 0;
};

// With more than 8 bits a block can hold coefficients for which 32 bits do not suffice on the GPU
// (shaders/vp9/itx_rotate.glsl). No intermediate value exceeds the sum of their magnitudes: every
// node of every transform has weights of at most 1.
bool itx_fits(const ItxInput &block, int bit_depth);

// What a kind stands for. corner: the edge of the corner that holds the coefficients; 0 where only
// DC counts, or for residuals as they are (raw).
struct ItxKindShape {
    int tx, type, corner;
    bool raw = false;
};
const ItxKindShape &itx_kind_shape(uint kind);

uint itx_kind(int tx, int type, int eob);
uint itx_block_words(uint kind, int bit_depth); // of coefficients in the arena
uint itx_lanes_log2(uint kind, int bit_depth);  // invocations that share a block

// A dispatch: `shader` is 0 for vp9/itx.comp, 1 for vp9/itx_adst.comp.
struct ItxDispatch {
    uint shader;
    uint groups;
    ItxPush push;
};
inline constexpr uint itx_shader_kinds[3] = {0, ITX_ADST_4, ITX_KINDS}; // each one's first
uint itx_group_cost(uint kind); // instructions of a workgroup

// Appends groups, records and coefficients of all batches to the arena and says what to dispatch:
// nothing, or one of each shader; more than that only where a dispatch would run for long. `planes`
// has everything of the push constants but `groups`.
void itx_plan(std::span<const ItxBatch *const> batches, const ItxPush &planes, int bit_depth,
              ArenaWords &arena, std::vector<ItxDispatch> &dispatches);

} // namespace v3doff::vp9
