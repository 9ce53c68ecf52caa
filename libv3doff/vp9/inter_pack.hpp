// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation on its way to the GPU: blocks sorted by what workgroups need to have in
// common. No Vulkan here.
#pragma once

#include <span>
#include <vector>

#include "picture/plain_array.hpp"
#include "picture/plan.hpp"
#include "vp9/inter_position.hpp"
#include "vp9/inter_kind.hpp"

namespace v3doff::vp9 {

// Turns blocks into records and dispatches. Keeps its memory from picture to picture.
class InterPacker {
  public:
    // Shaders, by whether the bit depth is above 8; average by whether it averages.
    struct Shaders {
        uint32_t unscaled[2]; // put, average
        uint32_t scaled;
    };
    void begin(const SampleMap &map, std::span<const InterSource> sources, const Shaders &shaders,
               Plan &plan);
    void add(std::span<const InterInput> blocks);
    // Each reference has a predictor.
    void add(std::span<const InterBlock> blocks, std::span<const InterPredictor> predictors);
    // Once all are added.
    void finish(Plan &plan);

  private:
    // Which planes a record is for: its own, or both of chroma, which are predicted alike.
    enum Planes { its_plane, both_chroma, planes_count };
    // All blocks of a bucket go into workgroups of one kind and shape, and into one dispatch.
    struct Bucket {
        uint64_t sum = 0;  // how many blocks, and from bit cost_shift what one invocation of each costs
        uint32_t word = 0; // where the next record goes
    };
    static constexpr unsigned cost_shift = 24;
    static constexpr uint64_t most_blocks = (1u << cost_shift) - 1;
    // What the kind and the size of a block say of its workgroup.
    struct Group {
        uint32_t bucket = 0, size = 0; // bucket: among those of one dispatch; size: as records have it
        uint64_t sum = 0;              // what the bucket's grows by
    };
    // Luma and chroma of a block that reads nothing near an edge.
    struct Usual {
        Group luma, chroma;
    };
    struct Source : InterSource {
        const InterPredictor *predictor = nullptr;
        int most_x = 0, most_y = 0; // where such a block ends at most
    };
    Group group_of(const InterInput &block, uint kind, Planes planes) const;
    Group usual_group(unsigned width_log2, unsigned height_log2, bool across, bool down,
                      Planes planes) const;
    void prepare_usual(std::span<const InterPredictor> predictors);
    bool add_usual(const InterBlock &block, const Source &source);
    void add_any(InterInput block, Planes planes);
    void place(Plan &plan);
    void add_dispatch(uint32_t key, uint32_t first_group, uint32_t groups, Plan &plan) const;

    SampleMap map_;
    std::vector<Source> sources_;
    Shaders shaders_{};
    uint32_t taps_at_ = 0; // the table of all taps: a word offset in the arena
    std::vector<Bucket> buckets_;
    PlainArray<InterRecord> records_;
    bool pairs_[max_planes] = {}; // whether two words of a row may be written at once
    // By size and by which filters run: across, down, of luma and of chroma.
    Usual usual_[last_whole_size + 1][16];
    unsigned shift_x_ = 0, shift_y_ = 0; // of chroma
};

} // namespace v3doff::vp9
