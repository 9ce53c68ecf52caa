// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_intra_case.hpp"

#include <algorithm>

namespace tool {
namespace {

constexpr uint32_t last_whole_size = 9; // 8x8; below it, quarters with modes of their own
constexpr uint32_t modes = 10;

constexpr struct {
    uint8_t columns_log2, rows_log2;
} sizes[] = {{4, 4}, {4, 3}, {3, 4}, {3, 3}, {3, 2}, {2, 3}, {2, 2},
             {2, 1}, {1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};

PictureShape intra_shape(const IntraMix &mix, Random &random) {
    PictureShape shape = random_shape(random, mix.bit_depth, mix.tx.value_or(0) < 3 ? 150 : 200);
    shape.chroma = v3doff_chroma(1 + below(random, 4)); // VP9 has no monochrome
    return shape;
}

} // namespace

uint32_t block_columns(uint32_t size) {
    return 1u << sizes[size].columns_log2;
}
uint32_t block_rows(uint32_t size) {
    return 1u << sizes[size].rows_log2;
}

IntraCase::IntraCase(const IntraMix &mix, Random &random)
    : PictureCase({intra_shape(mix, random), random}), cols_((shape().width + 7) / 8),
      rows_((shape().height + 7) / 8) {
    lossless_ = !mix.tx && below(random, 4) == 0;
    partial_ = below(random, 2);
    for (uint32_t col = 0; col < cols_; col += 8) {
        const bool begins = col == 0 || below(random, 3) == 0;
        tile_begin_.push_back(begins ? col : tile_begin_.back());
        tile_.push_back(col == 0 ? 0 : tile_.back() + begins);
    }
    for (uint32_t row = 0; row < rows_; row += 8)
        for (uint32_t col = 0; col < cols_; col += 8)
            add_square(mix, row, col, 0, random);
}

bool IntraCase::half_x(unsigned plane) const {
    const v3doff_chroma chroma = shape().chroma;
    return plane && (chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_422);
}

bool IntraCase::half_y(unsigned plane) const {
    const v3doff_chroma chroma = shape().chroma;
    return plane && (chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_440);
}

// A square of 64 >> level samples: whole, two halves, or four squares.
void IntraCase::add_square(const IntraMix &mix, uint32_t row, uint32_t col, uint32_t level,
                           Random &random) {
    const uint32_t half = 4u >> level, first = level * 3;
    const bool large = mix.tx && *mix.tx + level > 3; // the requested transform needs all of it
    if (level == 3) return add_block(mix, row, col, first + uint32_t(below(random, 4)), random);
    if (below(random, large ? 8 : 3) < (level < 2 && !large ? 2 : 1)) {
        for (uint32_t i = 0; i < 4; i++)
            if (row + i / 2 * half < rows_ && col + i % 2 * half < cols_)
                add_square(mix, row + i / 2 * half, col + i % 2 * half, level + 1, random);
        return;
    }
    const uint64_t how = below(random, 3); // whole, above each other, beside each other
    add_block(mix, row, col, first + uint32_t(how), random);
    if (how == 1 && row + half < rows_) add_block(mix, row + half, col, first + 1, random);
    if (how == 2 && col + half < cols_) add_block(mix, row, col + half, first + 2, random);
}

void IntraCase::add_block(const IntraMix &mix, uint32_t row, uint32_t col, uint32_t size,
                          Random &random) {
    if (partial_ && below(random, 4) == 0) return; // the samples stay, and others predict from them
    const uint32_t columns = block_columns(size), rows = block_rows(size);
    IntraBlock block{};
    block.place = {row, col, size, uint32_t(below(random, 8)), 0};
    for (int i = 0; i < 4; i++)
        block.mode[i] =
            i && size <= last_whole_size ? block.mode[0] : uint8_t(below(random, modes));
    block.chroma_mode = uint8_t(below(random, modes));
    uint32_t most =
        size > last_whole_size || lossless_
            ? 0
            : std::min({3u, uint32_t(sizes[size].columns_log2), uint32_t(sizes[size].rows_log2)});
    const uint32_t tx = mix.tx ? std::min(most, *mix.tx) : uint32_t(below(random, most + 1));
    block.place.tx = tx;
    block.chroma_tx = tx - ((half_x(1) && columns == 1u << tx) || (half_y(1) && rows == 1u << tx));
    block.tile = tile_[col / 8];
    block.tile_begin = tile_begin_[col / 8];
    if (below(random, 4)) add_residuals(block, random);
    blocks_.push_back(std::move(block));
}

void IntraCase::add_residuals(IntraBlock &block, Random &random) const {
    for (unsigned plane = 0; plane < shape().planes(); plane++) {
        const uint32_t tx = plane ? block.chroma_tx : block.place.tx;
        each_transform(block, plane, [&](uint32_t x, uint32_t y) {
            if (below(random, 2)) return;
            ResidualKind kind{v3doff_vp9_tx(tx), V3DOFF_VP9_DCT_DCT};
            if (lossless_)
                kind.tx = V3DOFF_VP9_TX_LOSSLESS;
            else if (!plane && tx < 3)
                kind.type = v3doff_vp9_tx_type(below(random, 4));
            block.residuals.push_back({plane, (block.place.col * 2 >> half_x(plane)) + x,
                                       (block.place.row * 2 >> half_y(plane)) + y, tx, kind,
                                       conformant_input(kind, shape().bit_depth, random)});
        });
    }
}

// Coefficients are multiplied by 1, those of 32x32 by 1/2.
void IntraCase::record(v3doff_picture *picture) const {
    for (uint32_t tile = 0; tile <= tile_.back(); tile++) {
        v3doff_vp9_words words{};
        for (const IntraBlock &block : blocks_) {
            if (block.tile != tile) continue;
            if (!v3doff_vp9_has_room(&words))
                check(v3doff_vp9_make_room(picture, tile, &words), "making room for words");
            for (const IntraResidual &residual : block.residuals) {
                const auto &values = residual.input.coefficients;
                const uint32_t *const first = words.coefficient;
                for (uint32_t i = 0; i < values.size(); i++)
                    if (values[i])
                        *words.coefficient++ =
                            v3doff_vp9_coefficient(i, values[i] * (residual.tx == 3 ? 2 : 1));
                if (words.coefficient == first) *words.coefficient++ = v3doff_vp9_coefficient(0, 0);
                v3doff_vp9_append_transform(&words, residual.plane, residual.x, residual.y,
                                            residual.tx, residual.kind.type, residual.input.eob);
            }
            v3doff_vp9_append_intra(&words, &block.place, block.mode, block.chroma_mode,
                                    block.place.col == block.tile_begin);
        }
        check(v3doff_vp9_end_lane(picture, tile, &words), "ending a lane");
    }
    v3doff_vp9_picture_info info{};
    info.struct_size = sizeof info;
    info.lossless = lossless_;
    info.partial = partial_;
    for (auto &segment : info.dequantisation)
        for (auto &plane : segment)
            plane[0] = plane[1] = 1;
    check(v3doff_vp9_record_picture(picture, &info), "recording words");
}

// Words are for pictures in the pool's memory, where samples outside of all blocks may be anything.
Result IntraCase::run(Implementation implementation, Bench &bench) const {
    Result result = PictureCase::run(implementation, bench);
    picture_.restore_outside_blocks(result["samples"]);
    return result;
}

void IntraCase::run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const {
    constexpr bool own_memory = true;
    run_in_library(run.copy, own_memory, device, expected,
                   [this](v3doff_picture *picture) { record(picture); });
}

} // namespace tool
