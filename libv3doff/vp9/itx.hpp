// SPDX-License-Identifier: BSD-2-Clause
// The inverse transforms of one picture: records in lanes, packed for the GPU at submit.
#pragma once

#include <array>
#include <vector>

#include "core/stage.hpp"

namespace v3doff::vp9 {

// Where a block stands and how it is transformed; numbers as in v3doff/vp9.h.
struct ItxBlock {
    uint32_t plane = 0, x = 0, y = 0;
    uint32_t tx = 0, type = 0, eob = 0;
    uint32_t size() const { return tx == 4 ? 4 : 4u << tx; }
};

class Itx final : public Stage {
  public:
    static bool supports(const PictureFormat &format, const ItxBlock &block);

    // The coefficients are copied, and cleared at their source. Throws LIMIT.
    void record(uint32_t lane, const PictureFormat &format, const ItxBlock &block,
                void *coefficients);

    uint64_t records() const override;
    void clear() override;
    void plan(const SampleMap &map, Plan &plan) override;
    void run_cpu(const PictureView &picture) override;

  private:
    struct Recorded {
        ItxBlock block;
        uint32_t source; // byte offset in the lane's coefficients
    };
    struct Lane {
        std::vector<Recorded> blocks;
        std::vector<std::byte> coefficients;
    };
    std::array<Lane, V3DOFF_LANES> lanes_;
};

} // namespace v3doff::vp9
