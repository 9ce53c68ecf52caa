// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/strength_plan.hpp"

#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {

uint32_t plan_strengths(const Macroblocks::Part &from, const StrengthShaders &shaders, Plan &plan) {
    const size_t record = from.mbaff ? sizeof(FilterMbaffMb) : sizeof(FilterMb);
    StrengthPush push{};
    push.macroblocks = from.places.macroblocks;
    push.motion = from.places.motion;
    push.tables = from.places.slice_tables;
    push.count = from.count();
    push.mb_width = from.mb_width;
    push.field = from.field;
    push.records = uint32_t(plan.reserve(from.count() * record / 4));
    plan.dispatch(from.two_lists ? shaders.two_lists : shaders.one_list,
                  {divide_up(from.count(), STRENGTH_GROUP), 1, 1}, push,
                  {vk::memory_arena, vk::memory_arena});
    return push.records;
}

} // namespace v3doff::h264
