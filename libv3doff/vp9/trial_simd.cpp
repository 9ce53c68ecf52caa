// SPDX-License-Identifier: BSD-2-Clause
// The made-up picture by a decoder's own functions, as a decoder calls them.
#include <cstring>

#include "vp9/trial_picture.hpp"

namespace v3doff::vp9 {
namespace {

uint8_t *sample_at(const PlaneView &plane, uint32_t x, uint32_t y) {
    return reinterpret_cast<uint8_t *>(plane.data) + ptrdiff_t(y) * plane.stride + x;
}

class Reconstructor {
  public:
    Reconstructor(const TrialPicture &content, const v3doff_vp9dsp &simd,
                  const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES],
                  const PictureView &picture, const PictureView &reference)
        : content_(content), simd_(simd), intra_(intra), picture_(picture), reference_(reference) {}

    void run() {
        for (const TrialBlock &block : content_.blocks) {
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
    void predict_inter(const TrialBlock &block, unsigned p, unsigned i) const {
        const unsigned shift = p ? 1 : 0;
        const int16_t *vector = block.vector[i];
        const int mx = (vector[0] << !shift) & 15, my = (vector[1] << !shift) & 15;
        const uint32_t x = block.col * 8u >> shift, y = block.row * 8u >> shift;
        const PlaneView &to = picture_.plane[p], &from = reference_.plane[p];
        simd_.mc[6 - block.edge_log2 + shift][V3DOFF_VP9_FILTER_REGULAR][i][mx != 0][my != 0](
            sample_at(to, x, y), to.stride,
            sample_at(from, uint32_t(int(x) + (vector[0] >> (3 + shift))),
                      uint32_t(int(y) + (vector[1] >> (3 + shift)))),
            from.stride, 1 << block.edge_log2 >> shift, mx, my);
    }

    void predict_intra(const TrialBlock &block, unsigned p) const {
        const unsigned shift = p ? 1 : 0, tx = block.edge_log2 - 2u - shift, edge = 4u << tx;
        const PlaneView &plane = picture_.plane[p];
        uint8_t *dst = sample_at(plane, block.col * 8u >> shift, block.row * 8u >> shift);
        alignas(32) uint8_t left[32];
        for (unsigned y = 0; y < edge; y++)
            left[edge - 1 - y] = dst[ptrdiff_t(y) * plane.stride - 1];
        intra_[tx][block.mode](dst, plane.stride, left, dst - plane.stride);
    }

    // Of one plane, which follow those of the planes before.
    void add_residuals(const TrialBlock &block, unsigned p) {
        for (; next_ < block.end && content_.transforms[next_].plane == p; next_++) {
            const TrialTransform &transform = content_.transforms[next_];
            for (uint32_t i = transform.first; i < transform.end; i++) {
                const TrialCoefficient &coefficient = content_.coefficients[i];
                const int value = coefficient.token * content_.factor[coefficient.place > 0];
                values_[coefficient.place] = int16_t(transform.tx == 3 ? value / 2 : value);
            }
            const PlaneView &plane = picture_.plane[p];
            simd_.itxfm_add[transform.tx][0](
                sample_at(plane, transform.x * 4u, transform.y * 4u), plane.stride, values_,
                transform.end - transform.first == 1 ? 1 : transform.eob);
        }
    }

    const TrialPicture &content_;
    const v3doff_vp9dsp &simd_;
    const v3doff_vp9_intra_pred (*intra_)[V3DOFF_VP9_INTRA_MODES];
    const PictureView &picture_, &reference_;
    uint32_t next_ = 0;                        // transform
    alignas(64) int16_t values_[32 * 32] = {}; // the functions clear them
};

} // namespace

void reconstruct_trial(const TrialPicture &content, const v3doff_vp9dsp &simd,
                       const v3doff_vp9_intra_pred (*intra)[V3DOFF_VP9_INTRA_MODES],
                       const PictureView &picture, const PictureView &reference) {
    Reconstructor(content, simd, intra, picture, reference).run();
    run_trial_filter(simd, picture, {content.format, 0, content.filter.data()});
}

} // namespace v3doff::vp9
