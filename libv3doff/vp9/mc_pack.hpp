// SPDX-License-Identifier: BSD-2-Clause
// Motion compensation on its way to the GPU: blocks sorted by what workgroups need to have in
// common. No Vulkan here.
#pragma once

#include <span>
#include <vector>

#include "core/plain_array.hpp"
#include "core/plan.hpp"
#include "records/vp9_mc.h"
#include "vp9/mc_reference.hpp"

namespace v3doff::vp9 {

// A reference as the kernels need it.
struct McSource {
    SampleMap map;
    uint32_t width[max_planes] = {}, height[max_planes] = {};
};

// Which kernel takes the block; pairs: whether two words of a row may be written at once.
uint mc_kind(const McInput &block, const McSource &source, uint32_t bit_depth, bool pairs);

// How the invocations of a workgroup share a block.
struct McShape {
    uint side_log2, lanes_log2, rows; // side by side, all of them, rows of each
};
McShape mc_shape(const McInput &block, uint kind, uint32_t bit_depth);

// Turns blocks into records and dispatches. Keeps its memory from picture to picture.
class McPacker {
  public:
    // Shaders, by whether the bit depth is above 8; average by whether it averages.
    struct Shaders {
        uint32_t unscaled[2]; // put, average
        uint32_t scaled;
    };
    void begin(const SampleMap &map, std::span<const McSource> sources, const Shaders &shaders);
    void add(std::span<const McInput> blocks);
    // Once all are added.
    void place(Plan &plan);
    void finish(Plan &plan);

  private:
    // All blocks of a bucket go into workgroups of one kind and shape, and into one dispatch.
    struct Bucket {
        uint32_t blocks = 0, word = 0; // how many, and where the next record goes
        uint64_t cost = 0;             // of one invocation of each
    };
    void add_dispatch(uint32_t key, uint32_t first_group, uint32_t groups, Plan &plan) const;
    struct Group {
        uint32_t number = 0, rows = 0; // number: among the buckets of one dispatch
        uint64_t cost = 0;
    };
    Group group_of(const McInput &block, uint kind) const;
    void fill_groups();

    SampleMap map_;
    std::vector<McSource> sources_;
    Shaders shaders_{};
    std::vector<Bucket> buckets_;
    PlainArray<McRecord> records_;
    PlainArray<uint32_t> bucket_of_record_;
    Group groups_[MC_SCALED_1][7][7]; // by kind, log2 of the width and of the height
    uint32_t groups_depth_ = 0;       // that they are for
    bool pairs_[max_planes] = {}; // whether two words of a row may be written at once
};

} // namespace v3doff::vp9
