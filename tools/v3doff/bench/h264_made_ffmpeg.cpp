// SPDX-License-Identifier: BSD-2-Clause
// The made-up picture by FFmpeg's functions, as its decoder calls them.
#include "bench/h264_made_picture.hpp"
#include "bench/pictures.hpp"
#include "ffdsp.h"
#include "h264/lines.hpp"

namespace tool::bench::h264 {
namespace {

class Reconstructor {
  public:
    Reconstructor(const MadePicture &content, const FfdspH264 &functions,
                  const PictureView &picture, const PictureView &reference)
        : content_(content), functions_(functions) {
        for (unsigned i = 0; i < 3; i++)
            pictures_[i] = lines_[i].of(picture), references_[i] = lines_[i].of(reference);
        for (int n = 0; n < int(MadeResidual::blocks); n++) {
            const int x = (n & 1) + (n >> 2 & 1) * 2, y = (n >> 1 & 1) + (n >> 3 & 1) * 2;
            for (unsigned i = 0; i < 3; i++)
                offsets_[i][n] = x * 4 + y * 4 * int(pictures_[i].plane[n / 16].stride);
        }
    }

    void run() {
        content_.each([this](uint32_t x, uint32_t y) {
            const size_t at = size_t(y) * content_.mb_width + x;
            residual_.fill(content_, x, y);
            lines_of_ = content_.field(at) ? 1 + y % 2 : 0;
            const uint32_t row = content_.row(x, y);
            if (content_.intra_4x4(at)) {
                reconstruct_blocks(x, row);
            } else {
                content_.intra(at) ? predict_intra(0, x, row) : predict_inter(x, y, at);
                if (content_.coded[at]) add_luma(x, row, content_.transform_8x8(at));
            }
            if (content_.intra(at)) predict_intra(1, x, row), predict_intra(2, x, row);
            if (residual_.coded[1]) add_chroma(x, row);
        });
    }

  private:
    const PlaneView &plane(unsigned p) const { return pictures_[lines_of_].plane[p]; }

    void predict_intra(unsigned p, uint32_t x, uint32_t row) const {
        const int edge = p ? 8 : 16;
        (p ? functions_.pred8x8 : functions_.pred16x16)[made_intra_mode(x, row)](
            sample_at(plane(p), int(x) * edge, int(row) * edge), plane(p).stride);
    }

    // 4x4 blocks of luma: each is predicted from those before it. The functions clear the
    // coefficients.
    void reconstruct_blocks(uint32_t x, uint32_t y) {
        const PlaneView &luma = plane(0);
        for (unsigned block = 0; block < 16; block++) {
            uint8_t *to = sample_at(luma, int(x) * 16, int(y) * 16) + offsets_[lines_of_][block];
            functions_.pred4x4[made_block_mode(x, y, block)](to, to - luma.stride + 4, luma.stride);
            if (residual_.coded[0] >> block & 1)
                functions_.idct_add(to, residual_.values + block * 16, int(luma.stride));
        }
    }

    void predict_inter(uint32_t x, uint32_t y, size_t at) const {
        const uint32_t type = content_.type[at], row = content_.row(x, y);
        // An odd index is the field of the other parity.
        const unsigned from = lines_of_ && content_.reference[at * 4] ? 3 - lines_of_ : lines_of_;
        const uint32_t width = type & (mb_16x16 | mb_16x8) ? 16 : 8;
        const uint32_t height = type & (mb_16x16 | mb_8x16) ? 16 : 8;
        for (uint32_t down = 0; down < 16; down += height)
            for (uint32_t right = 0; right < 16; right += width)
                predict(int(x * 16 + right), int(row * 16 + down), int(width), int(height),
                        content_.vector(x, y, down / 4 * 4 + right / 4), from);
    }

    // 8.4.2.2: luma in quarters of a sample, chroma of 4:2:0 in eighths. Between fields, chroma is
    // moved by a quarter of a sample (8.4.1.4).
    void predict(int x, int y, int width, int height, MadePicture::Vector vector,
                 unsigned from) const {
        const PlaneView &luma = plane(0);
        const PictureView &reference = references_[from];
        const int edge = width == height ? width : 8;
        const auto function = functions_.qpel_put[edge == 8][(vector.x & 3) + (vector.y & 3) * 4];
        for (int down = 0; down < height; down += edge)
            for (int right = 0; right < width; right += edge)
                function(sample_at(luma, x + right, y + down),
                         sample_at(reference.plane[0], x + right + (vector.x >> 2),
                                   y + down + (vector.y >> 2)),
                         luma.stride);
        const int chroma_y = vector.y + 2 * (int(lines_of_) - int(from));
        for (unsigned p = 1; p < 3; p++)
            functions_.chroma_put[width == 8](
                sample_at(plane(p), x / 2, y / 2),
                sample_at(reference.plane[p], x / 2 + (vector.x >> 3), y / 2 + (chroma_y >> 3)),
                plane(p).stride, height / 2, vector.x & 7, chroma_y & 7);
    }

    // The functions clear the coefficients.
    void add_luma(uint32_t x, uint32_t y, bool large) {
        const auto add = large ? functions_.idct8_add4 : functions_.idct_add16;
        add(sample_at(plane(0), int(x) * 16, int(y) * 16), offsets_[lines_of_], residual_.values,
            int(plane(0).stride), residual_.counts);
    }

    void add_chroma(uint32_t x, uint32_t y) {
        uint8_t *planes[2] = {sample_at(plane(1), int(x) * 8, int(y) * 8),
                              sample_at(plane(2), int(x) * 8, int(y) * 8)};
        functions_.idct_add8(planes, offsets_[lines_of_], residual_.values, int(plane(1).stride),
                             residual_.counts);
    }

    const MadePicture &content_;
    const FfdspH264 &functions_;
    // All lines, and those of the top and of the bottom field. Rows of macroblocks are numbered in
    // these.
    static inline const Lines lines_[3] = {{}, {true, 0}, {true, 1}};
    PictureView pictures_[3], references_[3];
    int offsets_[3][MadeResidual::blocks]; // bytes from a macroblock's first sample to its blocks
    unsigned lines_of_ = 0;                // of the macroblock
    MadeResidual residual_;
};

} // namespace

void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspH264 &functions,
                           const PictureView &picture, const PictureView &reference) {
    Reconstructor(content, functions, picture, reference).run();
}

} // namespace tool::bench::h264
