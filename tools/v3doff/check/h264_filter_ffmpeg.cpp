// SPDX-License-Identifier: BSD-2-Clause
#include "check/h264_filter_ffmpeg.hpp"

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

bool ffmpeg_deblocks(unsigned bit_depth) {
    return ffdsp_h264(int(bit_depth), 1, 0) != nullptr;
}

void filter_macroblocks_by_ffmpeg(const FilterPlanes &planes,
                                  const std::vector<Macroblock> &macroblocks, bool simd) {
    const PictureShape &shape = planes.shape;
    filter_by_table(*ffdsp_h264(int(shape.bit_depth), int(shape.chroma), simd), planes,
                    macroblocks);
    ffdsp_emms();
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
