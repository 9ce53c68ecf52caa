// SPDX-License-Identifier: BSD-2-Clause
// The filtering process of 8.7.2 across single edges, for calls of a DSP table that belong to no
// picture. An invocation filters one line, which no other touches. EDGE_DEPTH is 8, or 16 for all
// depths above.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "records/h264_filter_edge.h"

layout(local_size_x = EDGE_LANES) in;

layout(std430, binding = 0) buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer Arena { uint arena[]; };
layout(std430, push_constant) uniform Push { EdgePush push; };

#if EDGE_DEPTH == 8
const uint PER_WORD = 4, BITS = 8;
#else
const uint PER_WORD = 2, BITS = 16;
#endif
const uint WORDS = EDGE_SAMPLES / PER_WORD;

// 8.7.2.3; s[3] is p0 and s[4] is q0.
void filter_normal(inout int s[8], EdgeLine line, uint scale, bool chroma) {
    int tc0 = line.tc0 << scale, beta = line.beta << scale, tc = tc0 + 1;
    int p1 = s[2], q1 = s[5], middle = (s[3] + s[4] + 1) >> 1;
    if (!chroma) {
        bool near_p = abs(s[1] - s[3]) < beta, near_q = abs(s[6] - s[4]) < beta;
        tc = tc0 + int(near_p) + int(near_q);
        int change_p = clamp((s[1] + middle - 2 * p1) >> 1, -tc0, tc0);
        int change_q = clamp((s[6] + middle - 2 * q1) >> 1, -tc0, tc0);
        s[2] += near_p ? change_p : 0;
        s[5] += near_q ? change_q : 0;
    }
    int delta = clamp((4 * (s[4] - s[3]) + (p1 - q1) + 4) >> 3, -tc, tc);
    int top = (1 << push.depth) - 1;
    s[3] = clamp(s[3] + delta, 0, top);
    s[4] = clamp(s[4] - delta, 0, top);
}

// 8.7.2.4
void filter_strong(inout int s[8], EdgeLine line, uint scale, bool chroma) {
    int beta = line.beta << scale, near = ((line.alpha << scale) >> 2) + 2;
    bool near_edge = !chroma && abs(s[3] - s[4]) < near;
    bool wide_p = near_edge && abs(s[1] - s[3]) < beta, wide_q = near_edge && abs(s[6] - s[4]) < beta;
    int p3 = s[0], p2 = s[1], p1 = s[2], p0 = s[3], q0 = s[4], q1 = s[5], q2 = s[6], q3 = s[7];
    s[3] = wide_p ? (p2 + 2 * (p1 + p0 + q0) + q1 + 4) >> 3 : (2 * p1 + p0 + q1 + 2) >> 2;
    s[2] = wide_p ? (p2 + p1 + p0 + q0 + 2) >> 2 : p1;
    s[1] = wide_p ? (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3 : p2;
    s[4] = wide_q ? (q2 + 2 * (q1 + q0 + p0) + p1 + 4) >> 3 : (2 * q1 + q0 + p1 + 2) >> 2;
    s[5] = wide_q ? (q2 + q1 + q0 + p0 + 2) >> 2 : q1;
    s[6] = wide_q ? (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3 : q2;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.lines) return;
    uint record = 4u * (push.first + number), at = push.offset + number * push.stride;
    EdgeLine line = EdgeLine(int(arena[record]), int(arena[record + 1u]), int(arena[record + 2u]),
                             arena[record + 3u]);
    int s[8];
    [[unroll]] for (uint word = 0; word < WORDS; word++) {
        uint bits = samples[at + word];
        [[unroll]] for (uint n = 0; n < PER_WORD; n++)
            s[word * PER_WORD + n] = int(bitfieldExtract(bits, int(n * BITS), int(BITS)));
    }
    uint scale = push.depth - 8u;
    bool chroma = (line.style & EDGE_CHROMA) != 0, strong = (line.style & EDGE_STRONG) != 0;
    int beta = line.beta << scale;
    // filterSamplesFlag of 8.7.2.2
    if (abs(s[3] - s[4]) >= line.alpha << scale || abs(s[2] - s[3]) >= beta ||
        abs(s[5] - s[4]) >= beta || (!strong && line.tc0 < 0))
        return;
    if (strong)
        filter_strong(s, line, scale, chroma);
    else
        filter_normal(s, line, scale, chroma);
    [[unroll]] for (uint word = 0; word < WORDS; word++) {
        uint bits = 0;
        [[unroll]] for (uint n = 0; n < PER_WORD; n++)
            bits |= uint(s[word * PER_WORD + n]) << (n * BITS);
        samples[at + word] = bits;
    }
}
