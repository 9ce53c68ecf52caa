// SPDX-License-Identifier: BSD-2-Clause
// A made-up P or I picture, or an MBAFF frame: what a decoder has parsed of it, to be appended as
// words or to be reconstructed by FFmpeg's functions.
#pragma once

#include <vector>

#include "h264/macroblocks/arrays.hpp"
#include "picture/stage.hpp"
#include "v3doff/h264_words.h"

struct FfdspH264;

namespace tool::bench::h264 {

using namespace v3doff;
using namespace v3doff::h264;

// One slice: large partitions that move with what is around them, or intra macroblocks alone.
struct MadePicture {
    explicit MadePicture(const PictureFormat &format) : MadePicture(format, false, false) {}
    static MadePicture of_intra(const PictureFormat &format) { return {format, true, false}; }
    // Like a P picture, in frame and field macroblocks. Every second region of the latter is
    // predicted from the field of the other parity.
    static MadePicture of_pairs(const PictureFormat &format) { return {format, false, true}; }

    static constexpr int8_t picture_qp = 30;
    static constexpr uint32_t mb_intra_4x4 = 1, mb_intra_16x16 = 2, mb_8x8 = 1 << 6; // types
    struct Counts {
        uint8_t of_block[48];
    };
    struct Vector {
        int16_t x, y;
    };

    PictureFormat format;
    bool only_intra, mbaff;
    uint32_t mb_width, mb_height;
    // By macroblock, in raster order.
    std::vector<uint32_t> type;
    std::vector<int8_t> qp, reference; // reference: of its four 8x8 blocks
    std::vector<uint16_t> slice;
    std::vector<Counts> counts;
    std::vector<uint8_t> coded; // any count
    std::vector<Vector> motion; // of 4x4 blocks, in raster order of the picture
    Slice parameters{};

    size_t motion_stride() const { return size_t(mb_width) * 4; }
    const Vector &vector(uint32_t x, uint32_t y, unsigned block) const { // of 16 in raster order
        return motion[(size_t(y) * 4 + block / 4) * motion_stride() + x * 4 + block % 4];
    }
    bool intra(size_t at) const { return type[at] & mb_intra; }
    bool intra_4x4(size_t at) const { return type[at] == mb_intra_4x4; }
    bool field(size_t at) const { return type[at] & mb_interlaced; }
    // How many macroblocks of its kind are above it.
    uint32_t row(uint32_t x, uint32_t y) const {
        return field(size_t(y) * mb_width + x) ? y / 2 : y;
    }
    bool transform_8x8(size_t at) const { return type[at] & mb_transform_8x8; }
    v3doff_h264_arrays arrays() const; // as decoders hand them over
    // Of the slice; null if it has no inter macroblocks.
    const v3doff_h264_prediction *predictions() const { return only_intra ? nullptr : &prediction; }
    // Calls visit(x, y) for each macroblock in the order of decoding.
    template <typename Visit>
    void each(Visit visit) const {
        const uint32_t rows = mbaff ? 2 : 1;
        for (uint32_t top = 0; top < mb_height; top += rows)
            for (uint32_t x = 0; x < mb_width; x++)
                for (uint32_t y = top; y < top + rows; y++)
                    visit(x, y);
    }

  private:
    MadePicture(const PictureFormat &format, bool only_intra, bool mbaff);
    v3doff_h264_prediction prediction{};
};

// The residual of a macroblock as a decoder has parsed it: few coefficients, of low frequencies.
struct MadeResidual {
    static constexpr unsigned blocks = 48; // Cb's from 16, Cr's from 32
    alignas(64) int16_t values[blocks * 16] = {};
    // How many coefficients a block has, where decoders' functions look for it (v3doff/h264dsp.h).
    uint8_t counts[15 * 8];
    uint16_t coded[3];

    // Into values that are zero.
    void fill(const MadePicture &content, uint32_t x, uint32_t y);
};

// The mode of chroma, and of a macroblock of 16x16 (v3doff_h264_intra).
uint8_t made_intra_mode(uint32_t x, uint32_t row);
// Of 4x4 blocks, none of which reads samples above and to the right. The macroblock is not at the
// picture's border.
uint8_t made_block_mode(uint32_t x, uint32_t y, unsigned block);

// What a decoder appends of one macroblock. There is room for it. residual: zero, and so it stays.
void append_made(const MadePicture &content, uint32_t x, uint32_t y, MadeResidual &residual,
                 v3doff_h264_words &words);

// Prediction and residuals macroblock by macroblock, without deblocking.
void reconstruct_by_ffmpeg(const MadePicture &content, const FfdspH264 &functions,
                           const PictureView &picture, const PictureView &reference);

} // namespace tool::bench::h264
