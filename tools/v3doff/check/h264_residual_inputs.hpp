// SPDX-License-Identifier: BSD-2-Clause
// Pictures of H.264 residuals: what is called, where, and with which coefficients.
#pragma once

#include "coefficients.hpp"
#include "picture_case.hpp"
#include "v3doff/h264.h"

namespace tool {

// The functions, in the order of their enumerations in v3doff/h264.h; the last two are ADD16_INTRA
// and ADD8 after their DC transform.
enum class H264Call : unsigned {
    idct4,
    idct8,
    dc4,
    dc8,
    bypass4,
    bypass8,
    add16,
    add16_intra,
    add4,
    add8,
    predict4x4,
    predict8x8,
    predict8x8_filtered,
    predict_chroma,
    predict16x16,
    luma_dc,
    chroma_dc,
};
inline constexpr unsigned h264_calls = 17;
const char *h264_call_name(H264Call call);
bool is_block(H264Call call);
bool is_predicted(H264Call call);
bool h264_call_exists(H264Call call, v3doff_chroma chroma);

struct H264Operation {
    H264Call call;
    uint32_t plane, x, y, lane;
    v3doff_h264_rows rows = V3DOFF_H264_FRAME_ROWS;
    v3doff_h264_direction direction = V3DOFF_H264_VERTICAL; // of the predictions
    uint32_t neighbours = 0;
    uint32_t width, height;            // samples
    std::vector<int32_t> coefficients; // from the first that the function is given
    std::vector<uint8_t> nnz;
    std::vector<int32_t> dc; // of luma_dc
    int32_t qmul = 0;
};

struct H264Plan {
    std::vector<H264Call> calls; // that may appear
    unsigned bit_depth;
    v3doff_chroma chroma;
    bool wild = false;     // coefficients that no stream holds
    bool one_lane = false; // record in one lane
};

std::vector<H264Operation> h264_operations(const H264Plan &plan, const GuardedPicture &picture,
                                           Random &random);

} // namespace tool
