// SPDX-License-Identifier: BSD-2-Clause
// A whole picture that is made from words (v3doff/vp9_words.h): the lanes' memory, and what the
// words say as records. The edges of the loop filter go to its own stage.
#pragma once

#include <vector>

#include "common/word_lanes.hpp"
#include "v3doff/stream.h"
#include "vp9/filter/filter.hpp"
#include "vp9/reconstruction/expand.hpp"

namespace v3doff::vp9 {

inline constexpr WordPointers<v3doff_vp9_words> word_pointers[] = {
    {&v3doff_vp9_words::block, &v3doff_vp9_words::block_end},
    {&v3doff_vp9_words::transform, &v3doff_vp9_words::transform_end,
     &v3doff_vp9_words::first_transform},
    {&v3doff_vp9_words::coefficient, &v3doff_vp9_words::coefficient_end,
     &v3doff_vp9_words::first_coefficient}};

class Reconstruction final : public Stage {
  public:
    static bool supports(const PictureFormat &format) { return InterSources::supports(format); }
    static bool supports(const PictureView &picture);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Throw as WordLanes does.
    void make_room(uint32_t lane, v3doff_vp9_words &words) {
        lanes_.make_room(
            lane, words,
            {V3DOFF_VP9_BLOCK_WORDS, V3DOFF_VP9_TRANSFORM_WORDS, V3DOFF_VP9_COEFFICIENT_WORDS});
    }
    void end_lane(uint32_t lane, const v3doff_vp9_words &words) { lanes_.end(lane, words); }
    // For the thread that knows that all lanes are complete. Throws INVALID_ARGUMENT, and
    // INVALID_STATE if the filter was already recorded; then nothing is recorded. filter: gets the
    // edges if the frame has rows to filter.
    void record(const PictureView &picture, const WordsFrame &frame, Filter &filter);

    // A picture without blocks counts, too.
    uint64_t records() const override {
        return lanes_.recorded() ? 1 + inter_.size() + residual_.size() + intra_.size() : 0;
    }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    std::span<const std::shared_ptr<Surface>> references() const override {
        return inter_.references();
    }
    void run_cpu(const PictureView &picture) override;
    SelfTest self_test() const override { return {1u << V3DOFF_CODEC_VP9, "vp9 reconstruction"}; }

  private:
    void expand(const PictureView &picture, const WordsFrame &frame, const FilterMarks &marks);
    void clear_records();

    WordLanes<v3doff_vp9_words, word_pointers> lanes_;
    // What was recorded.
    bool decoders_own_ = false; // residuals are in it that decoders differ in
    WordsFrame frame_;
    LaneCoefficients coefficients_;
    Inter inter_;
    Residual residual_; // of inter blocks
    Intra intra_;
};

} // namespace v3doff::vp9
