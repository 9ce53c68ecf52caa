// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter_strength_plan.hpp"

#include "records/h264_filter.h"
#include "records/h264_filter_mbaff.h"

namespace v3doff::h264 {
namespace {

template <typename T>
uint32_t append(const T *from, size_t count, Plan &plan) {
    plan.arena.align(4);
    const size_t at = plan.arena.size();
    const auto *const words = reinterpret_cast<const uint32_t *>(from);
    plan.arena.append(words, count * sizeof(T) / 4);
    return uint32_t(at);
}

} // namespace

StrengthPush append_strengths(const PackedStrengths &packed, Plan &plan) {
    StrengthPush push{};
    push.macroblocks = append(packed.macroblocks.data(), packed.count(), plan);
    push.motion = append(packed.motion.data(), packed.motion_words, plan);
    // Behind the vectors: a block without motion may read a few words on.
    push.tables = append(packed.tables.words().data(), packed.tables.words().size(), plan);
    // A picture without a slice has nothing to filter and no table, but one is looked for.
    if (packed.tables.words().empty()) plan.arena.resize(plan.arena.size() + STRENGTH_TABLE_WORDS);
    push.count = packed.count();
    push.mb_width = packed.mb_width;
    push.field = packed.field;
    return push;
}

uint32_t plan_strengths(const PackedStrengths &packed, StrengthPush push,
                        const StrengthShaders &shaders, Plan &plan) {
    const size_t record = packed.mbaff ? sizeof(FilterMbaffMb) : sizeof(FilterMb);
    push.records = uint32_t(plan.reserve(packed.count() * record / 4));
    const uint32_t shader = packed.two_lists ? shaders.two_lists : shaders.one_list;
    plan.dispatch(shader, {(packed.count() + STRENGTH_GROUP - 1) / STRENGTH_GROUP, 1, 1}, push,
                  {vk::memory_arena, vk::memory_arena});
    return push.records;
}

} // namespace v3doff::h264
