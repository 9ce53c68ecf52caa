// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms of 8x8 blocks, 8-bit samples.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define ITX_DEPTH 8
#define ITX_WORDS_OF_FOUR 1
#define ITX_UNALIGNED
#define ITX_LANES_LOG2 1
#include "vp9/itx_io.glsl"
#include "vp9/itx_8x8.glsl"

void main() { itx_8x8(itx_task(), 8, false, false); }
