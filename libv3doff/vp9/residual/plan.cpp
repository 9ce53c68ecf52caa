// SPDX-License-Identifier: BSD-2-Clause
// Batches of transforms to dispatches.
#include "vp9/residual/pack.hpp"

namespace v3doff::vp9 {
namespace {

// Instructions of a workgroup of each kind, rounded up.
constexpr uint kGroupCost[RESIDUAL_KINDS] = {
    2000,  3000, 5000, 8000,  2000, 3000, 5000, 9000, 2500, 3000, 4500,  6500,  12000,
    17000, 8000, 9000, 10000, 4000, 4000, 4000, 8000, 8000, 9000, 20000, 20000, 22000};

} // namespace

uint residual_group_cost(uint kind) {
    return kGroupCost[kind];
}

// The last kinds are the largest blocks, and come first, so that the small ones fill up the end.
void residual_plan(std::span<const ResidualBatch *const> batches, const ResidualShaders &shaders,
                   Dispatch like, int bit_depth, Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    for (const ResidualBatch *batch : batches)
        packer.count(*batch);
    packer.make_room(plan.arena);
    for (const ResidualBatch *batch : batches)
        packer.put(*batch, plan.arena);
    for (uint shader = 0; shader < 2; shader++) {
        like.shader = shaders[shader];
        GroupDispatches dispatches(plan, like);
        for (uint kind = residual_shader_kinds[shader + 1]; kind-- > residual_shader_kinds[shader];)
            packer.add_groups(kind, residual_lanes_log2(kind, bit_depth), kGroupCost[kind],
                              dispatches);
    }
}

} // namespace v3doff::vp9
