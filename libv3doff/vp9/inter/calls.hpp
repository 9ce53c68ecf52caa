// SPDX-License-Identifier: BSD-2-Clause
// The motion compensation of one picture, recorded block by block: blocks in lanes, packed for the
// GPU at submit. Blocks that only write are done before those that average with the samples already
// there.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "common/lanes.hpp"
#include "picture/stage.hpp"
#include "vp9/inter/inter.hpp"

namespace v3doff::vp9 {

class InterCalls final : public Stage {
  public:
    // The reference is held until the records are forgotten. Throws LIMIT.
    void record(uint32_t lane, const PictureView &picture, const InterInput &block,
                const std::shared_ptr<Surface> &reference);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    std::span<const std::shared_ptr<Surface>> references() const override {
        return references_.surface;
    }
    void run_cpu(const PictureView &picture) override;

  private:
    struct Lane {
        std::vector<InterInput> blocks;
        LaneRows rows;
    };
    uint8_t number_of(const std::shared_ptr<Surface> &reference);
    template <typename Visit>
    void each_block(Visit visit) const;

    Lanes<Lane> lanes_;
    std::mutex mutex_; // adding a reference
    InterSources references_;
    std::atomic<unsigned> reference_count_{0};
    InterPacker packer_;
};

} // namespace v3doff::vp9
