// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/pack.hpp"

namespace v3doff::h264 {
namespace {

// A dispatch may take 1.75 ms, which is more than any 1080p picture of 4:2:0 and 8 bits needs.
// Instructions of a workgroup of each kind, rounded up: 8 bits, more bits.
constexpr uint kDispatchCost = vk::instructions_per_ms / 4 * 7;
constexpr uint kGroupCost[2][RESIDUAL_KINDS] = {{1650, 2450, 1200, 2500, 4050, 5750},
                                                {1700, 2600, 1500, 2200, 2550, 3100}};

uint lanes_log2(uint kind, int bit_depth) {
    switch (kind) {
    case RESIDUAL_DC_8:
        return 1;
    case RESIDUAL_8_4:
    case RESIDUAL_8:
        return bit_depth == 8 ? 1 : 2;
    default:
        return 0;
    }
}

} // namespace

// The last kinds are the largest blocks, and come first, so that the small ones fill up the end.
void residual_plan(std::span<const ResidualBatch *const> batches,
                   const MacroblockBatch &macroblocks, const PictureFormat &format,
                   const Dispatch &like, Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    for (const ResidualBatch *batch : batches)
        packer.count(*batch);
    packer.make_room(plan.arena);
    for (const ResidualBatch *batch : batches)
        packer.put(*batch, plan.arena);
    GroupDispatches dispatches(plan, like, kDispatchCost);
    for (uint kind = RESIDUAL_KINDS; kind-- > 0;) {
        const uint lanes = lanes_log2(kind, int(format.bit_depth));
        const uint cost = kGroupCost[format.bit_depth > 8][kind];
        packer.add_groups(kind, lanes, cost, dispatches);
        add_residual_groups(macroblocks.first_record(kind), macroblocks.record_count(kind), kind,
                            lanes, cost, dispatches);
    }
}

} // namespace v3doff::h264
