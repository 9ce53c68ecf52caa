// SPDX-License-Identifier: BSD-2-Clause
// The loop filter of the made-up pictures: masks, and the decoder's own functions.
#include <algorithm>
#include <random>

#include "vp9/trial_picture.hpp"

namespace v3doff::vp9 {
namespace {

constexpr uint32_t level = 20;

// Calls the table as a decoder does: two blocks' lines at once where both have an edge of the kind.
class LoopfilterDriver {
  public:
    LoopfilterDriver(const v3doff_vp9dsp &simd, const PictureView &picture,
                     const FilterInput &input)
        : simd_(simd), picture_(picture), input_(input) {
        const int limit = int(FilterSharpness(input.sharpness).limit(level));
        limit_ = limit | limit << 8;
        mb_limit_ = (2 * int(level + 2) + limit) * 0x101;
    }

    void run() const {
        for (uint32_t row = 0; row < input_.rows(); row++)
            for (uint32_t col = 0; col < input_.cols(); col++)
                for (unsigned p = 0; p < picture_.format.planes(); p++)
                    for (unsigned between_rows = 0; between_rows < 2; between_rows++)
                        superblock(row, col, p, between_rows);
    }

  private:
    struct Edge {
        int width = -1, inner = 0; // width: 0 4, 1 8, 2 16 wide, -1 none
    };
    static Edge edge_at(const uint8_t (&mask)[8][mask_sizes], unsigned r, unsigned c) {
        const uint8_t *m = mask[r];
        return {m[mask_16] >> c & 1 ? 2 : m[mask_8] >> c & 1 ? 1 : -1, m[mask_inner] >> c & 1};
    }

    void superblock(uint32_t row, uint32_t col, unsigned p, unsigned between_rows) const {
        const unsigned step = p ? 2 : 1;
        const auto &mask = input_.at(row, col).mask[p ? 1 : 0][between_rows];
        const PlaneView &plane = picture_.plane[p];
        const ptrdiff_t across = between_rows ? plane.stride : 1;
        for (unsigned i = 0; i < 8; i += between_rows ? step : 2 * step)
            for (unsigned j = 0; j < 8; j += between_rows ? 2 * step : step) {
                auto *dst = reinterpret_cast<uint8_t *>(
                    plane.data + ptrdiff_t(row * 8 + i) * 8 / step * plane.stride +
                    (col * 8 + j) * 8 / step);
                const Edge first = edge_at(mask, i, j);
                const Edge second =
                    between_rows ? edge_at(mask, i, j + step) : edge_at(mask, i + step, j);
                filter(first.width, second.width, between_rows, dst, plane.stride);
                filter(first.inner - 1, second.inner - 1, between_rows, dst + 4 * across,
                       plane.stride);
            }
    }

    void filter(int first, int second, unsigned dir, uint8_t *dst, ptrdiff_t stride) const {
        uint8_t *next = dst + 8 * (dir ? 1 : stride);
        if (first == 2 && second == 2)
            simd_.loop_filter_16[dir](dst, stride, mb_limit_ & 255, limit_ & 255, level >> 4);
        else if (first >= 0 && second >= 0 && first < 2 && second < 2)
            simd_.loop_filter_mix2[first][second][dir](dst, stride, mb_limit_, limit_,
                                                       (level >> 4) * 0x101);
        else {
            if (first >= 0) filter_one(first, dir, dst, stride);
            if (second >= 0) filter_one(second, dir, next, stride);
        }
    }
    void filter_one(int width, unsigned dir, uint8_t *dst, ptrdiff_t stride) const {
        simd_.loop_filter_8[width][dir](dst, stride, mb_limit_ & 255, limit_ & 255, level >> 4);
    }

    const v3doff_vp9dsp &simd_;
    const PictureView &picture_;
    const FilterInput &input_;
    int limit_, mb_limit_; // of two blocks
};

} // namespace

// Each 32x32 has blocks of one size, most of them large; where they are 8x8 every fourth one is
// divided. The picture's own border has no edges.
std::vector<FilterSuperblock> trial_superblocks(const PictureFormat &format) {
    const uint32_t cols = (format.width + 63) / 64, rows = (format.height + 63) / 64;
    const uint32_t blocks_x = (format.width + 7) / 8, blocks_y = (format.height + 7) / 8;
    std::mt19937 random(5);
    std::vector<uint8_t> edge(size_t(cols) * rows * 4), divided(size_t(cols) * rows * 64);
    for (auto &value : edge) // log2 of 8x8 blocks
        value = uint8_t(std::min<uint32_t>(random() % 5, 2));
    for (auto &value : divided)
        value = random() % 4 == 0;
    std::vector<FilterSuperblock> superblocks(size_t(cols) * rows);
    for (uint32_t y = 0; y < blocks_y; y++)
        for (uint32_t x = 0; x < blocks_x; x++) {
            const size_t number = size_t(y / 8) * cols + x / 8;
            FilterSuperblock &sb = superblocks[number];
            sb.level[y % 8][x % 8] = level;
            const uint32_t log2 = edge[number * 4 + y % 8 / 4 * 2 + x % 8 / 4];
            const uint8_t bit = uint8_t(1u << x % 8);
            for (unsigned between_rows = 0; between_rows < 2; between_rows++) {
                const uint32_t across = between_rows ? y : x, along = between_rows ? x : y;
                const bool starts = across % (1u << log2) == 0;
                if (across && starts)
                    sb.mask[0][between_rows][y % 8][log2 ? mask_16 : mask_8] |= bit;
                if (!log2 && divided[number * 64 + y % 8 * 8 + x % 8])
                    sb.mask[0][between_rows][y % 8][mask_inner] |= bit;
                // Chroma: only even blocks, and no wide filter over half a block at the end
                // (8.8.2).
                const bool half = across + 1 == (between_rows ? blocks_y : blocks_x);
                if (across && starts && across % 2 == 0 && along % 2 == 0)
                    sb.mask[1][between_rows][y % 8][log2 == 2 && !half ? mask_16 : mask_8] |= bit;
            }
        }
    return superblocks;
}

void run_trial_filter(const v3doff_vp9dsp &simd, const PictureView &picture,
                      const FilterInput &input) {
    LoopfilterDriver(simd, picture, input).run();
}

} // namespace v3doff::vp9
