// SPDX-License-Identifier: BSD-2-Clause
// The intra blocks of a picture that was recorded as words, each a prediction and a residual. A
// block reads samples of the blocks beside and above it, so superblocks are done in an order
// (vp9/intra/order.hpp).
#pragma once

#include <array>
#include <vector>

#include "util/error.hpp"
#include "vp9/intra/order.hpp"
#include "vp9/intra/reference.hpp"
#include "vp9/residual/residual.hpp"

namespace v3doff::vp9 {

class Intra {
  public:
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Superblocks of a picture with these many, none with a block yet.
    void begin(uint32_t cols, uint32_t rows);
    // So many more blocks of one plane of a superblock. They follow each other, in the order in
    // which they are decoded. Throws INVALID_ARGUMENT where they do not.
    IntraRecord *append(uint32_t superblock, unsigned plane, uint32_t count) {
        auto &blocks = blocks_[plane];
        Range &range = superblocks_[superblock][plane];
        const auto first = uint32_t(blocks.size());
        if (range.first == range.end) range.first = range.end = first;
        if (range.end != first)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                        "intra blocks of a superblock are not together");
        range.end += count;
        return blocks.append(count);
    }
    // What the order depends on; of every block.
    IntraBorder &border(uint32_t superblock) { return borders_[superblock]; }
    // Where residuals go. The record of a block says whether it has one.
    Residual &residuals() { return residuals_; }

    std::size_t size() const;
    void clear();
    void plan(const SampleMap &map, const LaneCoefficients &coefficients, Plan &plan);
    void run_cpu(const LaneCoefficients &coefficients, const PictureView &picture) const;

  private:
    struct Range {
        uint32_t first = 0, end = 0;
    };
    using Planes = std::array<Range, max_planes>;
    struct Scratch {
        uint32_t offset[max_planes] = {}, part = 0;
    };
    Scratch plan_residuals(const SampleMap &map, const LaneCoefficients &coefficients,
                           Plan &plan) const;
    void plan_group(const IntraOrder::Group &group, ArenaWords &arena);

    uint32_t cols_ = 0;
    std::vector<Planes> superblocks_; // blocks of each
    std::array<PlainArray<IntraRecord>, max_planes> blocks_;
    Residual residuals_;
    std::vector<IntraBorder> borders_; // of each superblock
    IntraOrder order_;                 // of the last plan, as the rest
    std::vector<WorkGroup> groups_;
};

} // namespace v3doff::vp9
