// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/batch.hpp"

#include "h264/lines.hpp"
#include "h264/residual/reference.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {

MacroblockScratch::MacroblockScratch(const PictureFormat &format) {
    for (unsigned p = 0; p < format.planes(); p++) {
        first[p] = words;
        words += 128u >> (format.shift_x(p) + format.shift_y(p));
    }
}

size_t MacroblockScratch::words_of(size_t macroblocks) const {
    const size_t all = macroblocks * words;
    if (all > size_t(1) << RESIDUAL_SCRATCH.count)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "more residuals than their records can place");
    return all;
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

template <typename Visit>
void MacroblockBatch::each(Visit visit) const {
    for (const ResidualMacroblock &from : list_.span()) {
        MacroblockResidual residual{};
        residual.coded[0] = unpack(from.coded_01, LOWER_HALF);
        residual.coded[1] = unpack(from.coded_01, UPPER_HALF);
        residual.coded[2] = uint16_t(from.coded_2);
        residual.transform_8x8 = from.place & RESIDUAL_TRANSFORM_8X8;
        residual.bypass = from.place & RESIDUAL_BYPASS;
        residual.field = unpack(from.place, RESIDUAL_FIELD);
        residual.source = from.source;
        residual.blocks = uint(std::popcount(from.coded_01) + std::popcount(from.coded_2 & 0xffff));
        residual.coefficients =
            coefficients_->at(from.source, residual.blocks * block_words_).data();
        visit(unpack(from.place, RESIDUAL_X),
              unpack(from.place, RESIDUAL_Y) + unpack(from.place, RESIDUAL_PARITY), residual);
    }
}

void MacroblockBatch::run_cpu(const PictureView &picture) const {
    const PictureFormat &format = picture.format;
    each([&](uint mb_x, uint mb_y, const MacroblockResidual &residual) {
        const ResidualKind kind_4x4 =
            residual.bypass ? ResidualKind::bypass_4x4 : ResidualKind::residual_4x4;
        each_coded_block(
            format, residual, [&](unsigned p, uint i, bool large, const void *coefficients) {
                const BlockPlace at = block_place(format, p, i);
                const PlaneView &plane = picture.plane[p];
                const MacroblockLines lines(mb_y, residual.field, 16u >> format.shift_y(p));
                const ptrdiff_t x = ptrdiff_t(at.x + (mb_x * 16u >> format.shift_x(p))),
                                y = ptrdiff_t(lines.first + at.y * lines.step);
                residual_add_reference(
                    plane.data + y * plane.stride + x * ptrdiff_t(format.sample_bytes()),
                    plane.stride * ptrdiff_t(lines.step), coefficients,
                    large ? ResidualKind::residual_8x8 : kind_4x4, int(format.bit_depth));
            });
    });
}

void MacroblockBatch::append_to(ArenaWords &arena) const {
    constexpr size_t words = sizeof(ResidualMacroblock) / 4;
    if (list_.size()) arena.append(&list_.span().data()->place, list_.size() * words);
}

ResidualFirst MacroblockBatch::reserve_records(ArenaWords &arena) {
    static_assert(RESIDUAL_4 == RESIDUAL_BYPASS_4 + 1); // its records stand right before
    for (uint kind = RESIDUAL_BYPASS_4; kind < RESIDUAL_KINDS; kind++) {
        first_record_[kind] = uint(arena.size());
        arena.grow(arena.size() + records_[kind] * (sizeof(ResidualRecord) / 4));
    }
    return {first_record_[RESIDUAL_4], first_record_[RESIDUAL_8_4], first_record_[RESIDUAL_8]};
}

void MacroblockBatch::plan_records(MacroblockBatch &picture, MacroblockBatch &scratch, Plan &plan) {
    const PictureFormat &format = picture.format_;
    auto &arena = plan.arena;
    ResidualBlocksPush push{};
    push.in_picture = uint(picture.size()), push.count = uint(picture.size() + scratch.size());
    if (!push.count) return;
    push.macroblocks = uint(arena.size());
    picture.append_to(arena);
    scratch.append_to(arena);
    push.coefficients = picture.coefficients_->word();
    push.block_words = picture.block_words_;
    push.scratch_words = MacroblockScratch(format).words;
    push.shift_x = format.shift_x(1), push.shift_y = format.shift_y(1);
    push.chroma_as_luma = format.chroma == V3DOFF_CHROMA_444;
    arena.align(2);
    push.picture = picture.reserve_records(arena);
    push.scratch = scratch.reserve_records(arena);
    const uint32_t groups = (push.count + RESIDUAL_MACROBLOCKS - 1) / RESIDUAL_MACROBLOCKS;
    plan.dispatch(shader(), {groups, 1, 1}, push, {vk::memory_arena, vk::memory_arena}).by_area =
        true;
}

} // namespace v3doff::h264
