// SPDX-License-Identifier: BSD-2-Clause
// The made-up picture by FFmpeg's functions, as its decoder calls them.
#include "bench/h264_made_picture.hpp"
#include "bench/pictures.hpp"
#include "ffdsp.h"

namespace tool::bench::h264 {
namespace {

class Reconstructor {
  public:
    Reconstructor(const MadePicture &content, const FfdspH264 &functions,
                  const PictureView &picture, const PictureView &reference)
        : content_(content), functions_(functions), picture_(picture), reference_(reference) {
        for (int n = 0; n < int(MadeResidual::blocks); n++) {
            const int x = (n & 1) + (n >> 2 & 1) * 2, y = (n >> 1 & 1) + (n >> 3 & 1) * 2;
            offsets_[n] = x * 4 + y * 4 * int(picture.plane[n / 16].stride);
        }
    }

    void run() {
        for (uint32_t y = 0; y < content_.mb_height; y++)
            for (uint32_t x = 0; x < content_.mb_width; x++) {
                const size_t at = size_t(y) * content_.mb_width + x;
                residual_.fill(content_, x, y);
                if (content_.intra_4x4(at)) {
                    reconstruct_blocks(x, y);
                } else {
                    content_.intra(at) ? predict_intra(0, x, y)
                                       : predict_inter(x, y, content_.type[at]);
                    if (content_.coded[at]) add_luma(x, y, content_.transform_8x8(at));
                }
                if (content_.intra(at)) predict_intra(1, x, y), predict_intra(2, x, y);
                if (residual_.coded[1]) add_chroma(x, y);
            }
    }

  private:
    void predict_intra(unsigned p, uint32_t x, uint32_t y) const {
        const int edge = p ? 8 : 16;
        (p ? functions_.pred8x8 : functions_.pred16x16)[made_intra_mode(x, y)](
            sample_at(picture_.plane[p], int(x) * edge, int(y) * edge), picture_.plane[p].stride);
    }

    // 4x4 blocks of luma: each is predicted from those before it. The functions clear the
    // coefficients.
    void reconstruct_blocks(uint32_t x, uint32_t y) {
        const PlaneView &luma = picture_.plane[0];
        for (unsigned block = 0; block < 16; block++) {
            uint8_t *to = sample_at(luma, int(x) * 16, int(y) * 16) + offsets_[block];
            functions_.pred4x4[made_block_mode(x, y, block)](to, to - luma.stride + 4, luma.stride);
            if (residual_.coded[0] >> block & 1)
                functions_.idct_add(to, residual_.values + block * 16, int(luma.stride));
        }
    }

    void predict_inter(uint32_t x, uint32_t y, uint32_t type) const {
        const uint32_t width = type & (mb_16x16 | mb_16x8) ? 16 : 8;
        const uint32_t height = type & (mb_16x16 | mb_8x16) ? 16 : 8;
        for (uint32_t down = 0; down < 16; down += height)
            for (uint32_t right = 0; right < 16; right += width)
                predict(int(x * 16 + right), int(y * 16 + down), int(width), int(height),
                        content_.vector(x, y, down / 4 * 4 + right / 4));
    }

    // 8.4.2.2: luma in quarters of a sample, chroma of 4:2:0 in eighths.
    void predict(int x, int y, int width, int height, MadePicture::Vector vector) const {
        const PlaneView &luma = picture_.plane[0];
        const int edge = width == height ? width : 8;
        const auto function = functions_.qpel_put[edge == 8][(vector.x & 3) + (vector.y & 3) * 4];
        for (int down = 0; down < height; down += edge)
            for (int right = 0; right < width; right += edge)
                function(sample_at(luma, x + right, y + down),
                         sample_at(reference_.plane[0], x + right + (vector.x >> 2),
                                   y + down + (vector.y >> 2)),
                         luma.stride);
        for (unsigned p = 1; p < 3; p++)
            functions_.chroma_put[width == 8](
                sample_at(picture_.plane[p], x / 2, y / 2),
                sample_at(reference_.plane[p], x / 2 + (vector.x >> 3), y / 2 + (vector.y >> 3)),
                picture_.plane[p].stride, height / 2, vector.x & 7, vector.y & 7);
    }

    // The functions clear the coefficients.
    void add_luma(uint32_t x, uint32_t y, bool large) {
        const auto add = large ? functions_.idct8_add4 : functions_.idct_add16;
        add(sample_at(picture_.plane[0], int(x) * 16, int(y) * 16), offsets_, residual_.values,
            int(picture_.plane[0].stride), residual_.counts);
    }

    void add_chroma(uint32_t x, uint32_t y) {
        uint8_t *planes[2] = {sample_at(picture_.plane[1], int(x) * 8, int(y) * 8),
                              sample_at(picture_.plane[2], int(x) * 8, int(y) * 8)};
        functions_.idct_add8(planes, offsets_, residual_.values, int(picture_.plane[1].stride),
                             residual_.counts);
    }

    const MadePicture &content_;
    const FfdspH264 &functions_;
    const PictureView &picture_, &reference_;
    int offsets_[MadeResidual::blocks]; // bytes from a macroblock's first sample to its blocks
    MadeResidual residual_;
};

} // namespace

void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspH264 &functions,
                           const PictureView &picture, const PictureView &reference) {
    Reconstructor(content, functions, picture, reference).run();
    filter_by_ffmpeg(content, functions, picture);
}

} // namespace tool::bench::h264
