// SPDX-License-Identifier: BSD-2-Clause
// The VP9 loop filter of an edge of eight samples (VP9 specification, 8.8.2): one lane a sample along the edge.
// EIGHT: its 8-tap form.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bytes.glsl"

int clamped(int value) {
    return clamp(value, -128, 127);
}

void main() {
    uint unit = gl_GlobalInvocationID.x / unit_lanes, along = gl_GlobalInvocationID.x % unit_lanes;
    uint at = (unit * unit_lanes + along) % stride + ((unit * unit_lanes / stride) * 8 + 4) % (rows - 8) * stride;
    uint record = records[unit % 65536];
    int limit = int(record & 63), edge = int(record >> 8 & 127), high = int(record >> 16 & 15);
    int p3 = load(at - 4 * stride), p2 = load(at - 3 * stride), p1 = load(at - 2 * stride), p0 = load(at - stride);
    int q0 = load(at), q1 = load(at + stride), q2 = load(at + 2 * stride), q3 = load(at + 3 * stride);
    int most = max(max(max(abs(p3 - p2), abs(p2 - p1)), abs(p1 - p0)), max(max(abs(q1 - q0), abs(q2 - q1)), abs(q3 - q2)));
    if (most > limit || abs(p0 - q0) * 2 + abs(p1 - q1) / 2 > edge) return;
#ifdef EIGHT
    int flatness = max(max(max(abs(p1 - p0), abs(q1 - q0)), max(abs(p2 - p0), abs(q2 - q0))), max(abs(p3 - p0), abs(q3 - q0)));
    if (flatness <= 1) {
        store(at - 3 * stride, p3 + p3 + p3 + 2 * p2 + p1 + p0 + q0 + 4 >> 3);
        store(at - 2 * stride, p3 + p3 + p2 + 2 * p1 + p0 + q0 + q1 + 4 >> 3);
        store(at - stride, p3 + p2 + p1 + 2 * p0 + q0 + q1 + q2 + 4 >> 3);
        store(at, p2 + p1 + p0 + 2 * q0 + q1 + q2 + q3 + 4 >> 3);
        store(at + stride, p1 + p0 + q0 + 2 * q1 + q2 + q3 + q3 + 4 >> 3);
        store(at + 2 * stride, p0 + q0 + q1 + 2 * q2 + q3 + q3 + q3 + 4 >> 3);
        return;
    }
#endif
    bool varies = abs(p1 - p0) > high || abs(q1 - q0) > high;
    int base = clamped(3 * (q0 - p0) + (varies ? clamped(p1 - q1) : 0));
    int f1 = min(base + 4, 127) >> 3, f2 = min(base + 3, 127) >> 3, f3 = f1 + 1 >> 1;
    store(at - stride, p0 + f2);
    store(at, q0 - f1);
    if (varies) return;
    store(at - 2 * stride, p1 + f3);
    store(at + stride, q1 - f3);
}
