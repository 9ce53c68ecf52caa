// SPDX-License-Identifier: BSD-2-Clause
// One edge by FFmpeg's functions, which take the thresholds as numbers.
#pragma once

#include "check/h264_filter_ffmpeg.hpp"
#include "ffdsp.h"

namespace tool {

// mixed: a vertical edge of half the length: the lines of one of two neighbours (MBAFF).
enum class EdgeKind { vertical, horizontal, mixed };

// 16 luma samples, or fewer in subsampled chroma.
struct FfmpegEdge {
    uint8_t *at;
    ptrdiff_t stride;
    EdgeKind kind;
    bool luma_style;
};

// mb: the macroblock whose offsets apply.
void filter_edge_by_ffmpeg(const FfdspH264 &functions, const FfmpegEdge &edge,
                           const uint8_t strength[4], int qp, const v3doff_h264_deblock_mb &mb);

} // namespace tool
