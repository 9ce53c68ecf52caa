// SPDX-License-Identifier: BSD-2-Clause
#include "common/push.hpp"
#include "h264/residual/pack.hpp"
#include "vk/shaders.hpp"

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

// Calls visit(kind, lanes_log2, cost). The last kinds are the largest blocks, and come first, so
// that the small ones fill up the end.
template <typename Visit>
void each_kind(uint32_t bit_depth, Visit visit) {
    for (uint kind = RESIDUAL_KINDS; kind-- > 0;)
        visit(kind, lanes_log2(kind, int(bit_depth)), kGroupCost[bit_depth > 8][kind]);
}

} // namespace

// Above 8 bits one serves all depths.
uint32_t residual_shader(uint32_t bit_depth) {
    static const uint32_t shaders[2] = {vk::shader_index("h264_residual_8"),
                                        vk::shader_index("h264_residual_high")};
    return shaders[bit_depth > 8];
}

Dispatch residual_dispatch(const SampleMap &map) {
    ResidualPush push{};
    set_planes(push, map);
    return {residual_shader(map.format.bit_depth), {}, push, vk::in_place};
}

void plan_residuals(std::span<const ResidualBatch *const> batches, const SampleMap &map,
                    Plan &plan) {
    ResidualPacker<RESIDUAL_KINDS> packer;
    for (const ResidualBatch *batch : batches)
        packer.count(*batch);
    packer.make_room(plan.arena);
    for (const ResidualBatch *batch : batches)
        packer.put(*batch, plan.arena);
    GroupDispatches dispatches(plan, residual_dispatch(map), kDispatchCost);
    each_kind(map.format.bit_depth, [&](uint kind, uint lanes, uint cost) {
        packer.add_groups(kind, lanes, cost, dispatches);
    });
}

void plan_residuals(const MacroblockBatch &macroblocks, const PictureFormat &format,
                    const Dispatch &like, Plan &plan) {
    GroupDispatches dispatches(plan, like, kDispatchCost);
    each_kind(format.bit_depth, [&](uint kind, uint lanes, uint cost) {
        add_residual_groups(macroblocks.first_record(kind), macroblocks.record_count(kind), kind,
                            lanes, cost, dispatches);
    });
}

} // namespace v3doff::h264
