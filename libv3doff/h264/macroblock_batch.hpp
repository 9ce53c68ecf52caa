// SPDX-License-Identifier: BSD-2-Clause
// Residuals of macroblocks for the GPU. Appending one notes where its coefficients are. They are
// copied once, when the picture is planned, to where the kernels read them.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "common/residual_lists.hpp"
#include "h264/macroblock_residual.hpp"
#include "records/h264_residual.h"

namespace v3doff::h264 {

// What ResidualRecord::place says of each block of a macroblock.
struct MacroblockLayout {
    struct Plane {
        uint first = 0;               // of the picture's first block
        uint mb_x = 0, mb_y = 0;      // from macroblock to macroblock
        uint number = 0;              // the same, of the one that was appended next
        std::array<uint, 16> block{}; // from the macroblock's first block to each
    };
    std::array<Plane, max_planes> plane;
    uint words = 0; // of scratch memory that a macroblock has

    // Added to the picture's samples.
    static MacroblockLayout in_picture(const PictureFormat &format);
    // Written to scratch memory, row after row of each plane, each macroblock's behind those of the
    // one before.
    static MacroblockLayout in_scratch(const PictureFormat &format);
};

using ResidualExtents = ResidualPacker<RESIDUAL_KINDS>::Extents;

class MacroblockBatch {
  public:
    struct Macroblock {
        MacroblockResidual residual;
        uint16_t x, y;
        // By plane, bit i: the 8x8 block that begins with block i has a corner of 4x4 at most.
        std::array<uint16_t, max_planes> in_corner;
    };

    // Its coefficients are there already.
    void append(const PictureFormat &format, uint mb_x, uint mb_y,
                const MacroblockResidual &residual);
    void clear() {
        list_.clear();
        records_ = {};
        rows_ = {};
    }
    std::size_t size() const { return list_.size(); }
    std::span<const Macroblock> list() const { return list_.span(); }
    RowRange rows() const { return rows_; } // of macroblocks

    // Adds how many blocks of each kind there are.
    void count(const PictureFormat &format, ResidualExtents &extents) const;
    // Copies coefficients and writes records, and moves `next` behind them.
    void put(const PictureFormat &format, const MacroblockLayout &layout, uint *arena,
             ResidualExtents &next) const;

  private:
    template <bool high>
    void put_all(const PictureFormat &format, const MacroblockLayout &layout, uint *arena,
                 ResidualExtents &next) const;

    PlainArray<Macroblock> list_;
    std::array<uint, RESIDUAL_KINDS> records_{}; // by kind
    RowRange rows_;
};

// Visits the coded blocks of a macroblock: visit(plane, number, is 8x8, coefficients).
template <typename Visit>
void each_coded_block(const PictureFormat &format, const MacroblockResidual &residual,
                      Visit visit) {
    const uint bytes = format.bit_depth == 8 ? 2 : 4;
    const auto *next = reinterpret_cast<const std::byte *>(residual.coefficients);
    for (unsigned p = 0; p < format.planes(); p++) {
        const bool large = residual.transform_8x8 && (p == 0 || format.chroma == V3DOFF_CHROMA_444);
        for (uint coded = residual.coded[p] & (large ? 0x1111u : 0xffffu); coded;
             coded &= coded - 1) {
            visit(p, uint(std::countr_zero(coded)), large, static_cast<const void *>(next));
            next += bytes * (large ? 64u : 16u);
        }
    }
}

// Where block `number` of a plane stands in its macroblock, in samples.
struct BlockPlace {
    uint x, y;
};
constexpr BlockPlace block_place(const PictureFormat &format, unsigned plane, uint number) {
    if (plane && format.chroma != V3DOFF_CHROMA_444) return {number % 2 * 4, number / 2 * 4};
    return {(number & 1) * 4 + (number >> 2 & 1) * 8,
            (number >> 1 & 1) * 4 + (number >> 3 & 1) * 8};
}

} // namespace v3doff::h264
