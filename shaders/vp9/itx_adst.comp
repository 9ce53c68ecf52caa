// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms with ADST in one direction or both, which only intra blocks have.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/itx_core.glsl"
#include "vp9/itx_kinds_adst.glsl"

void main() {
    itx_kinds_adst(itx_task());
}
