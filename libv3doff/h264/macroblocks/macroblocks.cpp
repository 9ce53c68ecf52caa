// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/macroblocks.hpp"

#include <string>

#include "h264/macroblocks/dump.hpp"
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
