// SPDX-License-Identifier: BSD-2-Clause
// One picture with masks and levels for the loop filter, and all implementations of the filter.
#pragma once

#include "picture_case.hpp"
#include "vp9/filter/input.hpp"

namespace tool {

class FilterCase : public PictureCase {
  public:
    // order: the value of V3DOFF_DEBUG=vp9_loopfilter=...; null leaves the choice to the library.
    // wild: masks that no decoder makes; for some of them FFmpeg wrongly assumes that two blocks
    // have the same level.
    FilterCase(const PictureShape &shape, const char *order, Random &random, bool wild = false);

  protected:
    using Superblocks = std::vector<v3doff::vp9::FilterSuperblock>;

    const Superblocks &superblocks() const { return superblocks_; }
    void run_library(CaseRun &run, v3doff_device *device, v3doff_executor expected) const override {
        filter(run, superblocks_, device, expected);
    }
    void filter(CaseRun &run, const Superblocks &superblocks, v3doff_device *device,
                v3doff_executor expected) const;
    // Records the filter, and perhaps submits rows of it.
    virtual void record(v3doff_picture *picture, const Superblocks &superblocks,
                        v3doff_executor expected) const;
    uint32_t sharpness() const { return sharpness_; }

  private:
    void run_ffmpeg(CaseRun &run, bool simd) const override;

    std::mt19937 random_; // the generator's kind
    const char *order_;
    bool own_memory_;
    uint32_t sharpness_;
    Superblocks superblocks_;
};

} // namespace tool
