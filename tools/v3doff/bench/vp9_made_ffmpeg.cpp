// SPDX-License-Identifier: BSD-2-Clause
// The made-up picture by FFmpeg's functions, as its decoder calls them.
#include <cstring>

#include "bench/pictures.hpp"
#include "bench/vp9_made_picture.hpp"
#include "ffdsp.h"

namespace tool::bench::vp9 {
namespace {

class Reconstructor {
  public:
    Reconstructor(const MadePicture &content, const FfdspVp9 &functions, const PictureView &picture,
                  const PictureView &reference)
        : content_(content), functions_(functions), picture_(picture), reference_(reference) {}

    void run() {
        for (const MadeBlock &block : content_.blocks) {
            next_ = block.first;
            if (block.intra) {
                for (unsigned p = 0; p < content_.format.planes(); p++) {
                    predict_intra(block, p);
                    add_residuals(block, p);
                }
                continue;
            }
            for (unsigned p = 0; p < content_.format.planes(); p++)
                for (unsigned i = 0; i < 1u + block.compound; i++)
                    predict_inter(block, p, i);
            for (unsigned p = 0; p < content_.format.planes(); p++)
                add_residuals(block, p);
        }
    }

  private:
    // 8.5.2.3: a vector of luma counts in 1/16 of subsampled chroma's samples.
    void predict_inter(const MadeBlock &block, unsigned p, unsigned i) const {
        const unsigned shift = p ? 1 : 0;
        const int16_t *vector = block.vector[i];
        const int mx = (vector[0] << !shift) & 15, my = (vector[1] << !shift) & 15;
        const uint32_t x = block.col * 8u >> shift, y = block.row * 8u >> shift;
        const PlaneView &to = picture_.plane[p], &from = reference_.plane[p];
        functions_.mc[6 - block.edge_log2 + shift][V3DOFF_VP9_FILTER_REGULAR][i][mx != 0][my != 0](
            sample_at(to, x, y), to.stride,
            sample_at(from, uint32_t(int(x) + (vector[0] >> (3 + shift))),
                      uint32_t(int(y) + (vector[1] >> (3 + shift)))),
            from.stride, 1 << block.edge_log2 >> shift, mx, my);
    }

    void predict_intra(const MadeBlock &block, unsigned p) const {
        const unsigned shift = p ? 1 : 0, tx = block.edge_log2 - 2u - shift, edge = 4u << tx;
        const PlaneView &plane = picture_.plane[p];
        uint8_t *dst = sample_at(plane, block.col * 8u >> shift, block.row * 8u >> shift);
        alignas(32) uint8_t left[32];
        for (unsigned y = 0; y < edge; y++)
            left[edge - 1 - y] = dst[ptrdiff_t(y) * plane.stride - 1];
        functions_.intra_pred[tx][block.mode](dst, plane.stride, left, dst - plane.stride);
    }

    // Takes the blocks of one plane, which follow those of the planes before.
    void add_residuals(const MadeBlock &block, unsigned p) {
        for (; next_ < block.end && content_.transforms[next_].plane == p; next_++) {
            const MadeTransform &transform = content_.transforms[next_];
            for (uint32_t i = transform.first; i < transform.end; i++) {
                const MadeCoefficient &coefficient = content_.coefficients[i];
                const int value = coefficient.token * content_.factor[coefficient.place > 0];
                values_[coefficient.place] = int16_t(transform.tx == 3 ? value / 2 : value);
            }
            const PlaneView &plane = picture_.plane[p];
            functions_.itxfm_add[transform.tx][0](
                sample_at(plane, transform.x * 4u, transform.y * 4u), plane.stride, values_,
                transform.end - transform.first == 1 ? 1 : transform.eob);
        }
    }

    const MadePicture &content_;
    const FfdspVp9 &functions_;
    const PictureView &picture_, &reference_;
    uint32_t next_ = 0;                        // transform
    alignas(64) int16_t values_[32 * 32] = {}; // the functions clear them
};

// Calls the functions as a decoder does: two blocks' lines at once where both have an edge of the
// kind.
class LoopFilterDriver {
  public:
    LoopFilterDriver(const FfdspVp9 &functions, const PictureView &picture,
                     const FilterInput &input)
        : functions_(functions), picture_(picture), input_(input) {
        const int limit = int(FilterSharpness(input.sharpness).limit(MadePicture::filter_level));
        limit_ = limit | limit << 8;
        mb_limit_ = (2 * int(MadePicture::filter_level + 2) + limit) * 0x101;
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
            functions_.loop_filter_16[dir](dst, stride, mb_limit_ & 255, limit_ & 255,
                                           MadePicture::filter_level >> 4);
        else if (first >= 0 && second >= 0 && first < 2 && second < 2)
            functions_.loop_filter_mix2[first][second][dir](
                dst, stride, mb_limit_, limit_, (MadePicture::filter_level >> 4) * 0x101);
        else {
            if (first >= 0) filter_one(first, dir, dst, stride);
            if (second >= 0) filter_one(second, dir, next, stride);
        }
    }
    void filter_one(int width, unsigned dir, uint8_t *dst, ptrdiff_t stride) const {
        functions_.loop_filter_8[width][dir](dst, stride, mb_limit_ & 255, limit_ & 255,
                                             MadePicture::filter_level >> 4);
    }

    const FfdspVp9 &functions_;
    const PictureView &picture_;
    const FilterInput input_;
    int limit_, mb_limit_; // of two blocks
};

} // namespace

void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspVp9 &functions,
                           const PictureView &picture, const PictureView &reference) {
    Reconstructor(content, functions, picture, reference).run();
    LoopFilterDriver(functions, picture, {content.format, 0, content.filter.data()}).run();
}

} // namespace tool::bench::vp9
