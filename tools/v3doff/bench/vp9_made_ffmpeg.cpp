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

} // namespace

void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspVp9 &functions,
                           const PictureView &picture, const PictureView &reference) {
    Reconstructor(content, functions, picture, reference).run();
}

} // namespace tool::bench::vp9
