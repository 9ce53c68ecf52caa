// SPDX-License-Identifier: BSD-2-Clause
// A whole frame or field that is made from words (v3doff/h264_words.h), all but its deblocking: the
// lanes' memory, and what the words say as records.
#pragma once

#include "common/lane_coefficients.hpp"
#include "common/word_lanes.hpp"
#include "h264/inter/inter.hpp"
#include "h264/intra/intra.hpp"
#include "v3doff/stream.h"

namespace v3doff::h264 {

inline constexpr WordPointers<v3doff_h264_words> word_pointers[] = {
    {&v3doff_h264_words::macroblock, &v3doff_h264_words::macroblock_end},
    {&v3doff_h264_words::coefficient, &v3doff_h264_words::coefficient_end}};

class Reconstruction final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    static bool supports(const PictureView &picture, const Lines &lines);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Throw as WordLanes does.
    void make_room(const PictureFormat &format, uint32_t lane, v3doff_h264_words &words,
                   uint32_t macroblocks);
    void end_lane(uint32_t lane, const v3doff_h264_words &words) { lanes_.end(lane, words); }
    // The macroblocks are all known; partial: words of some may be missing, and their samples stay.
    // If it throws, nothing is recorded.
    void record(const PictureView &picture, const PictureSources &from,
                Macroblocks::Part &macroblocks, bool partial);

    // A picture without macroblocks counts, too.
    uint64_t records() const override {
        return lanes_.recorded() ? 1 + inter_.size() + residuals_.size() + intra_.size() : 0;
    }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    std::span<const std::shared_ptr<Surface>> references() const override {
        return inter_.references();
    }
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;
    SelfTest self_test() const override { return {1u << V3DOFF_CODEC_H264, "h264 reconstruction"}; }

  private:
    void expand(const PictureView &picture, const PictureSources &from,
                Macroblocks::Part &macroblocks, bool partial);
    void clear_records();
    void keep_for_dump(const PictureSources &from, size_t slices);

    WordLanes<v3doff_h264_words, word_pointers> lanes_;
    PlainArray<uint8_t> present_; // by macroblock
    // What was recorded.
    bool partial_ = false;
    Lines lines_;
    LaneCoefficients coefficients_;
    Inter inter_;
    MacroblockBatch residuals_; // of inter macroblocks
    Intra intra_;
    // Where dumps are wanted: what is the decoder's, and the references.
    DumpWriter dump_header_;
    std::vector<std::shared_ptr<Surface>> dump_references_;
};

} // namespace v3doff::h264
