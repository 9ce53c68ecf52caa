// SPDX-License-Identifier: BSD-2-Clause
// A whole picture that is made from words (v3doff/vp9_words.h), all but its loop filter: the lanes'
// memory, and what the words say as records.
#pragma once

#include <memory>
#include <vector>

#include "common/word_lanes.hpp"
#include "v3doff/policy.h"
#include "vp9/reconstruction/expand.hpp"

namespace v3doff::vp9 {

class Reconstruction final : public Stage {
  public:
    static bool supports(const PictureFormat &format) { return InterSources::supports(format); }
    static bool supports(const PictureView &picture);
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Throw INVALID_ARGUMENT when the lane is not as it was left, INVALID_STATE after record().
    void make_room(uint32_t lane, v3doff_vp9_words &words);
    void end_lane(uint32_t lane, const v3doff_vp9_words &words);
    // For the thread that knows that all lanes are complete. Throws INVALID_ARGUMENT; then nothing
    // is recorded.
    void record(const PictureView &picture, const WordsFrame &frame);

    // A picture without blocks counts, too.
    uint64_t records() const override {
        return recorded_ ? 1 + inter_.size() + residual_.size() + intra_.size() : 0;
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
    struct Lane {
        PlainArray<uint32_t> block, transform, coefficient;
        void take(const v3doff_vp9_words &words);
        void point(v3doff_vp9_words &words); // to where its next words go
        void clear();
    };
    void check_open() const;
    void expand(const PictureView &picture, const WordsFrame &frame);
    void clear_records();

    WordLanes<Lane> lanes_;
    // Of the picture that was recorded.
    bool recorded_ = false;
    bool decoders_own_ = false; // residuals are in it that decoders differ in
    WordsFrame frame_;
    LaneCoefficients coefficients_;
    Inter inter_;
    Residual residual_; // of inter blocks
    Intra intra_;
};

} // namespace v3doff::vp9
