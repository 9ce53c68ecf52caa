// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblock_batch.hpp"

#include <cstring>

#include "h264/residual_words.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {

MacroblockLayout MacroblockLayout::in_picture(const PictureFormat &format) {
    MacroblockLayout layout;
    for (unsigned p = 0; p < format.planes(); p++)
        layout.plane[p] = {p << 24, 4u >> format.shift_x(p), 4u >> format.shift_y(p) << 12, 1,
                           1u << 12};
    return layout;
}

MacroblockLayout MacroblockLayout::in_scratch(const PictureFormat &format) {
    MacroblockLayout layout;
    for (unsigned p = 0; p < format.planes(); p++) {
        const uint row = 8u >> format.shift_x(p); // words
        layout.plane[p] = {layout.words | row << RESIDUAL_SCRATCH_BITS, 0, 0, 2, 4 * row};
        layout.words += row * (16u >> format.shift_y(p));
    }
    return layout;
}

uint32_t MacroblockBatch::shader() {
    static const uint32_t index = vk::shader_index("h264_residual_blocks");
    return index;
}

void MacroblockBatch::begin(const PictureFormat &format, const LaneCoefficients &coefficients) {
    clear();
    format_ = format;
    block_words_ = 8 * format.sample_bytes();
    coefficients_ = &coefficients;
}

void MacroblockBatch::clear() {
    list_.clear();
    records_ = {};
    rows_ = {};
}

// Blocks of 8x8 are of two kinds.
void MacroblockBatch::append_large(const MacroblockResidual &residual, ResidualMacroblock &to) {
    const bool all = format_.chroma == V3DOFF_CHROMA_444;
    const uint32_t *from = residual.coefficients;
    uint small = residual.blocks;
    to.place |= RESIDUAL_TRANSFORM_8X8;
    to.record_8_4 = records_[RESIDUAL_8_4], to.record_8 = records_[RESIDUAL_8];
    for (unsigned p = 0; p < (all ? max_planes : 1); p++)
        for (uint i = 0; i < 4; i++) {
            if (!(residual.coded[p] >> 4 * i & 1)) continue;
            const bool corner = in_corner(from, int(format_.bit_depth));
            to.coded_2 |= uint(corner) << (16 + 4 * p + i);
            records_[RESIDUAL_8_4] += corner, records_[RESIDUAL_8] += !corner;
            from += 4 * block_words_;
            small -= 4;
        }
    records_[RESIDUAL_4] += small;
}

void MacroblockBatch::plan_records(const MacroblockLayout &layout, Plan &plan) {
    if (!list_.size()) return;
    auto &arena = plan.arena;
    ResidualBlocksPush push{};
    push.macroblocks = uint(arena.size()), push.count = uint(list_.size());
    arena.append(&list_.span().data()->place, list_.size() * (sizeof(ResidualMacroblock) / 4));
    push.coefficients = coefficients_->word();
    push.block_words = block_words_;
    arena.resize((arena.size() + 1) / 2 * 2);
    for (uint kind = RESIDUAL_4; kind < RESIDUAL_KINDS; kind++) {
        first_record_[kind] = uint(arena.size());
        arena.grow(arena.size() + records_[kind] * (sizeof(ResidualRecord) / 4));
    }
    std::memcpy(&push.records_4, &first_record_[RESIDUAL_4], 3 * sizeof push.records_4);
    push.number = layout.words;
    push.chroma_as_luma = format_.chroma == V3DOFF_CHROMA_444;
    std::memcpy(&push.plane_0, layout.plane.data(), sizeof layout.plane);
    const uint32_t groups = (push.count + RESIDUAL_MACROBLOCKS - 1) / RESIDUAL_MACROBLOCKS;
    Dispatch &dispatch =
        plan.dispatch(shader(), {groups, 1, 1}, push, {vk::memory_arena, vk::memory_arena});
    dispatch.by_area = true;
    dispatch.follows = true; // nobody has read or written what it touches
}

} // namespace v3doff::h264
