// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's intra prediction and residuals, block by block, as its decoder calls them.
#include <algorithm>
#include <cstring>

#include "ffdsp.h"
#include "vp9_intra_case.hpp"

namespace tool {

namespace {

// Numbers of modes; those from 10 on are not the bitstream's.
constexpr unsigned vertical = 0, horizontal = 1, dc = 2, down_left = 3, vertical_left = 7,
                   horizontal_up = 8, true_motion = 9, left_dc = 10, top_dc = 11, dc_128 = 12,
                   dc_127 = 13, dc_129 = 14;

// The function to use for a mode if neighbours are missing. Other modes use substituted samples.
unsigned mode_with(unsigned mode, bool above, bool left) {
    switch (mode) {
    case dc:
        return above && left ? dc : above ? top_dc : left ? left_dc : dc_128;
    case horizontal:
    case horizontal_up:
        return left ? mode : dc_129;
    case vertical:
    case down_left:
    case vertical_left:
        return above ? mode : dc_127;
    case true_motion:
        return above && left ? true_motion : above ? vertical : left ? horizontal : dc_129;
    default:
        return mode;
    }
}

constexpr uint32_t most_edge = 32, margin = 32; // margin: room for the corner, aligned

} // namespace

struct IntraCase::Ffmpeg {
    const IntraCase &what;
    GuardedPicture::Copy &copy;
    const FfdspVp9 *functions;
    const unsigned bytes = what.picture_.shape().sample_bytes();
    const unsigned depth = what.picture_.shape().bit_depth;

    uint8_t *place(unsigned plane, uint32_t x, uint32_t y) const {
        return copy.plane(plane) + y * what.picture_.stride(plane) + size_t(x) * bytes;
    }
    uint32_t sample(unsigned plane, uint32_t x, uint32_t y) const {
        const uint8_t *at = place(plane, x, y);
        return bytes == 1 ? *at : at[0] | uint32_t(at[1]) << 8;
    }
    void put(uint8_t *line, int i, uint32_t value) const {
        line[i * int(bytes)] = uint8_t(value);
        if (bytes == 2) line[i * 2 + 1] = uint8_t(value >> 8);
    }

    // x and y in units of 4 samples from the block.
    void predict(const IntraBlock &block, unsigned plane, uint32_t x, uint32_t y) const {
        alignas(64) uint8_t above_line[(margin + most_edge) * 2] = {},
                                                              left_line[most_edge * 2] = {};
        uint8_t *top = above_line + margin * bytes;
        const auto &at = block.place;
        const bool quarters = !plane && at.size > 9 && !at.tx;
        const unsigned coded = plane ? block.chroma_mode : block.mode[quarters ? y * 2 + x : 0];
        const bool above = at.row || y, left = at.col > block.tile_begin || x;
        const unsigned mode = mode_with(coded, above, left);
        const uint32_t tx = plane ? block.chroma_tx : at.tx, n = 4u << tx;
        const uint32_t col = (at.col * 8 >> what.half_x(plane)) + x * 4;
        const uint32_t row = (at.row * 8 >> what.half_y(plane)) + y * 4;
        const uint32_t there_x = (what.cols_ * 8 >> what.half_x(plane)) - col;
        const uint32_t there_y = (what.rows_ * 8 >> what.half_y(plane)) - row;
        const uint32_t middle = 128u << (depth - 8);
        const bool more =
            tx == 0 && there_x >= 8 && x + 1 < block_columns(at.size) >> what.half_x(plane);
        const uint32_t known = std::min(more ? 8 : n, there_x);
        for (uint32_t i = 0; i < std::max(n, 8u); i++)
            put(top, int(i),
                above ? sample(plane, col + std::min(i, known - 1), row - 1) : middle - 1);
        put(top, -1,
            above && left ? sample(plane, col - 1, row - 1)
            : above       ? middle + 1
                          : middle - 1);
        for (uint32_t i = 0; i < n; i++) // upwards but for one mode
            put(left_line, int(mode == horizontal_up ? i : n - 1 - i),
                left ? sample(plane, col - 1, row + std::min(i, there_y - 1)) : middle + 1);
        functions->intra_pred[tx][mode](place(plane, col, row), what.picture_.stride(plane),
                                        left_line, top);
    }

    void add(const IntraResidual &residual) const {
        add_residual(*functions, residual.kind, residual.input, depth,
                     place(residual.plane, residual.x * 4, residual.y * 4),
                     what.picture_.stride(residual.plane));
    }

    void reconstruct(const IntraBlock &block) const {
        auto residual = block.residuals.begin();
        for (unsigned plane = 0; plane < what.picture_.shape().planes(); plane++)
            what.each_transform(block, plane, [&](uint32_t x, uint32_t y) {
                predict(block, plane, x, y);
                if (residual == block.residuals.end() || residual->plane != plane ||
                    residual->x != (block.place.col * 2 >> what.half_x(plane)) + x ||
                    residual->y != (block.place.row * 2 >> what.half_y(plane)) + y)
                    return;
                add(*residual++);
            });
    }
};

void IntraCase::run_ffmpeg(CaseRun &run, bool simd) const {
    const Ffmpeg decoder{*this, run.copy, ffdsp_vp9(int(shape().bit_depth), simd)};
    for (const IntraBlock &block : blocks_)
        decoder.reconstruct(block);
    ffdsp_emms();
}

} // namespace tool
