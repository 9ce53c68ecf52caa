// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms of 8x8 blocks, 8-bit samples.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128) in;

#define ITX_UNALIGNED
#define ITX_SHARED_QUADS 1024
#define ITX_QUAD_WORDS 1
#include "vp9/itx_io.glsl"
#include "vp9/itx_add.glsl"
#include "vp9/itx_8x8.glsl"

void main() { itx_8x8(itx_group()); }
