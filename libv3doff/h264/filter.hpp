// SPDX-License-Identifier: BSD-2-Clause
// The deblocking of one picture: a frame, or its fields; records kept until the picture is done.
#pragma once

#include <vector>

#include "h264/filter_calls.hpp"
#include "h264/filter_mbaff_records.hpp"
#include "h264/filter_pack.hpp"
#include "h264/filter_records.hpp"
#include "h264/filter_strength_pack.hpp"
#include "h264/lines.hpp"
#include "picture/dump.hpp"
#include "picture/stage.hpp"

namespace v3doff::h264 {

class Filter final : public Stage {
  public:
    static bool supports(const PictureFormat &format);
    // The shaders of frames and fields with derived strengths; those of rare MBAFF frames are left
    // out.
    static std::vector<uint32_t> shaders(const PictureFormat &format);

    // Turns the inputs into records. Throws INVALID_ARGUMENT with what is wrong with them, and
    // INVALID_STATE if the deblocking of these lines was already recorded.
    void record(const PictureFormat &format, const FilterArea &area, const FilterInput *inputs);

    // The same from a decoder's arrays; strengths are derived when the picture is done. Takes
    // `rows` rows of macroblocks from first_row on, which must follow the recorded ones.
    void record(const FilterArea &area, const StrengthInput &input, uint32_t first_row,
                uint32_t rows);

    // What was recorded from exactly these arrays, of all these lines. Null: nothing.
    PackedStrengths *packed(const FilterArea &area, const StrengthInput &input);

    // Records the same filter edge by edge. A picture has only one of both. Throws INVALID_STATE.
    void record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge);
    const FilterCalls &calls() const { return calls_; }

    // The same for an MBAFF frame; the area is that of its macroblocks.
    void record_mbaff(const PictureFormat &format, const FilterArea &area,
                      const MbaffInput *inputs);
    // Rows from the first one on, in pairs.
    void record_mbaff(const FilterArea &area, const StrengthInput &input, uint32_t first_row,
                      uint32_t rows);

    uint64_t records() const override;
    void clear() override;
    std::optional<RowRange> extent(const PictureFormat &format) const override;
    void plan(const SampleMap &map, Plan &plan) override;
    bool save(const PictureFormat &format, DumpWriter &writer) const override;
    void run_cpu(const PictureView &picture) override;

  private:
    struct Part {
        enum Kind { nothing, given, derived } kind = nothing;
        FilterArea area;
        std::vector<FilterMb> records; // given, or derived on the CPU
        PackedStrengths strengths;
        bool whole = false; // derived: every row

        uint64_t count() const {
            return kind == nothing ? 0 : uint64_t(area.mb_width) * area.mb_height;
        }
    };
    // Used for MBAFF frames, which have no parts.
    struct MbaffFrame {
        Part::Kind kind = Part::nothing;
        FilterArea area;
        std::vector<FilterMbaffMb> records; // given, or derived on the CPU
        PackedStrengths strengths;
        bool whole = false; // derived: every row

        uint64_t count() const {
            return kind == Part::nothing ? 0 : uint64_t(area.mb_width) * area.mb_height;
        }
    };
    Part &free_part(const FilterArea &area);
    void note_planes(const StrengthInput &input);
    void plan_mbaff_frame(const SampleMap &map, Plan &plan);
    Part part_[2]; // a frame, or the top field; the bottom field
    FilterCalls calls_;
    std::vector<FilterRecords> resolved_; // the result of the calls
    MbaffFrame mbaff_;
    bool luma_only_ = false; // the stream has no chroma planes, although the picture has
    DumpWriter inputs_;      // what the parts were made from, where dumps are wanted
};

// Macroblocks of a picture, or of a field of it.
FilterArea filter_area(const PictureFormat &format, const Lines &lines);

// Macroblocks of an MBAFF frame: whole pairs.
FilterArea mbaff_area(const PictureFormat &format);

// Whether the planes' memory holds all of these macroblocks.
bool holds(const PictureView &picture, const FilterArea &area);

} // namespace v3doff::h264
