// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/filter.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "h264/dump_format.hpp"
#include "h264/filter/pack.hpp"
#include "h264/filter/reference.hpp"
#include "h264/filter/strengths.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

// Names that differ only in the format's part. Monochrome is 4:2:0 without work for chroma.
FilterShaders find_shaders(const std::string &prefix, const std::string &format,
                           const std::string &last_format) {
    const auto index = [&](const char *pass, const std::string &name) {
        return vk::shader_index(prefix + pass + name);
    };
    return {index("strip_vertical", format), index("strip_horizontal", format),
            index("vertical", format), index("horizontal", last_format)};
}

// Looked up only once, so that a submit allocates nothing.
const FilterShaders &filter_shaders(const PictureFormat &of, bool mbaff) {
    const auto depths = [](const std::string &format, const std::string &last_format) {
        std::array<std::array<FilterShaders, 2>, 2> found; // [MBAFF][high depth]
        for (unsigned high = 0; high < 2; high++) {
            const std::string depth = high ? "_high" : "_8";
            // Without MBAFF the last pass has no chroma.
            found[0][high] = find_shaders("h264_filter_", format + depth, last_format + depth);
            found[1][high] = find_shaders("h264_filter_mbaff_", format + depth, format + depth);
        }
        return found;
    };
    static const std::array table = {depths("_420", "_420"), depths("_422", "_420"),
                                     depths("_444", "_444")};
    const unsigned format = of.chroma == V3DOFF_CHROMA_444   ? 2
                            : of.chroma == V3DOFF_CHROMA_422 ? 1
                                                             : 0;
    return table[format][mbaff][of.bit_depth > 8];
}

const StrengthShaders &strength_shaders(bool mbaff) {
    static const StrengthShaders shaders[2] = {
        {vk::shader_index("h264_filter_strength_one_list"),
         vk::shader_index("h264_filter_strength_two_lists")},
        {vk::shader_index("h264_filter_strength_mbaff_one_list"),
         vk::shader_index("h264_filter_strength_mbaff_two_lists")}};
    return shaders[mbaff];
}

// The samples of the area's lines as a picture of their own.
PictureView lines_of(const PictureView &picture, const MacroblockArea &area) {
    PictureView lines = Lines(area.field, area.parity).of(picture);
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        PlaneView &plane = lines.plane[p];
        plane.data += ptrdiff_t(area.top * 16 >> picture.format.shift_y(p)) * plane.stride;
    }
    return lines;
}

void dump_inputs(const MacroblockArea &area, const FilterInput *inputs, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_deblock);
    writer.value(uint32_t(Lines(area.field, area.parity).structure()));
    writer.bytes(inputs, size_t(area.mb_width) * area.mb_height * sizeof *inputs);
    writer.end_chunk();
}

void dump_mbaff(const MbaffInput *inputs, size_t count, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_deblock_mbaff);
    writer.bytes(inputs, count * sizeof *inputs);
    writer.end_chunk();
}

void dump_edges(const std::vector<PlacedEdge> &edges, DumpWriter &writer) {
    writer.begin_chunk(dump::h264_edges);
    for (const PlacedEdge &edge : edges) {
        const EdgeCall &call = edge.call;
        dump::EdgeItem item{edge.plane,        edge.x,      edge.y,
                            edge.between_rows, edge.field,  call.alpha,
                            call.beta,         {},          uint8_t(call.lines()),
                            call.chroma_style, call.strong, 0};
        std::copy_n(call.tc0, 4, item.tc0);
        writer.value(item);
    }
    writer.end_chunk();
}

} // namespace

bool Filter::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
}

std::vector<uint32_t> Filter::shaders(const PictureFormat &format, bool mbaff) {
    const FilterShaders &passes = filter_shaders(format, mbaff);
    const StrengthShaders &strengths = strength_shaders(mbaff);
    std::vector<uint32_t> all = mbaff ? shaders(format, false) : std::vector<uint32_t>();
    all.insert(all.end(), passes.begin(), passes.end());
    all.insert(all.end(), {strengths.one_list, strengths.two_lists});
    return all;
}

void Filter::check_free(const MacroblockArea &area, bool luma_only) const {
    const bool frame_is_known = part_[0].used() && !part_[0].area.field;
    const Part &own = part_[area.parity], &other = part_[!area.parity];
    if (own.given || (area.field ? frame_is_known && &own != &part_[0] : other.used()) ||
        (own.derived && own.area.field != area.field) || !calls_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the deblocking of these lines was already recorded");
    if (records() && luma_only_ != luma_only)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "arrays->flags: LUMA_ONLY must be the same in the whole picture");
}

// The free part for these lines' deblocking.
Filter::Part &Filter::free_part(const MacroblockArea &area) {
    check_free(area, luma_only_);
    Part &part = part_[area.parity];
    if (part.derived)
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the deblocking of these lines was already recorded");
    part.area = area;
    return part;
}

void Filter::record(const PictureFormat &format, const MacroblockArea &area,
                    const FilterInput *inputs) {
    Part &part = free_part(area);
    if (const char *problem = check_filter(inputs, area.count(), format.bit_depth))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("macroblocks: ") + problem);
    part.records.resize(area.count());
    make_records(inputs, area.mb_width, area.mb_height, part.records.data());
    if (Dump::wanted()) dump_inputs(area, inputs, inputs_);
    part.mbaff = false;
    part.given = true;
}

void Filter::record(const PictureFormat &format, const MacroblockArea &area,
                    const MbaffInput *inputs) {
    Part &part = free_part(area);
    const uint32_t pairs = area.mb_height / 2;
    if (const char *problem = check_mbaff(inputs, area.mb_width, pairs, format.bit_depth))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("macroblocks: ") + problem);
    part.mbaff_records.resize(area.count());
    make_mbaff_records(inputs, area.mb_width, pairs, part.mbaff_records.data());
    if (Dump::wanted()) dump_mbaff(inputs, area.count(), inputs_);
    part.mbaff = true;
    part.given = true;
}

void Filter::derive(const Macroblocks::Part &from) {
    Part &part = part_[from.area.parity];
    part.derived = &from;
    part.mbaff = from.mbaff;
    part.area = from.area;
    luma_only_ = from.luma_only;
}

void Filter::record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge) {
    if (part_[0].used() || part_[1].used())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture's deblocking was already recorded");
    calls_.record(lane, picture, edge);
}

uint64_t Filter::records() const {
    return part_[0].count() + part_[1].count() + calls_.size();
}

std::optional<RowRange> Filter::extent(const PictureFormat &) const {
    if (!calls_.empty()) return std::nullopt;
    RowRange rows;
    for (const Part &part : part_) {
        if (!part.used()) continue;
        if (part.mbaff) return std::nullopt;
        const uint32_t lines = part.area.lines_of_row();
        rows.add((part.area.top + part.area.above) * lines,
                 (part.area.top + part.area.mb_height) * lines);
    }
    return rows;
}

void Filter::clear() {
    calls_.clear();
    for (Part &part : part_) {
        part.given = false;
        part.derived = nullptr;
    }
    luma_only_ = false;
    inputs_.data().clear();
}

// What is derived is saved with the macroblocks.
bool Filter::save(const PictureFormat &, DumpWriter &writer) const {
    writer.bytes(inputs_.data().data(), inputs_.data().size());
    if (!calls_.empty()) dump_edges(calls_.in_order(), writer);
    return true;
}

void Filter::plan(const SampleMap &samples, Plan &plan) {
    SampleMap map = samples;
    if (luma_only_) map.format.chroma = V3DOFF_CHROMA_400;
    if (!can_filter(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    // Everything from the CPU goes into the arena first, because derived records lie behind it.
    if (!calls_.empty()) {
        if (const char *problem = resolve_edges(calls_.in_order(), map.format, resolved_))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        std::string("the loop filter's calls do not form an H.264 picture: ") +
                            problem);
        for (const FilterRecords &part : resolved_)
            plan_filter(map, part.area, append_records(part.records, plan),
                        filter_shaders(map.format, false), plan);
    }
    const auto plan_passes = [&](const Part &part, uint32_t records) {
        (part.mbaff ? plan_mbaff : plan_filter)(map, part.area, records,
                                                filter_shaders(map.format, part.mbaff), plan);
    };
    for (const Part &part : part_)
        if (part.given)
            plan_passes(part, part.mbaff ? append_records(part.mbaff_records, plan)
                                         : append_records(part.records, plan));
    for (const Part &part : part_)
        if (part.derived)
            plan_passes(part, plan_strengths(*part.derived, strength_shaders(part.mbaff), plan));
}

void Filter::filter_on_cpu(Part &part, const PictureView &picture) const {
    if (!part.used()) return;
    if (part.mbaff) {
        part.mbaff_records.resize(part.count());
        if (part.derived) derive_mbaff_strengths(*part.derived, part.mbaff_records.data());
        filter_mbaff_reference(picture, part.mbaff_records.data(), part.area.mb_width,
                               part.area.mb_height / 2);
        return;
    }
    part.records.resize(part.count());
    if (part.derived) derive_strengths(*part.derived, part.records.data());
    filter_reference(lines_of(picture, part.area), part.records.data(), part.area.mb_width,
                     part.area.mb_height);
}

void Filter::run_cpu(const PictureView &samples) {
    PictureView picture = samples;
    if (luma_only_) picture.format.chroma = V3DOFF_CHROMA_400;
    calls_.run_cpu(picture);
    for (Part &part : part_)
        filter_on_cpu(part, picture);
}

} // namespace v3doff::h264
