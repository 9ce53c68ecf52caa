// SPDX-License-Identifier: BSD-2-Clause
// Pictures of random H.264 inter prediction, and the ways to run them.
#pragma once

#include "ffdsp.h"
#include "h264/inter/reference.hpp"
#include "picture_case.hpp"
#include "v3doff/h264_words.h"

namespace tool {

enum class H264InterKind { one, two, one_weighted, two_weighted, any };

// What the blocks of a case have in common.
struct H264InterMix {
    unsigned bit_depth = 8;
    H264InterKind kind = H264InterKind::any;
    uint32_t largest = 0;         // 16, 8 or 4: sides of the blocks; 0: anything
    bool extreme_weights = false; // also those that FFmpeg's SIMD gets wrong

    bool weighs() const { return kind != H264InterKind::one && kind != H264InterKind::two; }
};

class H264InterCase final : public PictureCase {
  public:
    H264InterCase(const H264InterMix &mix, Random &random);
    std::string describe(const std::string &, size_t byte) const override;

  private:
    using Block = v3doff::h264::InterInput; // reference: its index in the slice

    void add_slice(const H264InterMix &mix, Random &random);
    void add_macroblock(const H264InterMix &mix, uint32_t x, uint32_t y, Random &random);
    void add_missing(size_t at, Random &random);
    uint32_t add_quarter(const H264InterMix &mix, const Block &quarter, Random &random);
    Block like(const H264InterMix &mix, uint16_t slice, Random &random) const;
    uint32_t add_block(Block like, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                       Random &random);
    void set_vector(Block &block, unsigned list, Random &random) const;
    void record(v3doff_picture *picture, const std::vector<Picture> &references) const;
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override;
    void run_ffmpeg(CaseRun &run, bool simd) const override;

    uint32_t mb_width_, mb_height_;
    std::vector<GuardedReference> references_;
    std::vector<v3doff_h264_prediction> slices_;
    // A decoder's arrays.
    std::vector<uint32_t> types_;
    std::vector<uint16_t> slice_table_;
    std::vector<int8_t> index_[2];
    std::vector<std::array<int16_t, 2>> vector_[2];
    std::vector<bool> missing_; // macroblocks
    std::vector<Block> blocks_; // of the others
};

// Predicts as FFmpeg's decoder does, with its functions. If weights is null, prediction is not
// weighted.
void predict_h264_by_ffmpeg(const FfdspH264 &functions, const v3doff::h264::InterInput &block,
                            const GuardedPicture *const (&references)[2],
                            const v3doff::h264::InterWeights *weights, GuardedPicture::Copy &to);

} // namespace tool
