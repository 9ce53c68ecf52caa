// SPDX-License-Identifier: BSD-2-Clause
// VP9's inverse DCT of 8x8 coefficients (8.7.1.4), and the sum with the prediction: one lane a column, then a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bytes.glsl"

layout(std430, set = 0, binding = 2) readonly buffer Coefficients { int16_t coefficients[]; };

const uint blocks = GROUP / unit_lanes;
shared int between[blocks * 64];

int turned(int a, int b, int ca, int cb) {
    return a * ca + b * cb + 8192 >> 14;
}

void transform(inout int v[8]) {
    int a0 = turned(v[0], v[4], 11585, 11585), a1 = turned(v[0], v[4], 11585, -11585);
    int a2 = turned(v[2], v[6], 6270, -15137), a3 = turned(v[2], v[6], 15137, 6270);
    int b0 = turned(v[1], v[7], 3196, -16069), b3 = turned(v[1], v[7], 16069, 3196);
    int b1 = turned(v[5], v[3], 13623, -9102), b2 = turned(v[5], v[3], 9102, 13623);
    int e0 = a0 + a3, e1 = a1 + a2, e2 = a1 - a2, e3 = a0 - a3;
    int o0 = b0 + b1, o1 = b0 - b1, o2 = b3 - b2, o3 = b3 + b2;
    int m1 = turned(o2, o1, 11585, -11585), m2 = turned(o2, o1, 11585, 11585);
    v = int[](e0 + o3, e1 + m2, e2 + m1, e3 + o0, e3 - o0, e2 - m1, e1 - m2, e0 - o3);
}

void main() {
    uint unit = gl_GlobalInvocationID.x / unit_lanes, lane = gl_GlobalInvocationID.x % unit_lanes;
    uint in_group = gl_LocalInvocationIndex / unit_lanes * 64;
    int v[8];
    [[unroll]] for (uint i = 0; i < 8; i++)
        v[i] = int(coefficients[unit % 4096 * 64 + i * 8 + lane]);
    transform(v);
    [[unroll]] for (uint i = 0; i < 8; i++)
        between[in_group + i * 8 + lane] = v[i];
    barrier();
    [[unroll]] for (uint i = 0; i < 8; i++)
        v[i] = between[in_group + lane * 8 + i];
    transform(v);
    uint at = unit * 8 % stride + (unit * 8 / stride * 8 + lane) % rows * stride;
    [[unroll]] for (uint i = 0; i < 8; i++)
        store(at + i, load(at + i) + (v[i] + 16 >> 5));
}
