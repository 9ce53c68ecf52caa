// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter.hpp"

#include <array>
#include <string>
#include <utility>

#include "h264/filter_dump.hpp"
#include "h264/filter_mbaff_pack.hpp"
#include "h264/filter_mbaff_reference.hpp"
#include "h264/filter_reference.hpp"
#include "h264/filter_strength_mbaff_reference.hpp"
#include "h264/filter_strength_plan.hpp"
#include "h264/filter_strength_reference.hpp"
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
const FilterShaders &filter_shaders(const FilterVariant &variant, bool mbaff) {
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
    const unsigned format = variant.planes == FilterVariant::chroma_444   ? 2
                            : variant.planes == FilterVariant::chroma_422 ? 1
                                                                          : 0;
    return table[format][mbaff][variant.high_depth];
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
PictureView lines_of(const PictureView &picture, const FilterArea &area) {
    PictureView lines = Lines(area.field, area.parity).of(picture);
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        PlaneView &plane = lines.plane[p];
        plane.data += ptrdiff_t(area.top * 16 >> picture.format.shift_y(p)) * plane.stride;
    }
    return lines;
}

} // namespace

bool Filter::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
}

std::vector<uint32_t> Filter::shaders(const PictureFormat &format) {
    const StrengthShaders &strengths = strength_shaders(false);
    const FilterVariant variant = filter_variant(format);
    const FilterShaders &passes = filter_shaders(variant, false);
    std::vector<uint32_t> all(passes.begin(), passes.end());
    all.push_back(strengths.one_list);
    all.push_back(strengths.two_lists);
    return all;
}

// The free part for these lines' deblocking.
Filter::Part &Filter::free_part(const FilterArea &area) {
    const bool whole = mbaff_.kind || (part_[0].kind && !part_[0].area.field);
    if (part_[area.parity].kind || whole || (!area.field && records()) || !calls_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the deblocking of these lines was already recorded");
    part_[area.parity].area = area;
    return part_[area.parity];
}

void Filter::record(const PictureFormat &format, const FilterArea &area,
                    const FilterInput *inputs) {
    Part &part = free_part(area);
    const size_t count = size_t(area.mb_width) * area.mb_height;
    if (const char *problem = check_filter(inputs, count, format.bit_depth))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("macroblocks: ") + problem);
    part.records.resize(count);
    make_records(inputs, area.mb_width, area.mb_height, part.records.data());
    if (Dump::wanted()) dump_inputs(area, inputs, inputs_);
    part.kind = Part::given;
}

// Throws INVALID_ARGUMENT if the recorded rows have other planes.
void Filter::note_planes(const StrengthInput &input) {
    if (records() && luma_only_ != input.luma_only)
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                    "arrays->flags: LUMA_ONLY must be the same in the whole picture");
    luma_only_ = input.luma_only;
}

void Filter::record(const FilterArea &area, const StrengthInput &input, uint32_t first_row,
                    uint32_t rows) {
    note_planes(input);
    Part &known = part_[area.parity];
    const bool follows = known.kind == Part::derived && known.area.field == area.field &&
                         known.area.top + known.area.mb_height == first_row;
    Part &part = follows ? known : free_part(area);
    if (!follows) {
        begin_strengths(input, first_row, part.strengths);
        part.area.top = part.strengths.top;
        part.area.above = part.strengths.above;
    }
    if (const char *problem = pack_rows(input, first_row + rows, part.strengths))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("arrays->") + problem);
    part.area.mb_height = part.strengths.rows;
    // Frames that are dumped are not cut into bands, but a field's rows may be submitted apart.
    part.whole = !part.strengths.above && part.strengths.rows == area.mb_height;
    if (Dump::wanted() && part.whole) dump_arrays(area, input, inputs_);
    part.kind = Part::derived;
}

PackedStrengths *Filter::packed(const FilterArea &area, const StrengthInput &input) {
    Part &part = part_[area.parity];
    const bool known = part.kind == Part::derived && part.area.field == area.field &&
                       !part.strengths.above && part.strengths.rows == area.mb_height;
    return known && same_arrays(part.strengths.arrays, input) ? &part.strengths : nullptr;
}

void Filter::record_mbaff(const PictureFormat &format, const FilterArea &area,
                          const MbaffInput *inputs) {
    if (records())
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the deblocking of these lines was already recorded");
    const uint32_t pairs = area.mb_height / 2;
    if (const char *problem = check_mbaff(inputs, area.mb_width, pairs, format.bit_depth))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("macroblocks: ") + problem);
    mbaff_.records.resize(size_t(area.mb_width) * area.mb_height);
    mbaff_.area = area;
    make_mbaff_records(inputs, area.mb_width, pairs, mbaff_.records.data());
    if (Dump::wanted()) dump_mbaff(inputs, mbaff_.records.size(), inputs_);
    mbaff_.kind = Part::given;
}

void Filter::record_mbaff(const FilterArea &area, const StrengthInput &input, uint32_t first_row,
                          uint32_t rows) {
    note_planes(input);
    const bool follows = mbaff_.kind == Part::derived && mbaff_.strengths.rows == first_row;
    if (!follows && records())
        throw Error(V3DOFF_ERROR_INVALID_STATE,
                    "the deblocking of these lines was already recorded");
    if (!follows) {
        if (first_row)
            throw Error(V3DOFF_ERROR_INVALID_ARGUMENT,
                        "first_row: an MBAFF frame must begin with its first row");
        begin_strengths(input, 0, mbaff_.strengths);
        mbaff_.area = area;
    }
    if (const char *problem = pack_rows(input, first_row + rows, mbaff_.strengths))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("arrays->") + problem);
    mbaff_.area.mb_height = mbaff_.strengths.rows;
    mbaff_.whole = mbaff_.strengths.rows == area.mb_height;
    if (Dump::wanted() && mbaff_.whole) dump_arrays(area, input, inputs_);
    mbaff_.kind = Part::derived;
}

void Filter::record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge) {
    if (part_[0].kind || part_[1].kind || mbaff_.kind)
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture's deblocking was already recorded");
    calls_.record(lane, picture, edge);
}

uint64_t Filter::records() const {
    return part_[0].count() + part_[1].count() + calls_.size() + mbaff_.count();
}

std::optional<RowRange> Filter::extent(const PictureFormat &) const {
    if (!calls_.empty() || mbaff_.kind) return std::nullopt;
    RowRange rows;
    for (const Part &part : part_)
        if (part.kind) {
            const unsigned lines = part.area.field ? 32 : 16;
            rows.add((part.area.top + part.area.above) * lines,
                     (part.area.top + part.area.mb_height) * lines);
        }
    return rows;
}

void Filter::clear() {
    calls_.clear();
    for (Part &part : part_)
        part.kind = Part::nothing;
    mbaff_.kind = Part::nothing;
    luma_only_ = false;
    inputs_.data().clear();
}

bool Filter::save(const PictureFormat &, DumpWriter &writer) const {
    for (const Part &part : part_)
        if (part.kind == Part::derived && !part.whole) return false;
    if (mbaff_.kind == Part::derived && !mbaff_.whole) return false;
    writer.bytes(inputs_.data().data(), inputs_.data().size());
    if (!calls_.empty()) dump_edges(calls_.in_order(), writer);
    return true;
}

void Filter::plan(const SampleMap &samples, Plan &plan) {
    SampleMap map = samples;
    if (luma_only_) map.format.chroma = V3DOFF_CHROMA_400;
    if (!can_filter(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    const FilterVariant variant = filter_variant(map.format);
    const FilterShaders &shaders = filter_shaders(variant, false);
    if (mbaff_.kind) return plan_mbaff_frame(map, plan);
    // Everything from the CPU goes into the arena first, because derived records lie behind it.
    if (!calls_.empty()) {
        if (const char *problem = calls_.resolve(map.format, resolved_))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        std::string("the loop filter's calls do not form an H.264 picture: ") +
                            problem);
        for (const FilterRecords &part : resolved_)
            plan_filter(map, part.area, part.records.data(), shaders, plan);
    }
    StrengthPush push[2];
    for (unsigned i = 0; i < 2; i++) {
        Part &part = part_[i];
        if (part.kind == Part::given)
            plan_filter(map, part.area, part.records.data(), shaders, plan);
        else if (part.kind == Part::derived)
            push[i] = part.strengths.placed ? *std::exchange(part.strengths.placed, std::nullopt)
                                            : append_strengths(part.strengths, plan);
    }
    for (unsigned i = 0; i < 2; i++) {
        const Part &part = part_[i];
        if (part.kind != Part::derived) continue;
        const uint32_t records =
            plan_strengths(part.strengths, push[i], strength_shaders(false), plan);
        plan_filter_at(map, part.area, records, shaders, plan);
    }
}

void Filter::plan_mbaff_frame(const SampleMap &map, Plan &plan) {
    const FilterVariant variant = filter_variant(map.format);
    const FilterShaders &shaders = filter_shaders(variant, true);
    const uint32_t mb_width = mbaff_.area.mb_width, pairs = mbaff_.area.mb_height / 2;
    if (mbaff_.kind == Part::given) {
        plan_mbaff(map, mb_width, pairs, mbaff_.records.data(), shaders, plan);
        return;
    }
    const StrengthPush push = append_strengths(mbaff_.strengths, plan);
    const uint32_t records = plan_strengths(mbaff_.strengths, push, strength_shaders(true), plan);
    plan_mbaff_at(map, mb_width, pairs, records, shaders, plan);
}

void Filter::run_cpu(const PictureView &samples) {
    PictureView picture = samples;
    if (luma_only_) picture.format.chroma = V3DOFF_CHROMA_400;
    calls_.run_cpu(picture);
    for (Part &part : part_) {
        if (part.kind == Part::nothing) continue;
        if (part.kind == Part::derived) {
            part.records.resize(part.count());
            derive_strengths(part.strengths, part.records.data());
        }
        filter_reference(lines_of(picture, part.area), part.records.data(), part.area.mb_width,
                         part.area.mb_height);
    }
    if (!mbaff_.kind) return;
    if (mbaff_.kind == Part::derived) {
        mbaff_.records.resize(mbaff_.count());
        derive_mbaff_strengths(mbaff_.strengths, mbaff_.records.data());
    }
    filter_mbaff_reference(picture, mbaff_.records.data(), mbaff_.area.mb_width,
                           mbaff_.area.mb_height / 2);
}

FilterArea filter_area(const PictureFormat &format, const Lines &lines) {
    FilterArea area;
    area.field = lines.field;
    area.parity = lines.parity;
    const uint32_t rows = area.field ? 32 : 16;
    area.mb_width = (format.width + 15) / 16;
    area.mb_height = (format.height + rows - 1) / rows;
    return area;
}

FilterArea mbaff_area(const PictureFormat &format) {
    FilterArea area = filter_area(format, {});
    area.mb_height = (area.mb_height + 1) / 2 * 2;
    return area;
}

bool holds(const PictureView &picture, const FilterArea &area) {
    for (unsigned p = 0; p < picture.format.planes(); p++) {
        const uint32_t width = area.mb_width * 16 >> picture.format.shift_x(p);
        const uint32_t height = area.mb_height * (area.field ? 32 : 16);
        const PlaneView &plane = picture.plane[p];
        if (plane.padded_width < width || plane.padded_height < height >> picture.format.shift_y(p))
            return false;
    }
    return true;
}

} // namespace v3doff::h264
