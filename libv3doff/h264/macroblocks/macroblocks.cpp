// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/macroblocks.hpp"

#include <array>
#include <string>

#include "h264/dump_format.hpp"
#include "util/error.hpp"

namespace v3doff::h264 {
namespace {

template <typename T>
uint32_t append(const T *from, size_t count, Plan &plan) {
    plan.arena.align(4);
    const size_t at = plan.arena.size();
    plan.arena.append(reinterpret_cast<const uint32_t *>(from), count * sizeof(T) / 4);
    return uint32_t(at);
}

// Whether the macroblock exists and uses the list. Otherwise its memory may hold anything.
bool uses(const Arrays &input, size_t at, unsigned list) {
    const uint32_t type = input.mb_type[at];
    return input.slice_table[at] != no_slice && !(type & mb_intra) &&
           type & (list ? mb_uses_list_1 : mb_uses_list_0);
}

template <typename Visit>
void each_macroblock(const Arrays &input, Visit visit) {
    for (uint32_t y = 0; y < input.mb_height; y++)
        for (uint32_t x = 0; x < input.mb_width; x++)
            visit(y * input.mb_stride + x);
}

std::array<uint32_t, 2> used_lists(const Arrays &input) {
    std::array<uint32_t, 2> used{};
    each_macroblock(input, [&](size_t at) {
        for (unsigned list = 0; list < 2; list++)
            used[list] |= input.motion[list] && input.reference[list] && uses(input, at, list);
    });
    return used;
}

void dump_motion(const Arrays &input, unsigned list, DumpWriter &writer) {
    static constexpr int16_t still[4][2] = {};
    for (uint32_t y = 0; y < input.mb_height * 4; y++)
        for (uint32_t x = 0; x < input.mb_width; x++) {
            const size_t at = y / 4 * input.mb_stride + x;
            const size_t first = y / 4 * input.motion_mb_stride + y % 4 * input.motion_stride;
            writer.bytes(uses(input, at, list) ? input.motion[list] + first + 4 * size_t(x) : still,
                         sizeof still);
        }
    each_macroblock(input, [&](size_t at) {
        static constexpr int8_t none[4] = {-1, -1, -1, -1};
        writer.bytes(uses(input, at, list) ? input.reference[list] + 4 * at : none, sizeof none);
    });
}

// Writes arrays that were accepted.
void dump_arrays(const MacroblockArea &area, const Arrays &input, DumpWriter &writer) {
    const std::array<uint32_t, 2> has = used_lists(input);
    writer.begin_chunk(dump::h264_arrays);
    uint32_t flags = 0;
    if (input.field && !area.field) flags |= V3DOFF_H264_ARRAYS_FIELD;
    if (input.mbaff) flags |= V3DOFF_H264_ARRAYS_MBAFF;
    if (input.luma_only) flags |= V3DOFF_H264_ARRAYS_LUMA_ONLY;
    if (!input.filtered) flags |= V3DOFF_H264_ARRAYS_UNFILTERED;
    writer.value(dump::ArraysHeader{uint32_t(Lines(area.field, area.parity).structure()),
                                    flags,
                                    input.mb_width,
                                    input.mb_height,
                                    uint32_t(input.slice_count),
                                    input.filtered && input.cbp,
                                    {has[0], has[1]}});
    if (input.filtered) writer.bytes(input.slices, input.slice_count * sizeof input.slices[0]);
    if (input.filtered && input.mbaff)
        writer.bytes(input.field_pictures, input.slice_count * sizeof input.field_pictures[0]);
    each_macroblock(input, [&](size_t at) { writer.value(input.mb_type[at]); });
    each_macroblock(input, [&](size_t at) { writer.value(input.slice_table[at]); });
    if (input.filtered) {
        each_macroblock(input, [&](size_t at) { writer.value(input.qp[at]); });
        each_macroblock(input, [&](size_t at) { writer.bytes(input.non_zero_count[at], 16); });
        if (input.cbp) each_macroblock(input, [&](size_t at) { writer.value(input.cbp[at]); });
    }
    for (unsigned list = 0; list < 2; list++)
        if (has[list]) dump_motion(input, list, writer);
    writer.end_chunk();
}

} // namespace

Macroblocks::Part *Macroblocks::of(const Lines &lines) {
    Part &part = part_[lines.parity];
    return part.known && part.area.field == lines.field ? &part : nullptr;
}

Macroblocks::Part &Macroblocks::record(const MacroblockArea &all, const Arrays &input,
                                       uint32_t first_row, uint32_t rows) {
    Part &part = part_[all.parity];
    const bool follows = part.known && part.area.field == all.field && part.mbaff == input.mbaff &&
                         part.top + part.rows == first_row;
    const Part &other = part_[!all.parity];
    if (!follows && (part.known || (other.known && !(other.area.field && all.field))))
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "these macroblocks do not follow those that were recorded");
    if (follows && part.filtered != input.filtered)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "arrays->flags: UNFILTERED must be the same in the whole picture");
    if (!follows) {
        if (input.mbaff && first_row)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                        "first_row: an MBAFF frame must begin with its first row");
        part.begin(input, first_row);
    }
    if (const char *problem = part.add_rows(input, first_row + rows))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("arrays->") + problem);
    part.known = true;
    part.area = all;
    part.area.top = part.top;
    part.area.above = part.above;
    part.area.mb_height = part.rows;
    // Frames that are dumped are not cut into bands, but a field's rows may be submitted apart.
    part.whole = !part.above && part.rows == all.mb_height;
    if (Dump::wanted() && part.whole) dump_arrays(all, input, arrays_);
    return part;
}

void Macroblocks::clear() {
    for (Part &part : part_)
        part.known = false;
    arrays_.data().clear();
}

void Macroblocks::plan(const SampleMap &, Plan &plan) {
    for (Part &part : part_) {
        if (!part.known) continue;
        part.places.macroblocks = append(part.macroblocks.data(), part.count(), plan);
        part.places.motion = append(part.motion.data(), part.motion_words, plan);
        // Behind the vectors: a block without motion may read a few words on.
        const auto &tables = part.tables.words();
        part.places.slice_tables = append(tables.data(), tables.size(), plan);
        // A picture without a slice has nothing to filter and no table, but one is looked for.
        if (tables.empty()) plan.arena.resize(plan.arena.size() + SLICE_TABLE_WORDS);
    }
}

bool Macroblocks::save(const PictureFormat &, DumpWriter &writer) const {
    for (const Part &part : part_)
        if (part.known && !part.whole) return false;
    writer.bytes(arrays_.data().data(), arrays_.data().size());
    return true;
}

} // namespace v3doff::h264
