// SPDX-License-Identifier: BSD-2-Clause
// Pictures of random VP9 motion compensation, and the ways to run them.
#pragma once

#include "picture_case.hpp"
#include "vp9_residual_inputs.hpp"

namespace tool {

// What the blocks of a case have in common; zero or negative: anything.
struct InterMix {
    unsigned bit_depth = 8;
    uint32_t width = 0;
    int filter = -1;
    int average = -1; // 1: two predictions of each block, the second one averaged
    int scaled = -1;
    bool any_height = false; // also heights that FFmpeg's SIMD does not support
    bool transforms = false; // residuals on top
};

struct InterCaseBlock {
    unsigned reference;
    v3doff_vp9_mc mc; // but for the reference's handle
    uint32_t lane;
};

class InterCase final : public PictureCase {
  public:
    InterCase(const InterMix &mix, Random &random);

  private:
    void add_references(const InterMix &mix, Random &random);
    void fill_plane(const InterMix &mix, unsigned plane, Random &random);
    void add_block(const InterMix &mix, uint32_t plane, uint32_t x, uint32_t y, uint32_t width,
                   uint32_t height, Random &random);
    InterCaseBlock random_block(const InterMix &mix, uint32_t plane, unsigned reference,
                                Random &random) const;
    void record(v3doff_picture *picture, const std::vector<Picture> &references) const;
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override;
    void run_ffmpeg(CaseRun &run, bool simd) const override;

    bool own_memory_;
    std::vector<GuardedReference> references_;
    std::vector<InterCaseBlock> blocks_;
    std::vector<PlacedResidual> residuals_;
};

} // namespace tool
