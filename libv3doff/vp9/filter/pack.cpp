// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/pack.hpp"

#include <algorithm>

#include "util/divide.hpp"

namespace v3doff::vp9 {
namespace {

// The number of cut passes if all lines of the picture have cuts, or it has no strips.
uint32_t least_cut_dispatches(const FilterInput &input) {
    return input.cols() == 1 ? 2 : input.rows() == 1 ? 3 : 4;
}

FilterPush push_of(const FilterInput &input, const SampleMap &map, uint32_t lines) {
    const PictureFormat &format = input.format;
    const FilterArea area = filter_area(format, 0);
    const FilterSharpness sharpness(input.sharpness);
    const unsigned last = format.planes() - 1;
    FilterPush push{};
    const auto offset = [&](unsigned plane) { // a band's first row is not the picture's
        const uint32_t row = input.top * 64 >> format.shift_y(plane);
        return map.offset_words[plane] + row * map.stride_words[plane];
    };
    push.plane_offset_0 = offset(0);
    push.plane_offset_1 = offset(1);
    push.plane_offset_2 = offset(2);
    push.plane_stride_0 = map.stride_words[0];
    push.plane_stride_1 = map.stride_words[1];
    push.width = area.width;
    push.height = area.height;
    push.cols = input.cols();
    push.rows = input.rows();
    push.lines = lines;
    push.superblock_lines = lines_of_superblock(format);
    if (format.shift_x(last)) push.format |= FILTER_FORMAT_SHIFT_X;
    if (format.shift_y(last)) push.format |= FILTER_FORMAT_SHIFT_Y;
    if (filter_mask_set(format, last)) push.format |= FILTER_FORMAT_OWN_MARKS;
    push.limit_shift = sharpness.shift;
    push.limit_cap = sharpness.cap;
    push.row_phases = 1;
    return push;
}

} // namespace

// What one picture is planned for.
struct FilterPlanner::Target {
    const PictureFormat &format;
    const FilterShaders &shaders;
    Plan &plan;
    FilterPush push;

    uint32_t planes() const { return format.planes(); }
    unsigned shift_y() const { return format.shift_y(planes() - 1); }
    unsigned shift_x() const { return format.shift_x(planes() - 1); }
    // For cut passes, which keep strips in scratch memory.
    void dispatch_cut(uint32_t shader, std::array<uint32_t, 3> groups, const FilterPush &of_pass) {
        constexpr int touches = vk::memory_samples | vk::memory_scratch;
        plan.dispatch(shader, groups, of_pass, {touches | vk::memory_arena, touches}).by_area =
            true;
    }
};

FilterOrder decide_order(const FilterChoice &choice, uint32_t wave_dispatches,
                         uint32_t cut_dispatches) {
    if (choice.order != FilterOrder::fewest) return choice.order;
    const bool few = cut_dispatches * 100 <= wave_dispatches * choice.cut_percent ||
                     cut_dispatches <= choice.cheap_cuts;
    return few ? FilterOrder::cuts : FilterOrder::wave;
}

bool FilterPlanner::pack(const FilterInput &input, Target &target) {
    const unsigned count = lines_of_superblock(input.format);
    const uint32_t rows = input.rows(), cols = input.cols();
    const bool own_marks = target.push.format & FILTER_FORMAT_OWN_MARKS;
    const size_t first = size_t(target.push.lines) * 4;
    target.plan.arena.resize(first);
    target.plan.arena.grow(first + size_t(rows) * cols * count * sizeof(FilterLine) / 4);
    for (unsigned set = 0; set < 2; set++)
        cuts_[set].resize(set && !own_marks ? 0 : size_t(rows) * (cols - 1));
    columns_.assign(cols, ColumnRows{});
    auto *lines = reinterpret_cast<FilterLine *>(target.plan.arena.data() + first);
    FilterMemo &memo = FilterMemo::of_thread();
    bool any = false;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t col = 0; col < cols; col++, lines += count) {
            StripCuts cuts[2];
            any |= memo.pack(input, row, col, count, lines, cuts, columns_[col].last_rows,
                             target.push.row_phases);
            const size_t strip = size_t(row) * (cols - 1) + col;
            if (col + 1 == cols) continue;
            cuts_[0][strip] = cuts[0];
            if (own_marks) cuts_[1][strip] = cuts[1];
        }
    }
    return any;
}

void FilterPlanner::plan_wave_dispatches(const FilterWave &wave, Target &target) const {
    // Invocations that one chroma plane keeps busy, in its fuller phase.
    const uint32_t lanes = wave.group_rows * (16 >> std::min(target.shift_x(), target.shift_y()));
    const bool paired = target.planes() == 3 && 2 * lanes <= FILTER_LANES;
    FilterPush push = target.push;
    if (paired) push.format |= FILTER_FORMAT_PAIRED;
    push.wave_rows = wave.group_rows;
    push.wave_steps = wave.steps;
    push.wave_lag = wave.lag;
    for (uint32_t dispatch = 0; dispatch < wave.dispatches; dispatch++) {
        push.wave_col = dispatch * wave.steps;
        target.plan.dispatch(target.shaders.wave, {wave.groups, paired ? 2 : target.planes(), 1},
                             push, vk::in_place);
    }
}

void FilterPlanner::plan_tasks(CutPasses::Kind kind, uint32_t level, Target &target) const {
    if (!passes_.count(kind, level)) return;
    uint32_t at[2], count[2];
    ArenaWords &arena = target.plan.arena;
    for (unsigned set = 0; set < 2; set++) {
        const StripTasks &tasks = passes_.tasks(kind, set);
        at[set] = uint32_t(arena.size());
        count[set] = tasks.count(level);
        if (count[set]) arena.append(tasks.words(level), count[set]);
    }
    FilterPush push = target.push;
    push.tasks_0 = at[0];
    push.tasks_1 = at[1];
    push.task_count_0 = count[0];
    push.task_count_1 = count[1];
    uint32_t groups = divide_up(std::max(count[0], count[1]), FILTER_LANES / 2);
    if (kind == CutPasses::first_tasks) // a lane for 4 rows
        groups = std::max(divide_up(count[0], FILTER_LANES / 16),
                          divide_up(count[1], FILTER_LANES / (16 >> target.shift_y())));
    target.dispatch_cut(kind == CutPasses::first_tasks ? target.shaders.strips
                                                       : target.shaders.strip_tops,
                        {groups, target.planes(), 1}, push);
}

void FilterPlanner::plan_cut_dispatches(bool phased_rows, Target &target) const {
    FilterPush push = target.push;
    const uint32_t planes = target.planes(), slots = push.rows * (push.cols - 1);
    const size_t row_words = target.format.bit_depth > 8 ? 4 : 2;
    const size_t slot_rows = 72 + (planes == 3 ? 2 * (8 + (64 >> target.shift_y())) : 0);
    target.plan.scratch_words = std::max(target.plan.scratch_words, slots * slot_rows * row_words);
    for (uint32_t level = 1; level <= passes_.levels(); level++) {
        plan_tasks(CutPasses::first_tasks, level, target);
        plan_tasks(CutPasses::second_tasks, level, target);
    }
    target.dispatch_cut(target.shaders.columns,
                        {divide_up(push.height / 4, FILTER_LANES), push.cols, planes}, push);
    // Phased, a workgroup of the last pass has an invocation for each row of superblocks.
    push.row_units = FILTER_LANES / (phased_rows ? std::min(push.rows, FILTER_LANES) : 1);
    push.row_units_inverse = divide_up(65536, push.row_units);
    push.row_groups = divide_up(14 * push.cols + 2, push.row_units);
    const uint32_t copies = divide_up(slots * 16, FILTER_LANES);
    target.dispatch_cut(phased_rows ? target.shaders.rows_phased : target.shaders.rows,
                        {push.row_groups + copies, planes, 1}, push);
}

void FilterPlanner::plan(const FilterInput &input, const SampleMap &map,
                         const FilterShaders &shaders, const FilterChoice &choice, Plan &plan) {
    const size_t start = plan.arena.size();
    Target target{input.format, shaders, plan, push_of(input, map, uint32_t(start + 3) / 4)};
    if (!pack(input, target)) {
        plan.arena.resize(start);
        return;
    }
    const FilterWave wave = plan_wave(input.rows(), input.cols());
    FilterOrder order = decide_order(choice, wave.dispatches, least_cut_dispatches(input));
    if (order == FilterOrder::cuts) {
        passes_.plan(input.rows(), input.cols(), cuts_);
        order = decide_order(choice, wave.dispatches, passes_.dispatches());
    }
    if (order == FilterOrder::cuts)
        plan_cut_dispatches(choice.phased_rows, target);
    else
        plan_wave_dispatches(wave, target);
    for (unsigned plane = 0; plane < target.planes(); plane++) {
        const uint32_t rows = 64 >> input.format.shift_y(plane), top = input.top * rows;
        plan.rows[plane].add(input.filtered_above ? top + rows - 8 : top,
                             top + ((filter_area(input.format, plane).height + 7) & ~7u));
    }
}

bool filter_fits(const SampleMap &map) {
    uint32_t bits = 0;
    for (unsigned plane = 0; plane < map.format.planes(); plane++)
        bits |= map.offset_words[plane] | map.stride_words[plane];
    const bool three = map.format.planes() == 3;
    return bits % 4 == 0 && (!three || map.stride_words[1] == map.stride_words[2]);
}

} // namespace v3doff::vp9
