// SPDX-License-Identifier: BSD-2-Clause
// VP9 inverse transforms with DCT or WHT in both directions, added to the picture. The blocks of a
// dispatch are of any size, those of a workgroup of one kind.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/itx_core.glsl"
#include "vp9/itx_kinds_dct.glsl"

void main() {
    itx_kinds_dct(itx_task());
}
