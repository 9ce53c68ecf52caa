// SPDX-License-Identifier: BSD-2-Clause
// Inter prediction on its way to the GPU: rectangles sorted by what workgroups need to have in
// common. No Vulkan here.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "h264/inter_kind.hpp"
#include "picture/plain_array.hpp"
#include "picture/plan.hpp"

namespace v3doff::h264 {

// Turns rectangles into records and dispatches. Keeps its memory from picture to picture.
class InterPacker {
  public:
    // By mode: put, average, weighted.
    struct Shaders {
        uint32_t put, average, weighted;
    };
    // sources: the references' maps, of which those that no rectangle names may be empty. The first
    // of the weights stands for the default.
    void begin(const SampleMap &map, std::span<const SampleMap> sources,
               std::span<const InterWeights> weights, const Shaders &shaders, Plan &plan);
    void add(std::span<const InterInput> blocks, Plan &plan);
    void finish(Plan &plan);

  private:
    // Luma and chroma have records of their own: their kinds are others. Where chroma is predicted
    // as luma, luma's stand for all planes.
    enum Planes { luma, chroma, planes_count };
    // All records of a bucket go into workgroups of one kind and width, and into one dispatch.
    struct Bucket {
        uint32_t count = 0, word = 0; // how many, and where the next one goes
    };
    static constexpr uint heights = 3, lane_counts = 4;
    static constexpr uint bucket_count = planes_count * INTER_KINDS * lane_counts * heights;
    static constexpr uint key_count = inter_modes * max_references;
    // Where the weights of an entry are in the arena, for list 0, list 1, both.
    static constexpr uint32_t as_default = UINT32_MAX;
    struct WeightPlace {
        uint32_t word[3] = {as_default, as_default, as_default};
    };

    // Of a rectangle that reads inside of the reference, by whether it is weighted, by its width
    // and by the fractions: its bucket but for the height.
    using InsideBuckets = std::array<std::array<std::array<uint16_t, 64>, 3>, 2>;

    void prepare_inside(Planes planes);
    uint bucket_of(const InterPlane &plane, const InterPlace &place, const InterInput &block,
                   InterMode mode, Planes planes) const;
    void pack_weights(std::span<const InterWeights> weights, Plan &plan);
    void add_prediction(const InterInput &block, unsigned list, InterMode mode, uint32_t weights);
    void add_record(const InterInput &block, unsigned list, InterMode mode, Planes planes,
                    InterRecord record, uint32_t first_bucket);
    uint32_t first_bucket(uint key);
    void place(Plan &plan);
    void add_groups(uint number, const Bucket &bucket, uint key, Plan &plan);
    void cut(uint key, Plan &plan);

    SampleMap map_;
    std::vector<SampleMap> sources_;
    Shaders shaders_{};
    InterPlane plane_[planes_count];
    InsideBuckets inside_[planes_count];
    std::vector<Bucket> buckets_;
    std::array<int, key_count> slot_of_key_{}; // which bucket_count of the buckets; -1: none
    std::vector<WeightPlace> weights_;
    PlainArray<InterRecord> records_;
    // The dispatch that groups are added to.
    uint32_t first_group_ = 0, groups_ = 0;
    uint64_t cost_ = 0;
    bool follows_ = false;
};

} // namespace v3doff::h264
