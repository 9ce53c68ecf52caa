// SPDX-License-Identifier: BSD-2-Clause
// Inter prediction of a picture whose motion the GPU sorts: nothing of it is done on the CPU but
// what slices have in common.
#pragma once

#include <span>

#include "h264/inter/kind.hpp"
#include "h264/inter/motion_tables.hpp"
#include "h264/macroblocks/macroblocks.hpp"

namespace v3doff::h264 {

// A picture that is predicted from, or a field of one.
struct InterSource {
    SampleMap map;
    uint32_t reference = 0; // the set of bindings
    int chroma_down = 0;    // InterFrom's
};
inline constexpr uint32_t max_inter_sources = 2 * max_references; // both fields of each

// Numbers of the shaders, by mode.
struct InterShaders {
    uint32_t put, average, weighted;
};

// Numbers of the shaders.
struct MotionShaders {
    uint32_t count, groups, place;
};

class Motion {
  public:
    // The macroblocks stay where they are until clear(). Throws as MotionTables::make() does.
    void begin(const PictureFormat &format, const PictureSources &from,
               const Macroblocks::Part &macroblocks);
    void clear() { macroblocks_ = nullptr; }
    bool active() const { return macroblocks_; }
    // The most predictions that there can be.
    uint64_t records() const { return macroblocks_ ? macroblocks_->motion_words : 0; }
    // Bits of those that are read.
    uint32_t sources() const;

    // Appends what the passes read beside the macroblocks, those that sort, and those that predict.
    void plan_sort(const PictureFormat &format, const MotionShaders &shaders, Plan &plan);
    void plan_prediction(const SampleMap &map, std::span<const InterSource> sources,
                         const InterShaders &shaders, Plan &plan) const;

    // What the CPU predicts in their place, by these weights.
    std::vector<InterInput> blocks() const;
    const std::vector<InterWeights> &weights() const { return tables_.weights(); }

  private:
    // By plane, whether weighted, class and size.
    using Shapes = std::array<uint32_t, 3 * 2 * MOTION_BUCKETS>;
    struct MostGroups {
        uint32_t full = 0, others = 0;
        uint32_t all() const { return full + others; }
    };
    // What the dispatches of one mode and source predict, and where in the arena their workgroups
    // are.
    struct Key {
        InterMode mode;
        uint32_t source, groups;
        MostGroups most;
    };
    static constexpr uint32_t no_shape = UINT32_MAX;

    void make_shapes(const PictureFormat &format);
    void find_keys();
    MostGroups most_groups(const MotionTables::Parts &parts) const;
    void append_tables(MotionPush &push, Plan &plan) const;
    void append_keys(MotionPush &push, Plan &plan);

    const Macroblocks::Part *macroblocks_ = nullptr;
    MotionTables tables_;
    PictureFormat format_{}; // of the shapes
    Shapes shapes_{};
    std::vector<Key> keys_; // in the order of their dispatches
};

} // namespace v3doff::h264
