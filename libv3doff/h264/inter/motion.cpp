// SPDX-License-Identifier: BSD-2-Clause
#include "h264/inter/motion.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/push.hpp"

namespace v3doff::h264 {
namespace {

constexpr uint8_t unit_width[MOTION_SIZES] = {16, 16, 8, 8, 4};
constexpr uint8_t unit_height[MOTION_SIZES] = {16, 8, 16, 8, 4};

// Vectors of each class, in the middle of a picture.
constexpr int16_t class_vector[MOTION_CLASSES][2] = {{0, 0}, {4, 4}, {1, 0}, {0, 1},
                                                     {1, 1}, {2, 1}, {1, 2}, {INT16_MIN, 0}};

// Returns where the words are.
uint32_t append_words(const void *from, size_t words, Plan &plan, size_t multiple = 1) {
    plan.arena.align(multiple);
    const size_t at = plan.arena.size();
    if (words) plan.arena.append(static_cast<const uint32_t *>(from), words);
    return uint32_t(at);
}

uint32_t append_zeros(size_t words, Plan &plan, size_t multiple = 1) {
    plan.arena.align(multiple);
    const size_t at = plan.arena.size();
    plan.arena.resize(at + words);
    return uint32_t(at);
}

// Full workgroups of a dispatch of inter prediction. By the upper end of the modelled time, this
// many take less than 2 ms on the device of vk/caps_costs.hpp. Weighted ones take 1.7 times as
// long.
uint32_t full_groups_together(InterMode mode) {
    return inter_weighs(mode) ? 112 : 192;
}

uint32_t groups_of(uint32_t invocations) {
    return divide_up(invocations, MOTION_LANES);
}

// The dispatch of a mode that predicts from a source, but for its workgroups.
Dispatch inter_dispatch(const SampleMap &map, const InterSource &from, InterMode mode,
                        const InterShaders &shaders) {
    const InterPlane luma(map.format, 0), chroma(map.format, 1);
    InterPush push{};
    set_planes(push, map);
    set_reference(push, from.map);
    push.last_x_0 = uint(luma.width) - 1;
    push.last_x_1 = uint(chroma.width) - 1;
    push.last_y_0 = uint(luma.height) - 1;
    push.last_y_1 = uint(chroma.height) - 1;
    push.shift_x = chroma.shift_x, push.shift_y = chroma.shift_y;
    push.chroma_down = from.chroma_down;
    const uint32_t shader = mode == InterMode::put       ? shaders.put
                            : mode == InterMode::average ? shaders.average
                                                         : shaders.weighted;
    Dispatch dispatch(shader, {}, push, vk::in_place);
    dispatch.reference = from.reference;
    return dispatch;
}

} // namespace

void Motion::begin(const PictureFormat &format, const PictureSources &from,
                   const Macroblocks::Part &macroblocks) {
    macroblocks_ = nullptr;
    tables_.make(format, from, macroblocks);
    macroblocks_ = &macroblocks;
}

uint32_t Motion::sources() const {
    uint32_t bits = 0;
    for (unsigned mode = 0; active() && mode < inter_modes; mode++)
        bits |= tables_.sources(InterMode(mode));
    return bits;
}

void Motion::make_shapes(const PictureFormat &format) {
    if (std::exchange(format_, format) == format) return;
    shapes_.fill(no_shape);
    size_t at = 0;
    for (unsigned plane = 0; plane < 3; plane++)
        for (unsigned weighted = 0; weighted < 2; weighted++)
            for (const auto &vector : class_vector)
                for (unsigned size = 0; size < MOTION_SIZES; size++, at++) {
                    if (plane >= format.planes()) continue;
                    InterPlane endless(format, plane);
                    endless.width = endless.height = 4096;
                    const InterInput block{512,
                                           512,
                                           unit_width[size],
                                           unit_height[size],
                                           {0, -1},
                                           0,
                                           {{vector[0], vector[1]}, {}}};
                    const uint kind = inter_kind(endless, endless.place(block, 0), block,
                                                 weighted ? InterMode::weighted : InterMode::put,
                                                 format.bit_depth);
                    const uint samples_log2 = inter_samples_log2(kind, format.bit_depth);
                    uint lanes = 0;
                    while (unit_width[size] >> endless.shift_x >> samples_log2 >> (lanes + 1))
                        lanes++;
                    shapes_[at] = pack(kind, INTER_GROUP_KIND) |
                                  pack(lanes, INTER_GROUP_LANES_LOG2) |
                                  pack(samples_log2, INTER_GROUP_SAMPLES_LOG2) |
                                  pack(plane, INTER_GROUP_PLANE);
                }
}

// First predictions before those that are combined with them.
void Motion::find_keys() {
    keys_.clear();
    for (unsigned mode = 0; mode < inter_modes; mode++)
        for (uint32_t source = 0; source < MOTION_SOURCES; source++)
            if (tables_.sources(InterMode(mode)) >> source & 1)
                keys_.push_back({InterMode(mode), source, 0,
                                 most_groups(tables_.parts(InterMode(mode), source))});
}

// The workgroups of one key, if all of its parts have the most invocations, and in each bucket one
// workgroup is not full.
Motion::MostGroups Motion::most_groups(const MotionTables::Parts &parts) const {
    MostGroups most;
    constexpr size_t rows = 2 * MOTION_CLASSES;
    for (unsigned plane = 0; plane < format_.planes(); plane++) {
        uint32_t whole = 0, block = 0; // invocations of a macroblock, and of an 8x8 block
        for (size_t row = 0; row < rows; row++) {
            const uint32_t *const shape = &shapes_[(plane * rows + row) * MOTION_SIZES];
            const auto lanes = [&](unsigned size) {
                return 1u << unpack(shape[size], INTER_GROUP_LANES_LOG2);
            };
            whole = std::max(whole, lanes(0));
            block = std::max({block, lanes(1) / 2, lanes(2) / 2, lanes(3), lanes(4) * 4});
        }
        most.full += (parts.macroblocks * whole + parts.blocks * block) / INTER_LANES;
        most.others += std::min(MOTION_BUCKETS, parts.macroblocks + 4 * parts.blocks);
    }
    return most;
}

void Motion::append_tables(MotionPush &push, Plan &plan) const {
    const auto &indices = macroblocks_->indices;
    const auto append = [&](const auto &words, size_t bytes) {
        return append_words(words.data(), bytes / 4, plan);
    };
    // What is not there is read, and not used.
    const auto &first = indices[0].empty() ? indices[1] : indices[0];
    push.indices_0 = push.indices_1 = append(first, 4 * first.size());
    if (macroblocks_->two_lists && !indices[0].empty())
        push.indices_1 = append(indices[1], 4 * indices[1].size());
    const auto numbers = tables_.numbers();
    push.slices = numbers.empty() ? 0 : append(numbers, numbers.size_bytes());
    push.tables = append(tables_.tables(), tables_.tables().size_bytes());
    const auto weights = tables_.weight_records();
    push.weights = append_words(weights.data(), weights.size_bytes() / 4, plan, 2);
    push.shapes = append_words(shapes_.data(), shapes_.size(), plan);
}

void Motion::append_keys(MotionPush &push, Plan &plan) {
    std::array<uint32_t, MOTION_MODES * MOTION_SOURCES> lookup;
    lookup.fill(UINT32_MAX);
    push.key_count = uint32_t(keys_.size());
    push.keys = append_zeros(keys_.size() * sizeof(MotionKey) / 4, plan);
    for (uint32_t i = 0; i < keys_.size(); i++) {
        Key &key = keys_[i];
        lookup[size_t(key.mode) * MOTION_SOURCES + key.source] = i;
        key.groups = append_zeros(key.most.all() * sizeof(WorkGroup) / 4, plan, 2);
        const MotionKey record{key.groups, 0, inter_weighs(key.mode), 0};
        std::memcpy(&plan.arena[push.keys + i * sizeof record / 4], &record, sizeof record);
    }
    push.lookup = append_words(lookup.data(), lookup.size(), plan);
    push.buckets = append_zeros(keys_.size() * MOTION_BUCKETS, plan);
    push.placed = append_zeros(1, plan);
    push.records = append_zeros(0, plan, 4);
    const size_t records = macroblocks_->motion_words * sizeof(InterRecord) / 4;
    push.unsorted = uint32_t(push.records + records);
    plan.arena.grow(push.unsorted + records);
}

void Motion::plan_sort(const PictureFormat &format, const MotionShaders &shaders, Plan &plan) {
    make_shapes(format);
    find_keys();
    const Macroblocks::Part &from = *macroblocks_;
    MotionPush push{};
    push.macroblocks = from.places.macroblocks, push.vectors = from.places.motion;
    push.count = from.count(), push.lists = from.two_lists ? 2 : 1;
    push.mb_width = from.mb_width, push.mb_height = from.rows;
    push.pairs = from.mbaff;
    append_tables(push, plan);
    append_keys(push, plan);
    const vk::Access access{vk::memory_arena, vk::memory_arena};
    const std::array<uint32_t, 3> by_macroblock{groups_of(push.count * push.lists), 1, 1};
    plan.dispatch(shaders.count, by_macroblock, push, access).by_area = true;
    plan.dispatch(shaders.groups, {groups_of(push.key_count * MOTION_BUCKETS), 1, 1}, push, access);
    plan.dispatch(shaders.place, by_macroblock, push, access).by_area = true;
}

void Motion::plan_prediction(const SampleMap &map, std::span<const InterSource> sources,
                             const InterShaders &shaders, Plan &plan) const {
    for (size_t i = 0; i < keys_.size(); i++) {
        const Key &key = keys_[i];
        Dispatch dispatch = inter_dispatch(map, sources[key.source], key.mode, shaders);
        dispatch.follows = i && inter_second(key.mode) == inter_second(keys_[i - 1].mode);
        // Those that may be full are what takes time. No dispatch takes long on a discrete GPU.
        const uint32_t pieces =
            plan.is_discrete ? 1 : key.most.full / full_groups_together(key.mode) + 1;
        const uint32_t all = key.most.all(), together = divide_up(all, pieces);
        for (uint32_t first = 0; first < all; first += together) {
            dispatch.groups = {std::min(together, all - first), 1, 1};
            dispatch.push[0] = key.groups + first * uint32_t(sizeof(WorkGroup) / 4);
            plan.add(dispatch);
            dispatch.follows = true;
        }
    }
}

std::vector<InterInput> Motion::blocks() const {
    std::vector<InterInput> blocks;
    const MacroblockTable &table = *macroblocks_;
    for (uint32_t at = 0; at < table.count(); at++) {
        const MacroblockView mb(table, at);
        const bool is_field = mb.is(MB_FIELD);
        const uint32_t column = (at >> int(table.mbaff)) % table.mb_width;
        const uint32_t row = table.row_of(at), lower = row & unsigned(is_field);
        const MacroblockLines lines(row, is_field, 16);
        const MotionUnit unit = motion_unit(is_field, lower);
        const unsigned side = mb.is(MB_MOTION_4X4) ? 4 : mb.is(MB_MOTION_8X8) ? 8 : 16;
        for (unsigned i = 0; i < 256 / (side * side); i++) {
            const unsigned x = i * side % 16, y = i * side / 16 * side;
            InterInput block{uint16_t(column * 16 + x),
                             uint16_t(lines.first / lines.step + y),
                             uint8_t(side),
                             uint8_t(side),
                             {-1, -1},
                             0,
                             {}};
            block.field = is_field;
            block.parity = uint8_t(lower);
            int index[2] = {-1, -1};
            for (unsigned list = 0; list < 2; list++) {
                if (mb.reference(list, x / 4, y / 4) == 255) continue;
                index[list] = int(table.indices[list][at] >> (8 * (y / 8 * 2 + x / 8)) & 31);
                const auto vector = mb.motion(list, x / 4, y / 4);
                block.vector[list][0] = int16_t(vector.x);
                block.vector[list][1] = int16_t(vector.y);
                block.reference[list] = int8_t(tables_.source(at, unit, list, index[list]));
                block.reference_parity[list] = uint8_t(lower ^ (unsigned(index[list]) & 1));
            }
            if (index[0] < 0 && index[1] < 0) continue; // intra
            block.weights = tables_.weights(at, unit, index[0], index[1]);
            blocks.push_back(block);
        }
    }
    return blocks;
}

} // namespace v3doff::h264
