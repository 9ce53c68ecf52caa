// SPDX-License-Identifier: BSD-2-Clause
// The work of a whole picture, as the families "picture" and "matrix" time it: 8x8 blocks with few
// coefficients everywhere, about as many as in an inter frame, and filters of mixed blocks.
#pragma once

#include <fmt/format.h>

#include "bench/works.hpp"
#include "picture/stage.hpp"

namespace tool::bench {

inline uint32_t width_of(uint32_t height) {
    return (height * 16 / 9 + 1) / 2 * 2;
}

// An 8-bit sample, for FFmpeg's functions.
inline uint8_t *sample_at(const v3doff::PlaneView &plane, ptrdiff_t x, ptrdiff_t y) {
    return reinterpret_cast<uint8_t *>(plane.data) + y * plane.stride + x;
}

inline v3doff::PictureView view_of(const v3doff::PictureFormat &format,
                                   const v3doff_planes &planes) {
    v3doff::PictureView view;
    view.format = format;
    for (unsigned p = 0; p < planes.count; p++)
        view.plane[p] = {static_cast<std::byte *>(planes.data[p]),
                         planes.stride[p],
                         planes.width[p],
                         planes.height[p],
                         planes.padded_width[p],
                         planes.padded_height[p]};
    return view;
}

struct Stage {
    const char *name;
    Work (*make)(uint32_t width, uint32_t height);
};

inline Work vp9_picture_transforms(uint32_t w, uint32_t h) {
    return vp9_transforms(w, h, V3DOFF_VP9_TX_8X8, 10);
}
inline Work vp9_picture_filter(uint32_t w, uint32_t h) {
    return vp9_filter(w, h, Vp9Mix::mixed);
}
inline Work h264_picture_residual(uint32_t w, uint32_t h) {
    return h264_residual(
        w, h, {"4x4, few coefficients", V3DOFF_H264_IDCT_4X4, V3DOFF_H264_IDCT_4X4, 3, 8});
}
inline Work h264_picture_filter(uint32_t w, uint32_t h) {
    return h264_strengths(w, h, false);
}
inline Work vp9_chain(uint32_t w, uint32_t h) {
    return chain(fmt::format("VP9 transforms + loop filter, {}x{}", w, h),
                 {vp9_picture_transforms(w, h), vp9_picture_filter(w, h)});
}
inline Work h264_chain(uint32_t w, uint32_t h) {
    return chain(fmt::format("H.264 residuals + strengths + deblocking, {}x{}", w, h),
                 {h264_picture_residual(w, h), h264_picture_filter(w, h)});
}

inline constexpr Stage stages[] = {
    {"VP9 transforms", vp9_picture_transforms},
    {"VP9 loop filter", vp9_picture_filter},
    {"VP9 chain", vp9_chain},
    {"H.264 residuals", h264_picture_residual},
    {"H.264 deblocking", h264_picture_filter},
    {"H.264 chain", h264_chain},
};

} // namespace tool::bench
