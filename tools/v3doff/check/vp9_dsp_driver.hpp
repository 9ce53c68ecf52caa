// SPDX-License-Identifier: BSD-2-Clause
// Goes through a picture as a decoder does, with a table of VP9 functions, ours or FFmpeg's:
// superblocks in raster order, two blocks per call if their edges allow it.
#pragma once

#include "vp9/filter/input.hpp"

namespace tool {

// Levels and masks of one superblock, and the plane they are for.
struct FilteredPlane {
    const v3doff::vp9::FilterInput &input;
    unsigned plane;
    uint8_t *data;
    ptrdiff_t stride;
};

template <typename Table>
class Vp9FilterDriver {
  public:
    Vp9FilterDriver(const Table &table, const FilteredPlane &of) : table_(table), of_(of) {}

    // 8.8.1: all edges between columns of the superblock, then all between rows.
    void superblock(uint32_t row, uint32_t col) {
        const auto &sb = of_.input.at(row, col);
        const unsigned set = v3doff::vp9::filter_mask_set(of_.input.format, of_.plane);
        const unsigned shift[2] = {of_.input.format.shift_x(of_.plane),
                                   of_.input.format.shift_y(of_.plane)};
        for (unsigned dir = 0; dir < 2; dir++) {
            const unsigned along = shift[!dir], across = shift[dir];
            for (unsigned line = 0; line < 8u >> along; line += 2)
                for (unsigned bit = 0; bit < 8; bit++) {
                    const Edge first = edge(sb, set, dir, line << along, bit, across);
                    const Edge second = line + 1 < 8u >> along
                                            ? edge(sb, set, dir, (line + 1) << along, bit, across)
                                            : Edge{};
                    const bool border = !bit && !(dir ? row : col);
                    uint8_t *at = place(row, col, shift, dir, line * 8, bit * 8 >> across);
                    if (!border) pair(at, dir, first.outer, second.outer);
                    at = place(row, col, shift, dir, line * 8, (bit * 8 >> across) + 4);
                    pair(at, dir, first.inner, second.inner);
                }
        }
    }

  private:
    struct Half {
        unsigned size = 0, level = 0;
    };
    struct Edge {
        Half outer, inner;
    };

    static Edge edge(const v3doff::vp9::FilterSuperblock &sb, unsigned set, unsigned dir,
                     unsigned line, unsigned bit, unsigned across) {
        using namespace v3doff::vp9;
        const unsigned row = dir ? bit : line, col = dir ? line : bit;
        const auto &mask = sb.mask[set][dir][row];
        const unsigned block = bit & ~across; // the block whose level applies
        const unsigned level = dir ? sb.level[block][line] : sb.level[line][block];
        const auto marked = [&](EdgeMask size) { return level && mask[size] >> col & 1; };
        Edge found;
        found.outer = {marked(mask_16)  ? 16u
                       : marked(mask_8) ? 8u
                       : marked(mask_4) ? 4u
                                        : 0u,
                       level};
        if (!across && marked(mask_inner)) found.inner = {4, level};
        return found;
    }

    uint8_t *place(uint32_t row, uint32_t col, const unsigned (&shift)[2], unsigned dir,
                   unsigned along, unsigned across) const {
        const uint32_t x = (col * 64 >> shift[0]) + (dir ? along : across);
        const uint32_t y = (row * 64 >> shift[1]) + (dir ? across : along);
        return of_.data + ptrdiff_t(y) * of_.stride + x * of_.input.format.sample_bytes();
    }

    struct Limits {
        int e, i, h;
    };
    Limits limits(unsigned level) const {
        const int i = int(v3doff::vp9::FilterSharpness(of_.input.sharpness).limit(level));
        return {2 * (int(level) + 2) + i, i, int(level >> 4)};
    }

    void pair(uint8_t *at, unsigned dir, Half first, Half second) {
        const Limits a = limits(first.level), b = limits(second.level);
        const ptrdiff_t next =
            dir ? 8 * ptrdiff_t(of_.input.format.sample_bytes()) : 8 * of_.stride;
        if (first.size == 16 && second.size == 16 && first.level == second.level) {
            table_.loop_filter_16[dir](at, of_.stride, a.e, a.i, a.h);
        } else if (first.size && second.size && first.size < 16 && second.size < 16) {
            table_.loop_filter_mix2[first.size / 8][second.size / 8][dir](
                at, of_.stride, a.e | b.e << 8, a.i | b.i << 8, a.h | b.h << 8);
        } else {
            if (first.size)
                table_.loop_filter_8[first.size / 8][dir](at, of_.stride, a.e, a.i, a.h);
            if (second.size)
                table_.loop_filter_8[second.size / 8][dir](at + next, of_.stride, b.e, b.i, b.h);
        }
    }

    const Table &table_;
    FilteredPlane of_;
};

} // namespace tool
