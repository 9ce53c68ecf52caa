// SPDX-License-Identifier: BSD-2-Clause
// What the functions of an H.264 table do: record, or do it at once.
#pragma once

#include "api/dsp.hpp"
#include "h264/filter/edge_lines.hpp"
#include "h264/residual/groups.hpp"

namespace v3doff::api {

void h264_residual(const DspCall &call, h264::ResidualKind kind, int16_t *block) noexcept;

// A macroblock's blocks; dst: of Cb and Cr for add8, else of the one plane.
struct H264Blocks {
    h264::MacroblockGroup group;
    v3doff_chroma chroma;
    const int *blockoffset;
    int16_t *block;
    const uint8_t *nnzc;
};
void h264_residuals(DspCall call, uint8_t *const *dst, const H264Blocks &blocks) noexcept;

void h264_loop_filter(const DspCall &call, bool between_rows, const h264::EdgeCall &edge) noexcept;

} // namespace v3doff::api
