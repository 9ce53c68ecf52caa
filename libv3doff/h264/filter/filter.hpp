// SPDX-License-Identifier: BSD-2-Clause
// The deblocking of one picture: a frame, or its fields; records kept until the picture is done.
#pragma once

#include <vector>

#include "h264/filter/edge.hpp"
#include "h264/filter/records.hpp"
#include "h264/macroblocks/macroblocks.hpp"

namespace v3doff::h264 {

class Filter final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // The shaders of frames and fields with derived strengths, and also of MBAFF frames.
    static std::vector<uint32_t> shaders(const PictureFormat &format, bool mbaff);

    // Turns the inputs into records. Throws INVALID_ARGUMENT with what is wrong with them, and
    // INVALID_STATE if the deblocking of these lines was already recorded.
    void record(const PictureFormat &format, const MacroblockArea &area, const FilterInput *inputs);
    // The same for an MBAFF frame; the area is that of its macroblocks.
    void record(const PictureFormat &format, const MacroblockArea &area, const MbaffInput *inputs);

    // Throws INVALID_STATE if the deblocking of these lines was recorded other than by derive(),
    // and INVALID_ARGUMENT if that of other lines has other planes.
    void check_free(const MacroblockArea &area, bool luma_only) const;
    // Records the deblocking of all macroblocks that are known, whose strengths are derived when
    // the picture is done. They stay where they are until clear().
    void derive(const Macroblocks::Part &from);

    // Records the same filter edge by edge. A picture has only one of both. Throws INVALID_STATE.
    void record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge);
    const FilterCalls &calls() const { return calls_; }

    uint64_t records() const override;
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &format) const override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    struct Part {
        bool given = false;                         // the records are
        const Macroblocks::Part *derived = nullptr; // or this is what they are derived from
        bool mbaff = false;
        MacroblockArea area;
        std::vector<FilterMb> records; // also those that the CPU derives
        std::vector<FilterMbaffMb> mbaff_records;

        bool used() const { return given || derived; }
        uint64_t count() const { return used() ? area.count() : 0; }
    };
    Part &free_part(const MacroblockArea &area);
    void filter_on_cpu(Part &part, const PictureView &picture) const;
    Part part_[2]; // a frame, or the top field; the bottom field
    FilterCalls calls_;
    std::vector<FilterRecords> resolved_; // the result of the calls
    bool luma_only_ = false; // the stream has no chroma planes, although the picture has
    DumpWriter inputs_;      // what the parts were made from, where dumps are wanted
};

} // namespace v3doff::h264
