// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblock_batch.hpp"

#include "h264/residual_words.hpp"

namespace v3doff::h264 {

MacroblockLayout MacroblockLayout::in_picture(const PictureFormat &format) {
    MacroblockLayout layout;
    for (unsigned p = 0; p < format.planes(); p++) {
        Plane &plane = layout.plane[p];
        plane.first = p << 24;
        plane.mb_x = 4u >> format.shift_x(p);
        plane.mb_y = 4u >> format.shift_y(p) << 12;
        for (uint i = 0; i < 16; i++) {
            const BlockPlace at = block_place(format, p, i);
            plane.block[i] = at.x / 4 | at.y / 4 << 12;
        }
    }
    return layout;
}

MacroblockLayout MacroblockLayout::in_scratch(const PictureFormat &format) {
    MacroblockLayout layout;
    for (unsigned p = 0; p < format.planes(); p++) {
        Plane &plane = layout.plane[p];
        const uint row = 8u >> format.shift_x(p); // words
        plane.first = layout.words | row << RESIDUAL_SCRATCH_BITS;
        for (uint i = 0; i < 16; i++) {
            const BlockPlace at = block_place(format, p, i);
            plane.block[i] = at.x / 2 + at.y * row;
        }
        layout.words += row * (16u >> format.shift_y(p));
    }
    for (unsigned p = 0; p < format.planes(); p++)
        layout.plane[p].number = layout.words;
    return layout;
}

void MacroblockBatch::append(const PictureFormat &format, uint mb_x, uint mb_y,
                             const MacroblockResidual &residual) {
    rows_.add(mb_y, mb_y + 1);
    Macroblock &added = *list_.append(1);
    added = {residual, uint16_t(mb_x), uint16_t(mb_y), {}};
    uint64_t small =
        residual.coded[0] | uint64_t(residual.coded[1]) << 16 | uint64_t(residual.coded[2]) << 32;
    if (residual.transform_8x8) {
        const bool all_large = format.chroma == V3DOFF_CHROMA_444;
        const uint32_t words = 8 * format.sample_bytes();
        const uint32_t *from = residual.coefficients;
        small = all_large ? 0 : small & ~0xffffull;
        for (unsigned p = 0; p < (all_large ? max_planes : 1); p++)
            for (uint coded = residual.coded[p] & 0x1111; coded; coded &= coded - 1) {
                const bool corner = in_corner(from, int(format.bit_depth));
                added.in_corner[p] |= uint16_t(corner << std::countr_zero(coded));
                records_[corner ? RESIDUAL_8_4 : RESIDUAL_8]++;
                from += 4 * words;
            }
    }
    records_[RESIDUAL_4] += uint(std::popcount(small));
}

void MacroblockBatch::count(const PictureFormat &format, ResidualExtents &extents) const {
    for (uint kind = 0; kind < RESIDUAL_KINDS; kind++) {
        extents[kind].records += records_[kind];
        extents[kind].words += records_[kind] * residual_block_words(kind, int(format.bit_depth));
    }
}

// What changes from block to block is in variables of its own, which stay in registers: by far the
// most blocks are of 4x4.
template <bool high>
void MacroblockBatch::put_all(const PictureFormat &format, const MacroblockLayout &layout,
                              uint *arena, ResidualExtents &next) const {
    constexpr uint words = high ? 16 : 8;
    const unsigned planes = format.planes();
    const bool all_large = format.chroma == V3DOFF_CHROMA_444;
    ResidualExtent small = next[RESIDUAL_4];
    uint number = 0;
    for (const Macroblock &macroblock : list_.span()) {
        const uint32_t *from = macroblock.residual.coefficients;
        for (unsigned p = 0; p < planes; p++) {
            uint coded = macroblock.residual.coded[p];
            if (!coded) continue;
            const MacroblockLayout::Plane &plane = layout.plane[p];
            const uint first = plane.first + macroblock.x * plane.mb_x + macroblock.y * plane.mb_y +
                               number * plane.number;
            if (macroblock.residual.transform_8x8 && (!p || all_large)) {
                for (coded &= 0x1111; coded; coded &= coded - 1, from += 4 * words) {
                    const uint i = uint(std::countr_zero(coded));
                    const uint kind = macroblock.in_corner[p] >> i & 1 ? RESIDUAL_8_4 : RESIDUAL_8;
                    ResidualExtent &to = next[kind];
                    arena[to.records] = first + plane.block[i];
                    arena[to.records + 1] = to.words;
                    to.records += 2;
                    pack_block(kind, int(format.bit_depth), arena + to.words, from);
                    to.words += residual_block_words(kind, int(format.bit_depth));
                }
                continue;
            }
            for (; coded; coded &= coded - 1, from += words) {
                arena[small.records] = first + plane.block[size_t(std::countr_zero(coded))];
                arena[small.records + 1] = small.words;
                pack_4x4(high, arena + small.words, from);
                small.records += 2, small.words += words;
            }
        }
        number++;
    }
    next[RESIDUAL_4] = small;
}

void MacroblockBatch::put(const PictureFormat &format, const MacroblockLayout &layout, uint *arena,
                          ResidualExtents &next) const {
    if (format.bit_depth > 8)
        put_all<true>(format, layout, arena, next);
    else
        put_all<false>(format, layout, arena, next);
}

} // namespace v3doff::h264
