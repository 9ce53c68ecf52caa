// SPDX-License-Identifier: BSD-2-Clause
// Packs motion compensation for the GPU: blocks sorted by what the blocks of a workgroup must have
// in common. No Vulkan here.
#pragma once

#include <span>
#include <vector>

#include "common/group_dispatches.hpp"
#include "picture/plain_array.hpp"
#include "picture/plan.hpp"
#include "vp9/inter/kind.hpp"
#include "vp9/inter/words.hpp"

namespace v3doff::vp9 {

// Turns blocks into records and dispatches. Keeps its memory from picture to picture.
class InterPacker {
  public:
    // Shaders, by whether the bit depth is above 8; average by whether it averages.
    struct Shaders {
        uint32_t unscaled[2]; // put, average
        uint32_t scaled;
    };
    void begin(const SampleMap &map, std::span<const SampleMap> references, const Shaders &shaders,
               Plan &plan);
    void add(std::span<const InterInput> blocks);
    // Adds blocks that stay valid until finish().
    void add(const InterWords &blocks);
    // Called once, when all blocks are added.
    void finish(Plan &plan);

  private:
    // Which planes a record is for: its own, or both of chroma, which are predicted alike.
    enum Planes { its_plane, both_chroma, planes_count };
    // All blocks of a bucket go into workgroups of one kind and shape, and into one dispatch.
    struct Bucket {
        uint64_t sum = 0;  // the number of blocks; from bit cost_shift on, their invocations' cost
        uint32_t word = 0; // where the next record goes
    };
    static constexpr unsigned cost_shift = 24;
    static constexpr uint64_t most_blocks = (1u << cost_shift) - 1;
    // Records of one bucket in the arena, and what their workgroups have besides the number.
    struct Run {
        uint32_t first, count, group, lanes_log2;
        uint64_t cost; // of a workgroup
    };
    void add_unusual(const InterPredictor::Pieces &pieces);
    void add_any(InterInput block, Planes planes);
    void place(Plan &plan);
    Run run_of(uint32_t bucket) const;
    Run run_of_words(uint32_t bucket, bool chroma) const;
    Dispatch dispatch_of(uint32_t key) const;
    static void add_groups(const Run &run, uint32_t first_plane, uint32_t planes,
                           GroupDispatches &to);

    SampleMap map_;
    bool many_lanes_ = false; // as inter_shape() has it
    std::vector<SampleMap> references_;
    Shaders shaders_{};
    uint32_t taps_at_ = 0; // the table of all taps: a word offset in the arena
    std::vector<Bucket> buckets_;
    std::vector<uint32_t> used_; // buckets with blocks
    PlainArray<InterRecord> records_;
    const InterWords *words_ = nullptr; // null: none, or they became records
    std::vector<uint32_t> words_end_;   // of each of its buckets, where the next record goes
    bool pairs_[max_planes] = {};       // whether an invocation may make two words of a row
};

} // namespace v3doff::vp9
