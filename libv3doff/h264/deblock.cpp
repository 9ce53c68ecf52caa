// SPDX-License-Identifier: BSD-2-Clause
#include "h264/deblock.hpp"

#include <array>
#include <string>

#include "h264/deblock_reference.hpp"
#include "util/error.hpp"
#include "vk/shaders.hpp"

namespace v3doff::h264 {
namespace {

// Found once: nothing is allocated at a submit.
const DeblockShaders &shaders_of(const DeblockVariant &variant) {
    const auto shaders = [](const std::string &planes, const char *last, const char *depth) {
        const auto index = [&](const char *pass, const std::string &kind) {
            return vk::shader_index(std::string("h264_deblock_") + pass + kind + depth);
        };
        return DeblockShaders{index("strip_vertical", planes), index("strip_horizontal", planes),
                              index("vertical", planes), index("horizontal", last)};
    };
    const auto depths = [&](const char *planes, const char *last) {
        return std::array{shaders(planes, last, "_8"), shaders(planes, last, "_high")};
    };
    // Monochrome is 4:2:0 without work for chroma.
    static const std::array table = {depths("_420", "_420"), depths("_422", "_420"),
                                     depths("_444", "_444")};
    return table[variant.planes == DeblockVariant::chroma_444   ? 2
                 : variant.planes == DeblockVariant::chroma_422 ? 1
                                                                : 0][variant.high_depth];
}

// The samples of the area's lines as a picture of their own.
PictureView lines_of(const PictureView &picture, const DeblockArea &area) {
    PictureView lines = picture;
    for (PlaneView &plane : lines.plane) {
        if (!area.field) continue;
        plane.data += ptrdiff_t(area.parity) * plane.stride;
        plane.stride *= 2;
    }
    return lines;
}

} // namespace

bool Deblock::supports(const PictureFormat &format) {
    return format.bit_depth >= 8 && format.bit_depth <= 14 && format.chroma != V3DOFF_CHROMA_440;
}

void Deblock::record(const PictureFormat &format, const DeblockArea &area,
                     const DeblockInput *inputs) {
    Part &part = part_[area.parity];
    const bool whole = !part_[0].records.empty() && !part_[0].area.field;
    if (!part.records.empty() || whole || (!area.field && records()) || !calls_.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "these lines have their deblocking already");
    const size_t count = size_t(area.mb_width) * area.mb_height;
    if (const char *problem = check_deblock(inputs, count, format.bit_depth))
        throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, std::string("macroblocks: ") + problem);
    part.records.resize(count);
    part.area = area;
    make_records(inputs, area.mb_width, area.mb_height, part.records.data());
}

void Deblock::record_call(uint32_t lane, const PictureView &picture, const PlacedEdge &edge) {
    if (!part_[0].records.empty() || !part_[1].records.empty())
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the picture has its deblocking already");
    calls_.record(lane, picture, edge);
}

uint64_t Deblock::records() const {
    return part_[0].records.size() + part_[1].records.size() + calls_.size();
}

void Deblock::clear() {
    calls_.clear();
    for (Part &part : part_)
        part.records.clear();
}

void Deblock::plan(const SampleMap &map, Plan &plan) {
    if (!can_deblock(map))
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "planes or strides not aligned to 16 bytes");
    const DeblockShaders &shaders = shaders_of(deblock_variant(map.format));
    if (!calls_.empty()) {
        if (const char *problem = calls_.resolve(map.format, resolved_))
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        std::string("the loop filter's calls make no H.264 picture: ") + problem);
        for (const DeblockRecords &part : resolved_)
            plan_deblock(map, part.area, part.records.data(), shaders, plan);
    }
    for (const Part &part : part_)
        if (!part.records.empty()) plan_deblock(map, part.area, part.records.data(), shaders, plan);
}

void Deblock::run_cpu(const PictureView &picture) {
    calls_.run_cpu(picture);
    for (const Part &part : part_)
        if (!part.records.empty())
            deblock_reference(lines_of(picture, part.area), part.records.data(), part.area.mb_width,
                              part.area.mb_height);
}

DeblockArea deblock_area(const PictureFormat &format, v3doff_h264_structure structure) {
    DeblockArea area;
    area.field = structure != V3DOFF_H264_FRAME;
    area.parity = structure == V3DOFF_H264_BOTTOM_FIELD;
    const uint32_t lines = area.field ? 32 : 16;
    area.mb_width = (format.width + 15) / 16;
    area.mb_height = (format.height + lines - 1) / lines;
    return area;
}

bool holds(const PictureView &picture, const DeblockArea &area) {
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
