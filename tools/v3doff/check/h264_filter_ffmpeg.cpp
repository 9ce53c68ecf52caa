// SPDX-License-Identifier: BSD-2-Clause
#include "check/h264_filter_ffmpeg.hpp"

#include <fmt/format.h>

#include "check/h264_filter_ffmpeg_edge.hpp"

namespace tool {

namespace {

using Macroblock = v3doff_h264_deblock_mb;

struct Neighbours {
    const Macroblock *left, *above;
};

void filter_direction(const FfdspH264 &functions, const FilterPlanes &planes, unsigned p,
                      uint8_t *at, unsigned direction, const Macroblock &mb,
                      const Neighbours &next) {
    const bool luma_style = p == 0 || planes.shape.chroma == V3DOFF_CHROMA_444;
    const bool halved = !luma_style && (direction == 0 || planes.shape.chroma == V3DOFF_CHROMA_420);
    const Macroblock *const other = direction ? next.above : next.left;
    const unsigned flag = direction ? V3DOFF_H264_DEBLOCK_TOP : V3DOFF_H264_DEBLOCK_LEFT;
    const ptrdiff_t step = direction ? planes.stride[p] : ptrdiff_t(planes.shape.sample_bytes());
    for (unsigned edge = 0; edge < 4; edge += halved ? 2 : 1) {
        if (edge == 0 && (!other || !(mb.flags & flag))) continue;
        if (edge % 2 && luma_style && mb.flags & V3DOFF_H264_TRANSFORM_8X8) continue;
        const int qp = edge ? mb.qp[p] : (mb.qp[p] + other->qp[p] + 1) >> 1;
        const ptrdiff_t distance = step * ptrdiff_t(halved ? edge * 2 : edge * 4);
        filter_edge_by_ffmpeg(functions,
                              {at + distance, planes.stride[p],
                               direction ? EdgeKind::horizontal : EdgeKind::vertical, luma_style},
                              mb.strength[direction][edge], qp, mb);
    }
}

} // namespace

std::vector<FilterPart> random_filter_parts(const PictureShape &shape,
                                            v3doff::check::H264Strengths strengths,
                                            v3doff::check::H264Random &random) {
    std::vector<FilterPart> parts;
    const auto add = [&](v3doff_h264_structure structure) {
        const uint32_t lines = structure == V3DOFF_H264_FRAME ? 16 : 32;
        const uint32_t width = (shape.width + 15) / 16, height = (shape.height + lines - 1) / lines;
        parts.push_back({structure, width, height,
                         v3doff::check::make_filter_mbs(random, shape.bit_depth,
                                                        size_t(width) * height, strengths)});
    };
    const uint32_t kind = random.below(6);
    if (kind != 1) add(kind == 0 ? V3DOFF_H264_TOP_FIELD : V3DOFF_H264_FRAME);
    if (kind < 2) add(V3DOFF_H264_BOTTOM_FIELD);
    return parts;
}

FilterPlanes planes_of(const FilterPart &part, const PictureShape &shape,
                       const v3doff_planes &picture) {
    const bool frame = part.structure == V3DOFF_H264_FRAME;
    const bool bottom = part.structure == V3DOFF_H264_BOTTOM_FIELD;
    FilterPlanes planes{shape, {}, {}, part.mb_width, part.mb_height};
    for (unsigned p = 0; p < picture.count; p++) {
        planes.plane[p] = sample_at(picture, shape, p, 0, bottom);
        planes.stride[p] = picture.stride[p] * (frame ? 1 : 2);
    }
    return planes;
}

void record_part(v3doff_picture *picture, const FilterPart &part) {
    check(v3doff_h264_record_deblock(picture, part.structure, part.macroblocks.data(),
                                     part.macroblocks.size()),
          "recording the deblocking");
}

std::string structures_of(const std::vector<FilterPart> &parts) {
    std::string text;
    for (const FilterPart &part : parts)
        text += fmt::format(", structure {}", int(part.structure));
    return text;
}

void filter_by_table(const FfdspH264 &functions, const FilterPlanes &planes,
                     const std::vector<Macroblock> &macroblocks) {
    const PictureShape &shape = planes.shape;
    for (uint32_t i = 0; i < macroblocks.size(); i++) {
        const Macroblock &mb = macroblocks[i];
        if (!(mb.flags & V3DOFF_H264_DEBLOCK)) continue;
        const uint32_t x = i % planes.mb_width, y = i / planes.mb_width;
        const Neighbours next{x ? &mb - 1 : nullptr, y ? &mb - planes.mb_width : nullptr};
        for (unsigned p = 0; p < shape.planes(); p++) {
            const bool half_width = p && shape.chroma != V3DOFF_CHROMA_444;
            const bool half_height = p && shape.chroma == V3DOFF_CHROMA_420;
            uint8_t *at = planes.plane[p] +
                          ptrdiff_t(y) * (half_height ? 8 : 16) * planes.stride[p] +
                          ptrdiff_t(x) * (half_width ? 8 : 16) * shape.sample_bytes();
            for (unsigned direction = 0; direction < 2; direction++)
                filter_direction(functions, planes, p, at, direction, mb, next);
        }
    }
}

} // namespace tool
