// SPDX-License-Identifier: BSD-2-Clause
// Random pictures of H.264 intra macroblocks among others that are not intra, as a decoder would
// have them: modes read only neighbours that are available in their slice.
#pragma once

#include <span>
#include <vector>

#include "generators/h264_filter.hpp"
#include "h264/intra/reference.hpp"

namespace v3doff::check {

struct H264IntraMix {
    uint32_t bit_depth = 8;
    v3doff_chroma chroma = V3DOFF_CHROMA_420;
    unsigned kinds = 15; // bit k: IntraKind k
    bool residuals = true;
    bool others = false;   // residuals of macroblocks that are not intra
    uint32_t largest = 12; // width and height at most, in macroblocks
};

class H264IntraPicture {
  public:
    H264IntraPicture(const H264IntraMix &mix, H264Random &random);

    const PictureFormat &format() const { return format_; }
    uint32_t mb_width() const { return width_; }
    uint32_t mb_height() const { return height_; }

    struct Intra {
        h264::IntraMacroblock macroblock;
        h264::MacroblockResidual residual;
    };
    const std::vector<Intra> &intra() const { return intra_; } // in decoding order
    struct Inter {
        uint32_t x, y;
        h264::MacroblockResidual residual;
    };
    std::span<const uint32_t> coefficients() const { return words_; }
    const std::vector<Inter> &inter() const { return inter_; } // those with residuals

  private:
    struct Neighbours {
        bool left, above, corner, above_right;
    };
    struct Cell {
        uint16_t slice;
        bool intra;
    };
    bool available(const Cell &from, int x, int y) const;
    Neighbours neighbours_of(uint32_t x, uint32_t y) const;
    void add_intra(const H264IntraMix &mix, uint32_t x, uint32_t y, H264Random &random);
    h264::MacroblockResidual make_residual(bool transform_8x8, H264Random &random);
    h264::MacroblockResidual make_pcm(H264Random &random);
    void point();

    PictureFormat format_;
    uint32_t width_, height_;
    bool constrained_;        // intra macroblocks read no others
    std::vector<Cell> cells_; // of each macroblock
    std::vector<Intra> intra_;
    std::vector<Inter> inter_;
    std::vector<uint32_t> words_; // what all residuals point to
};

} // namespace v3doff::check
