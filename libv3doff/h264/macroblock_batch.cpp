// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblock_batch.hpp"

#include "h264/residual_words.hpp"

namespace v3doff::h264 {
namespace {

uint large_kind(const void *coefficients, int bit_depth) {
    return in_corner(coefficients, bit_depth) ? RESIDUAL_8_4 : RESIDUAL_8;
}

} // namespace

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

void MacroblockBatch::count(const PictureFormat &format, ResidualExtents &extents) const {
    const int depth = int(format.bit_depth);
    const bool all_large = format.chroma == V3DOFF_CHROMA_444;
    uint small = 0;
    for (const Macroblock &macroblock : list_.span()) {
        const MacroblockResidual &residual = macroblock.residual;
        if (!residual.transform_8x8) {
            small += uint(std::popcount(residual.coded[0]));
        } else {
            each_coded_block(format, residual, [&](unsigned, uint, bool large, const void *from) {
                if (large) extents[large_kind(from, depth)].records++;
            });
            if (all_large) continue;
        }
        if (format.planes() > 1)
            small += uint(std::popcount(residual.coded[1]) + std::popcount(residual.coded[2]));
    }
    extents[RESIDUAL_4].records += small;
    extents[RESIDUAL_4].words += small * residual_block_words(RESIDUAL_4, depth);
    for (uint kind : {RESIDUAL_8_4, RESIDUAL_8})
        extents[kind].words = extents[kind].records * residual_block_words(kind, depth);
}

void MacroblockBatch::put(const PictureFormat &format, const MacroblockLayout &layout, uint *arena,
                          ResidualExtents &next) const {
    const int depth = int(format.bit_depth);
    uint number = 0;
    for (const Macroblock &macroblock : list_.span()) {
        std::array<uint, max_planes> first;
        for (unsigned p = 0; p < max_planes; p++) {
            const MacroblockLayout::Plane &plane = layout.plane[p];
            first[p] = plane.first + macroblock.x * plane.mb_x + macroblock.y * plane.mb_y +
                       number * plane.number;
        }
        number++;
        each_coded_block(format, macroblock.residual,
                         [&](unsigned p, uint i, bool large, const void *from) {
                             const uint kind = large ? large_kind(from, depth) : RESIDUAL_4;
                             ResidualExtent &to = next[kind];
                             arena[to.records] = first[p] + layout.plane[p].block[i];
                             arena[to.records + 1] = to.words;
                             to.records += 2;
                             if (large)
                                 pack_block(kind, depth, arena + to.words, from);
                             else
                                 pack_4x4(depth > 8, arena + to.words, from);
                             to.words += residual_block_words(kind, depth);
                         });
    }
}

} // namespace v3doff::h264
