// SPDX-License-Identifier: BSD-2-Clause
// Inter prediction on its way to the GPU: rectangles sorted by what workgroups need to have in
// common. No Vulkan here.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "common/group_dispatches.hpp"
#include "h264/inter_kind.hpp"
#include "picture/plain_array.hpp"
#include "picture/plan.hpp"

namespace v3doff::h264 {

// What rectangles name: a picture, or a field of one.
struct InterSource {
    SampleMap map;
    uint32_t reference = 0; // the set of bindings
    int chroma_down = 0;    // InterFrom's
};
inline constexpr uint32_t max_inter_sources = 2 * max_references; // both fields of each

// By mode.
struct InterShaders {
    uint32_t put, average, weighted;
};

// The dispatch of a mode that predicts from a source, but for its workgroups.
Dispatch inter_dispatch(const SampleMap &map, const InterSource &from, InterMode mode,
                        const InterShaders &shaders);

// Of predictions from list 0, from list 1, from both: what the weights make of them. False: the
// same as the default.
bool pack_weights(const InterWeights &weights, unsigned use, const PictureFormat &format,
                  InterWeightRecord &record);

// Turns rectangles into records and dispatches. Keeps its memory from picture to picture.
class InterPacker {
  public:
    // sources: those that no rectangle names may be empty. The first of the weights stands for the
    // default.
    void begin(const SampleMap &map, std::span<const InterSource> sources,
               std::span<const InterWeights> weights, const InterShaders &shaders, Plan &plan);
    void add(std::span<const InterInput> blocks, Plan &plan);
    void finish(Plan &plan);

  private:
    // Where chroma is predicted as luma, luma's groups stand for all planes.
    enum Planes { luma, chroma, planes_count };
    // All records of a bucket go into workgroups of one kind and width, and into one dispatch. They
    // are kept in chunks until all are there.
    struct Bucket {
        uint32_t next = 0, end = 0; // where the next record goes, and where its chunk ends
        uint32_t room = 0;          // of all its chunks
        uint32_t word = 0;          // behind its records in the arena
        uint32_t count() const { return room - (end - next); }
    };
    struct Chunk {
        uint32_t bucket, first, size;
    };
    static constexpr uint heights = 3;    // 4, 8, 16
    static constexpr uint widths = 6;     // the same, and 32, 64, 128
    static constexpr uint end_widths = 3; // without those
    // Rectangles that read inside of the reference have a record for all planes. Its class is that
    // of the fractions, which decides the kinds.
    static constexpr uint classes = 7;
    static constexpr uint class_buckets = widths * heights,
                          inside_buckets = classes * class_buckets;
    // Others have one for luma and one for chroma: their kinds are sorted apart.
    static constexpr uint kind_buckets = end_widths * heights;
    static constexpr uint bucket_count = inside_buckets + planes_count * INTER_KINDS * kind_buckets;
    static constexpr uint key_count = inter_modes * max_inter_sources;
    // Where the weights of an entry are in the arena, for list 0, list 1, both.
    static constexpr uint32_t as_default = UINT32_MAX;
    struct WeightPlace {
        uint32_t word[3] = {as_default, as_default, as_default};
    };

    void prepare_inside();
    void pack_weights(std::span<const InterWeights> weights, Plan &plan);
    void add_prediction(const InterInput &block, unsigned list, InterMode mode, uint32_t weights);
    void add_part(const InterInput &block, unsigned list, InterMode mode, uint32_t weights);
    void add_near_edge(const InterInput &block, unsigned list, InterMode mode,
                       const InterRecord &record, uint32_t first_bucket);
    uint32_t first_bucket(uint key);
    void append(uint32_t bucket, const InterRecord &record);
    void enlarge(uint32_t bucket);
    void place(Plan &plan);
    void add_bucket(uint number, const Bucket &bucket, bool weighted, GroupDispatches &to) const;
    void add_groups(Planes planes, uint kind, uint width, uint height, const Bucket &bucket,
                    GroupDispatches &to) const;

    SampleMap map_;
    std::vector<InterSource> sources_;
    InterShaders shaders_{};
    InterPlane plane_[planes_count];
    bool chroma_apart_ = false; // it has groups of its own
    // By whether predictions are weighted, by class and by width.
    std::array<std::array<std::array<uint8_t, widths>, classes>, 2> inside_kinds_[planes_count];
    // By width and by height: a rectangle that is moved to here, in quarter samples and without
    // what the filter reads before it, may read outside.
    std::array<uint, widths> end_x_{};
    std::array<uint, heights> end_y_{};
    std::vector<Bucket> buckets_;
    std::array<int, key_count> slot_of_key_{}; // which bucket_count of the buckets; -1: none
    std::vector<WeightPlace> weights_;
    PlainArray<InterRecord> records_;
    std::vector<Chunk> chunks_;
};

} // namespace v3doff::h264
