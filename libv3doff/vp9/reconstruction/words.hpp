// SPDX-License-Identifier: BSD-2-Clause
// A picture that is made from words (v3doff/vp9_words.h): the lanes' memory, and what the words say
// as records of the stages.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "picture/dump.hpp"
#include "picture/plain_array.hpp"
#include "picture/surface.hpp"
#include "v3doff/vp9_words.h"
#include "vp9/residual/words.hpp"

namespace v3doff::vp9 {

class Inter;
class Residual;
class Intra;

struct WordsFrame {
    std::array<std::shared_ptr<Surface>, 3> reference;
    bool lossless = false;
    bool partial = false; // samples that no block covers stay
    decltype(v3doff_vp9_picture_info::itxfm_add) itxfm_add = nullptr;
    int16_t dequantisation[8][2][2] = {};
};

class Words final : public Stage {
  public:
    static bool supports(const PictureView &picture);

    // Throw INVALID_ARGUMENT when the lane is not as it was left, INVALID_STATE after record().
    void make_room(uint32_t lane, v3doff_vp9_words &words);
    void end_lane(uint32_t lane, const v3doff_vp9_words &words);
    // Throws INVALID_ARGUMENT, with what the stages then have to be cleared of.
    void record(const PictureView &picture, const WordsFrame &frame, Inter &inter,
                Residual &residual, Intra &intra);

    uint64_t records() const override { return recorded_; }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &) override {}

  private:
    struct Lane {
        PlainArray<uint32_t> block, transform, coefficient;
        void take(const v3doff_vp9_words &words);
        void point(v3doff_vp9_words &words); // to where its next words go
    };
    Lane &lane(uint32_t number);
    void check_open() const;

    bool recorded_ = false;
    bool decoders_own_ = false; // residuals are in it that decoders differ in
    WordsFrame frame_;          // of the picture that was recorded
    std::mutex mutex_;          // making a lane
    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_;
    LaneCoefficients coefficients_; // of the picture that was recorded
};

} // namespace v3doff::vp9
