// SPDX-License-Identifier: BSD-2-Clause
// What the functions of an H.264 table do: record, or do it at once.
#pragma once

#include "dsp/call.hpp"
#include "h264/filter/edge.hpp"
#include "h264/residual/groups.hpp"
#include "v3doff/h264dsp.h"

namespace v3doff::dsp {

// False: there is no table for this bit depth. tall: chroma blocks are those of 4:2:2.
bool fill_table(v3doff_h264dsp &table, uint32_t bit_depth, bool tall);

void h264_residual(const Call &call, h264::ResidualKind kind, int16_t *block) noexcept;

// A macroblock's blocks; dst: of Cb and Cr for add8, else of the one plane.
struct H264Blocks {
    h264::MacroblockGroup group;
    v3doff_chroma chroma;
    const int *blockoffset;
    int16_t *block;
    const uint8_t *nnzc;
};
void h264_residuals(Call call, uint8_t *const *dst, const H264Blocks &blocks) noexcept;

void h264_loop_filter(const Call &call, bool between_rows, const h264::EdgeCall &edge) noexcept;

} // namespace v3doff::dsp
