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
        small = format.chroma == V3DOFF_CHROMA_444 ? 0 : small & ~0xffffull;
        each_coded_block(format, residual, [&](unsigned p, uint i, bool large, const void *from) {
            if (!large) return;
            const bool corner = in_corner(from, int(format.bit_depth));
            added.in_corner[p] |= uint16_t(corner << i);
            records_[corner ? RESIDUAL_8_4 : RESIDUAL_8]++;
        });
    }
    records_[RESIDUAL_4] += uint(std::popcount(small));
}

void MacroblockBatch::count(const PictureFormat &format, ResidualExtents &extents) const {
    for (uint kind = 0; kind < RESIDUAL_KINDS; kind++) {
        extents[kind].records += records_[kind];
        extents[kind].words += records_[kind] * residual_block_words(kind, int(format.bit_depth));
    }
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
        each_coded_block(
            format, macroblock.residual, [&](unsigned p, uint i, bool large, const void *from) {
                const bool corner = macroblock.in_corner[p] >> i & 1;
                const uint kind = !large ? RESIDUAL_4 : corner ? RESIDUAL_8_4 : RESIDUAL_8;
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
