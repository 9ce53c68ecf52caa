// SPDX-License-Identifier: BSD-2-Clause
// Residuals of macroblocks for the GPU, which makes the records of their blocks. Their coefficients
// go there as they are.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/lane_coefficients.hpp"
#include "common/residual_lists.hpp"
#include "picture/stage.hpp"
#include "records/h264_residual.h"

namespace v3doff::h264 {

// Whether no coefficient of an 8x8 block stands outside its 4x4 corner. A block is columns of
// eight values; of the last four columns everything counts, of the others the lower half.
inline bool in_corner(const void *coefficients, int bit_depth) {
    using Quad = uint64_t __attribute__((vector_size(16)));
    const auto load = [&](int i) {
        Quad value;
        std::memcpy(&value, static_cast<const char *>(coefficients) + 16 * i, 16);
        return value;
    };
    if (bit_depth == 8) { // a column is a quad
        const Quad right = load(4) | load(5) | load(6) | load(7);
        const Quad left = load(0) | load(1) | load(2) | load(3);
        return !(right[0] | right[1] | left[1]);
    }
    Quad any = load(1) | load(3) | load(5) | load(7);
    for (int i = 8; i < 16; i++)
        any |= load(i);
    return !(any[0] | any[1]);
}

// The words of a block's coefficients, by its kind. They are the decoder's, column after column,
// those of RESIDUAL_8_4 the first four columns; of a bypass the residual, row after row.
inline uint residual_block_words(uint kind, int bit_depth) {
    constexpr uint words_8[RESIDUAL_KINDS] = {0, 0, 8, 8, 16, 32};
    return words_8[kind] << (bit_depth > 8);
}

// The residual of one macroblock. Coefficients are dequantised, and DC coefficients that are coded
// apart are transformed and in their blocks (ITU-T H.264 8.5.10, 8.5.11). Nobody copies them when a
// macroblock is appended: they stay where they are until the stage is cleared.
struct MacroblockResidual {
    // By plane, bit i: the 4x4 block i in the order of 6.4.3 is coded; chroma of 4:2:0 has 4
    // blocks, of 4:2:2 8 in raster order. With 8x8 transforms an 8x8 block has all of its four bits
    // or none.
    uint16_t coded[3];
    bool transform_8x8; // of luma, and of chroma in 4:4:4
    bool bypass;        // blocks are the residual, row after row, and none is 8x8
    bool field;         // of a field macroblock in an MBAFF frame
    // Those of the coded blocks one after the other, planes in their order: int16_t for 8 bits a
    // sample, int32_t above, [column * edge + row]. PCM: the samples instead, row after row and
    // plane after plane, uint8_t for 8 bits, uint16_t above.
    const uint32_t *coefficients;
    uint32_t source; // where the first of them is among those of all lanes
    uint32_t blocks; // of 4x4 that are coded; one of 8x8 is four
};

// Where a macroblock's residuals are in scratch memory, plane after plane.
struct MacroblockScratch {
    std::array<uint, max_planes> first{}; // word
    uint words = 0;                       // of all

    explicit MacroblockScratch(const PictureFormat &format);
    // The words of so many macroblocks. Throws UNSUPPORTED if records have no bits for their
    // places.
    size_t words_of(size_t macroblocks) const;
};

class MacroblockBatch {
  public:
    static uint32_t shader();

    // Forgets what was there. Macroblocks have their coefficients among these.
    void begin(const PictureFormat &format, const LaneCoefficients &coefficients);
    void append(uint mb_x, uint mb_y, const MacroblockResidual &residual);
    void clear();
    std::size_t size() const { return list_.size(); }
    // Adds all of them to the picture, on the CPU.
    void run_cpu(const PictureView &picture) const;

    // Appends the macroblocks of both and the pass that makes their records: of residuals that are
    // added to the picture, and of those that go to scratch memory. The coefficients are in the
    // arena.
    static void plan_records(MacroblockBatch &picture, MacroblockBatch &scratch, Plan &plan);
    // The word of the first record of a kind, and their number.
    uint first_record(uint kind) const { return first_record_[kind]; }
    uint record_count(uint kind) const { return records_[kind]; }

  private:
    // Calls visit(x, y, residual), both in macroblocks.
    template <typename Visit>
    void each(Visit visit) const;
    void append_large(const MacroblockResidual &residual, ResidualMacroblock &to);
    void append_to(ArenaWords &arena) const;
    ResidualFirst reserve_records(ArenaWords &arena);

    const LaneCoefficients *coefficients_ = nullptr;
    PictureFormat format_;
    uint block_words_ = 0; // of 4x4
    PlainArray<ResidualMacroblock> list_;
    std::array<uint, RESIDUAL_KINDS> records_{}, first_record_{};
};

inline void MacroblockBatch::append(uint mb_x, uint mb_y, const MacroblockResidual &residual) {
    ResidualMacroblock &to = *list_.append(1);
    to.place = pack(mb_x, RESIDUAL_X) | pack(mb_y, RESIDUAL_Y);
    if (residual.field)
        to.place = pack(mb_x, RESIDUAL_X) | pack(mb_y & ~1u, RESIDUAL_Y) | pack(1, RESIDUAL_FIELD) |
                   pack(mb_y & 1, RESIDUAL_PARITY);
    to.coded_01 = pack(residual.coded[0], LOWER_HALF) | pack(residual.coded[1], UPPER_HALF);
    to.coded_2 = residual.coded[2];
    to.source = residual.source;
    to.record_4 = records_[RESIDUAL_4];
    if (residual.transform_8x8) return append_large(residual, to);
    to.record_8_4 = to.record_8 = 0; // it has none
    if (residual.bypass) {
        to.place |= RESIDUAL_BYPASS;
        to.record_4 = 0 - (records_[RESIDUAL_BYPASS_4] += residual.blocks);
        return;
    }
    records_[RESIDUAL_4] += residual.blocks;
}

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
