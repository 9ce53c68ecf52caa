// SPDX-License-Identifier: BSD-2-Clause
// The sample filtering process (8.8.5) across single edges with limits of any value, for calls of a
// DSP table that belong to no picture. An invocation filters one line, which no other touches.
// EDGE_DEPTH is 8, or 16 for all depths above.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "records/vp9_filter_edge.h"

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

// 8.8.5.2, for samples first to last on both sides; s[7] and s[8] touch the edge.
bool is_flat(int s[16], int first, int last, int limit) {
    int most = 0;
    [[unroll]] for (int n = first; n <= last; n++)
        most = max(most, max(abs(s[7 - n] - s[7]), abs(s[8 + n] - s[8])));
    return most <= limit;
}

bool is_filtered(int s[16], EdgeLine line, uint scale) {
    int most = 0;
    [[unroll]] for (int n = 0; n < 3; n++)
        most = max(most, max(abs(s[6 - n] - s[7 - n]), abs(s[9 + n] - s[8 + n])));
    int step = abs(s[7] - s[8]) * 2 + (abs(s[6] - s[9]) >> 1);
    return most <= line.i << scale && step <= line.e << scale;
}

// 8.8.5.3
void narrow(inout int s[16], int thresh, int top) {
    int half_range = (top + 1) >> 1, most = half_range - 1;
    bool hev = max(abs(s[6] - s[7]), abs(s[9] - s[8])) > thresh;
    int f = hev ? clamp(s[6] - s[9], -half_range, most) : 0;
    f = clamp(f + 3 * (s[8] - s[7]), -half_range, most);
    int f1 = min(f + 4, most) >> 3, f2 = min(f + 3, most) >> 3;
    int f3 = hev ? 0 : (f1 + 1) >> 1;
    s[8] = clamp(s[8] - f1, 0, top);
    s[7] = clamp(s[7] + f2, 0, top);
    s[9] = clamp(s[9] - f3, 0, top);
    s[6] = clamp(s[6] + f3, 0, top);
}

// 8.8.5.4: the mean of 8 or 16 samples round each one, by a sum that slides; the outermost
// sample is repeated.
void wide_8(inout int s[16]) {
    int t[16] = s;
    int sum = 3 * s[4] + 2 * s[5] + s[6] + s[7] + s[8] + 4;
    t[5] = sum >> 3;
    [[unroll]] for (int n = 6; n < 11; n++) {
        sum += s[min(n + 3, 11)] - s[max(n - 4, 4)] + s[n] - s[n - 1];
        t[n] = sum >> 3;
    }
    s = t;
}
void wide_16(inout int s[16]) {
    int t[16] = s;
    int sum = 7 * s[0] + 2 * s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7] + s[8] + 8;
    t[1] = sum >> 4;
    [[unroll]] for (int n = 2; n < 15; n++) {
        sum += s[min(n + 7, 15)] - s[max(n - 8, 0)] + s[n] - s[n - 1];
        t[n] = sum >> 4;
    }
    s = t;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.lines) return;
    uint record = 4u * (push.first + number), at = push.offset + number * push.stride;
    EdgeLine line = EdgeLine(int(arena[record]), int(arena[record + 1u]), int(arena[record + 2u]),
                             arena[record + 3u]);
    int s[16];
    [[unroll]] for (uint word = 0; word < WORDS; word++) {
        uint bits = samples[at + word];
        [[unroll]] for (uint n = 0; n < PER_WORD; n++)
            s[word * PER_WORD + n] = int(bitfieldExtract(bits, int(n * BITS), int(BITS)));
    }
    uint scale = push.depth - 8u;
    if (!is_filtered(s, line, scale)) return;
    bool flat_in = line.size >= 8u && is_flat(s, 1, 3, 1 << scale);
    if (flat_in && line.size >= 16u && is_flat(s, 4, 7, 1 << scale))
        wide_16(s);
    else if (flat_in)
        wide_8(s);
    else
        narrow(s, line.h << scale, (1 << push.depth) - 1);
    [[unroll]] for (uint word = 0; word < WORDS; word++) {
        uint bits = 0;
        [[unroll]] for (uint n = 0; n < PER_WORD; n++)
            bits |= uint(s[word * PER_WORD + n]) << (n * BITS);
        samples[at + word] = bits;
    }
}
