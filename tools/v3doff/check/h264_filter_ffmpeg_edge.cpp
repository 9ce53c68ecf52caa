// SPDX-License-Identifier: BSD-2-Clause
#include "check/h264_filter_ffmpeg_edge.hpp"

#include <algorithm>

#include "h264/filter/records.hpp"

namespace tool {
namespace {

// FFmpeg names a function after the direction that it filters in.
FfdspH264LoopFilter normal_filter(const FfdspH264 &functions, const FfmpegEdge &edge) {
    switch (edge.kind) {
    case EdgeKind::vertical:
        return edge.luma_style ? functions.h_loop_filter_luma : functions.h_loop_filter_chroma;
    case EdgeKind::horizontal:
        return edge.luma_style ? functions.v_loop_filter_luma : functions.v_loop_filter_chroma;
    case EdgeKind::mixed:
        break;
    }
    return edge.luma_style ? functions.h_loop_filter_luma_mbaff
                           : functions.h_loop_filter_chroma_mbaff;
}

FfdspH264LoopFilterIntra strong_filter(const FfdspH264 &functions, const FfmpegEdge &edge) {
    switch (edge.kind) {
    case EdgeKind::vertical:
        return edge.luma_style ? functions.h_loop_filter_luma_intra
                               : functions.h_loop_filter_chroma_intra;
    case EdgeKind::horizontal:
        return edge.luma_style ? functions.v_loop_filter_luma_intra
                               : functions.v_loop_filter_chroma_intra;
    case EdgeKind::mixed:
        break;
    }
    return edge.luma_style ? functions.h_loop_filter_luma_mbaff_intra
                           : functions.h_loop_filter_chroma_mbaff_intra;
}

} // namespace

void filter_edge_by_ffmpeg(const FfdspH264 &functions, const FfmpegEdge &edge,
                           const uint8_t strength[4], int qp, const v3doff_h264_deblock_mb &mb) {
    const auto limits = v3doff::h264::filter_limits(std::clamp(qp + mb.offset_a, 0, 51));
    const int beta = v3doff::h264::filter_limits(std::clamp(qp + mb.offset_b, 0, 51)).beta;
    if (!limits.alpha || !beta) return;
    if (strength[0] == 4)
        return strong_filter(functions, edge)(edge.at, edge.stride, limits.alpha, beta);
    if (std::all_of(strength, strength + 4, [](uint8_t s) { return s == 0; })) return;
    int8_t tc0[4]; // below luma's smallest value: skip this segment; chroma's value is one more
    for (unsigned i = 0; i < 4; i++)
        tc0[i] = int8_t((strength[i] ? limits.tc0[strength[i] - 1] : -1) + !edge.luma_style);
    normal_filter(functions, edge)(edge.at, edge.stride, limits.alpha, beta, tc0);
}

} // namespace tool
