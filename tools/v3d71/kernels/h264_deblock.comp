// SPDX-License-Identifier: BSD-2-Clause
// H.264 deblocking of a luma edge of sixteen samples with a strength below 4 (8.7.2.3): one lane a sample.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bytes.glsl"

void main() {
    uint i = gl_GlobalInvocationID.x, unit = i / 16;
    uint at = i % stride + ((i / stride) * 8 + 4) % (rows - 8) * stride;
    uint record = records[unit % 65536];
    int alpha = int(record & 255), beta = int(record >> 8 & 31), tc0 = int(record >> (16 + i / 4 % 4 * 4) & 15) - 1;
    int p2 = load(at - 3 * stride), p1 = load(at - 2 * stride), p0 = load(at - stride);
    int q0 = load(at), q1 = load(at + stride), q2 = load(at + 2 * stride);
    if (tc0 < 0 || abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta) return;
    int tc = tc0, middle = p0 + q0 + 1 >> 1;
    if (abs(p2 - p0) < beta) {
        tc++;
        store(at - 2 * stride, p1 + clamp((p2 + middle >> 1) - p1, -tc0, tc0));
    }
    if (abs(q2 - q0) < beta) {
        tc++;
        store(at + stride, q1 + clamp((q2 + middle >> 1) - q1, -tc0, tc0));
    }
    int delta = clamp((q0 - p0) * 4 + p1 - q1 + 4 >> 3, -tc, tc);
    store(at - stride, p0 + delta);
    store(at, q0 - delta);
}
