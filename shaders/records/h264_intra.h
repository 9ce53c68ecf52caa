// SPDX-License-Identifier: BSD-2-Clause
// Records of H.264 intra prediction, compiled by C++ and by GLSL.
#ifndef V3DOFF_RECORDS_H264_INTRA_H
#define V3DOFF_RECORDS_H264_INTRA_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
namespace v3doff::h264 {
using uint = std::uint32_t;
#endif

// Modes of 4x4 and 8x8 blocks, numbered as FFmpeg does; the last three stand for modes whose
// neighbours are missing.
const uint INTRA_VERTICAL = 0;
const uint INTRA_HORIZONTAL = 1;
const uint INTRA_DC = 2;
const uint INTRA_DOWN_LEFT = 3;
const uint INTRA_DOWN_RIGHT = 4;
const uint INTRA_VERTICAL_RIGHT = 5;
const uint INTRA_HORIZONTAL_DOWN = 6;
const uint INTRA_VERTICAL_LEFT = 7;
const uint INTRA_HORIZONTAL_UP = 8;
const uint INTRA_DC_LEFT = 9;
const uint INTRA_DC_ABOVE = 10;
const uint INTRA_DC_128 = 11;
const uint INTRA_MODES = 12;

// The same of 16x16 luma and of chroma of 4:2:0 and 4:2:2.
const uint INTRA_WHOLE_DC = 0;
const uint INTRA_WHOLE_HORIZONTAL = 1;
const uint INTRA_WHOLE_VERTICAL = 2;
const uint INTRA_WHOLE_PLANE = 3;
const uint INTRA_WHOLE_DC_LEFT = 4;
const uint INTRA_WHOLE_DC_ABOVE = 5;
const uint INTRA_WHOLE_DC_128 = 6;
const uint INTRA_WHOLE_MODES = 7;

#ifdef __cplusplus
} // namespace v3doff::h264
#endif

#endif
