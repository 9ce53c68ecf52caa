// SPDX-License-Identifier: BSD-2-Clause
// A picture that is made from words (v3doff/h264_words.h): the lanes' memory, and the expansion of
// the words into records of the stages.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "common/lane_coefficients.hpp"
#include "h264/inter/inter.hpp"
#include "h264/reconstruction/dump.hpp"
#include "picture/plain_array.hpp"
#include "picture/surface.hpp"

namespace v3doff::h264 {

class Residual;
class Intra;

// The stages that the words become records of.
struct WordsStages {
    Inter &inter;
    Residual &residual;
    Intra &intra;
    void clear();
};

class Words final : public Stage {
  public:
    static bool supports(const PictureView &picture, const Lines &lines);

    // Throw INVALID_ARGUMENT if the caller has changed the lane's pointers.
    void make_room(const PictureFormat &format, uint32_t lane, v3doff_h264_words &words,
                   uint32_t macroblocks);
    void end_lane(uint32_t lane, const v3doff_h264_words &words);
    // Of macroblocks that are all known; partial: words of some may be missing, and their samples
    // stay. If this throws, the stages must be cleared of what was added.
    void record(const PictureView &picture, const PictureSources &from,
                Macroblocks::Part &macroblocks, bool partial, const WordsStages &stages);

    uint64_t records() const override { return recorded_; }
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &) override {}

  private:
    struct Lane {
        PlainArray<uint32_t> macroblock, coefficient;
        void take(const v3doff_h264_words &words);
        void point(v3doff_h264_words &words); // to where its next words go
    };
    Lane &lane(uint32_t number);

    bool recorded_ = false, partial_ = false, field_ = false;
    LaneCoefficients coefficients_;
    // Of the picture that was recorded.
    Residual *residual_ = nullptr;
    Intra *intra_ = nullptr;
    std::mutex mutex_; // making a lane
    std::array<std::unique_ptr<Lane>, V3DOFF_LANES> lanes_;
    PlainArray<uint8_t> present_; // by macroblock
    WordsDump dump_;              // where dumps are wanted
};

} // namespace v3doff::h264
