// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's functions for 8 bit 4:2:0, in the form in which the library takes a decoder's functions.
#pragma once

#include <algorithm>
#include <cstring>

#include "ffdsp.h"
#include "v3doff/recipe.h"

namespace tool {

inline v3doff_vp9dsp vp9_table(const FfdspVp9 &from) {
    v3doff_vp9dsp table{};
    table.struct_size = sizeof table;
    const auto copy = [](auto &to, const auto &of) {
        static_assert(sizeof to == sizeof of);
        std::memcpy(to, of, sizeof to);
    };
    copy(table.itxfm_add, from.itxfm_add);
    copy(table.loop_filter_8, from.loop_filter_8);
    copy(table.loop_filter_16, from.loop_filter_16);
    copy(table.loop_filter_mix2, from.loop_filter_mix2);
    copy(table.mc, from.mc);
    return table;
}

inline v3doff_h264dsp h264_table(const FfdspH264 &from) {
    v3doff_h264dsp table{};
    table.struct_size = sizeof table;
    table.h264_v_loop_filter_luma = from.v_loop_filter_luma;
    table.h264_h_loop_filter_luma = from.h_loop_filter_luma;
    table.h264_v_loop_filter_luma_intra = from.v_loop_filter_luma_intra;
    table.h264_h_loop_filter_luma_intra = from.h_loop_filter_luma_intra;
    table.h264_v_loop_filter_chroma = from.v_loop_filter_chroma;
    table.h264_h_loop_filter_chroma = from.h_loop_filter_chroma;
    table.h264_v_loop_filter_chroma_intra = from.v_loop_filter_chroma_intra;
    table.h264_h_loop_filter_chroma_intra = from.h_loop_filter_chroma_intra;
    table.h264_idct_add = from.idct_add;
    table.h264_idct_add16 = from.idct_add16;
    table.h264_idct8_add4 = from.idct8_add4;
    table.h264_idct_add8 = from.idct_add8;
    return table;
}

inline v3doff_h264_predictors h264_predictors(const FfdspH264 &from) {
    v3doff_h264_predictors table{};
    table.struct_size = sizeof table;
    for (unsigned i = 0; i < 2; i++)
        std::copy_n(from.qpel_put[i], 16, table.luma[i]);
    std::copy_n(from.chroma_put, 2, table.chroma);
    std::copy_n(from.pred16x16, 7, table.luma_intra);
    std::copy_n(from.pred8x8, 7, table.chroma_intra);
    std::copy_n(from.pred4x4, 9, table.block_intra);
    return table;
}

} // namespace tool
