// SPDX-License-Identifier: BSD-2-Clause
// The loop filter of one picture: a decoder's levels and masks, kept until the picture is done.
#pragma once

#include <vector>

#include "picture/stage.hpp"
#include "vp9/filter/edge.hpp"
#include "vp9/filter/input.hpp"
#include "vp9/filter/pack.hpp"

namespace v3doff::vp9 {

class Filter final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // The shaders of both orders of filtering.
    static std::vector<uint32_t> shaders(const PictureFormat &format, bool is_discrete);

    // Copies the superblocks of some rows: `input` has the whole picture's format and begins with
    // the first of `rows` rows, which is input.top. Throws INVALID_ARGUMENT with what is wrong with
    // them, and INVALID_STATE if they do not follow the rows recorded so far.
    void record(const FilterInput &input, uint32_t rows);
    // The same for `rows` rows from the top of a picture whose blocks the library marks: returns
    // their superblocks, all zeros. Throws INVALID_STATE.
    FilterSuperblock *begin(const PictureFormat &format, uint32_t sharpness, uint32_t rows);

    // Records the same filter edge by edge. A picture has only one of both. Throws INVALID_STATE.
    void record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge);
    const FilterCalls &calls() const { return calls_; }

    uint64_t records() const override { return superblocks_.size() + calls_.size() - above_; }
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &format) const override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    FilterInput input_;                         // its pointer is set when it is used
    uint32_t first_ = 0, end_ = 0;              // rows of superblocks that are recorded
    size_t above_ = 0;                          // superblocks of the row above them
    std::vector<FilterSuperblock> superblocks_; // a band's with a row without marks above
    FilterCalls calls_;
    std::vector<FilterSuperblock> resolved_; // the result of the calls
    FilterPlanner planner_;
};

} // namespace v3doff::vp9
