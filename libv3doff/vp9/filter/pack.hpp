// SPDX-License-Identifier: BSD-2-Clause
// Turns a decoder's loop filter arrays into records for the shaders and the dispatches that filter
// the picture: plain data, no device.
#pragma once

#include <vector>

#include "picture/plan.hpp"
#include "vp9/filter/input.hpp"
#include "vp9/filter/lines.hpp"
#include "vp9/filter/order.hpp"

namespace v3doff::vp9 {

// Numbers of the shaders for the picture's bit depth (shaders/meson.build).
struct FilterShaders {
    uint32_t wave = 0;
    uint32_t strips = 0, strip_tops = 0, columns = 0;
    uint32_t rows = 0, rows_phased = 0;
};

enum class FilterOrder {
    fewest, // by the number of dispatches
    wave,
    cuts,
};

struct FilterChoice {
    FilterOrder order = FilterOrder::fewest;
    // For `fewest`: takes the cut passes up to this number of dispatches, in percent of the
    // wavefront's. At the same number they are faster, because the wavefront's first and last steps
    // have little to do.
    uint32_t cut_percent = 100;
    // Cut passes with up to this number of dispatches are always taken.
    uint32_t cheap_cuts = 0;
    // For devices that keep tens of thousands of invocations busy: rows_phased instead of rows.
    bool phased_rows = false;
};

// The order that a picture takes: the choice's own, or the one with fewer dispatches.
FilterOrder decide_order(const FilterChoice &choice, uint32_t wave_dispatches,
                         uint32_t cut_dispatches);

// Whether the shaders can address the planes: offsets and strides must be multiples of 16 bytes,
// and both chroma planes have one stride. Planes must have memory for whole 8x8 blocks of their own
// samples: what is beyond filter_area may be read, and written back as it was.
bool filter_fits(const SampleMap &map);

// Plans picture after picture and keeps its memory between them.
class FilterPlanner {
  public:
    // Appends the records of all superblocks to the arena, the dispatches, and the rows that they
    // overwrite. The input has been checked (check_filter). A picture without a marked edge
    // gets no dispatch.
    void plan(const FilterInput &input, const SampleMap &map, const FilterShaders &shaders,
              const FilterChoice &choice, Plan &plan);

  private:
    struct ColumnRows {
        LastRows last_rows;
    };
    struct Target;

    bool pack(const FilterInput &input, Target &target);
    void plan_wave_dispatches(const FilterWave &wave, Target &target) const;
    void plan_tasks(CutPasses::Kind kind, uint32_t level, Target &target) const;
    void plan_cut_dispatches(bool phased_rows, Target &target) const;

    std::vector<StripCuts> cuts_[2]; // of luma's masks and of chroma's
    std::vector<ColumnRows> columns_;
    CutPasses passes_;
};

} // namespace v3doff::vp9
