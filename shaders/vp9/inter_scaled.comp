// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation from a reference of another size (8.5.2.3): each column and each row has
// its own fraction. An invocation makes a word of each row. It goes down the reference, with the
// last eight rows of the horizontal filters in registers, and moves on by none, one or two rows
// from result to result.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/inter_io.glsl"

const uint SAMPLE_MASK = (1u << INTER_SAMPLE_BITS) - 1u;

// Words of samples, each row of the reference after its filters across.
struct Window {
    uint a, b, c, d, e, f, g, h;
};

uint inter_clip(int sum) { return uint(clamp((sum + 64) >> 7, 0, int(push.sample_max))); }

uvec2 inter_taps(InterTask task, int position) {
    return inter_taps_at(task, uint(position & 15));
}

// One sample; x in 1/16 sample.
uint filter_across(InterTask task, int x, int y) {
    uvec2 taps = inter_taps(task, x);
    // Moved by whole words, so that the division does not round towards zero.
    int first = (x >> 4) - 3 + 1024 * INTER_SAMPLES;
    int word = first / INTER_SAMPLES - 1024;
    uint shift = uint(first & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    uint low = inter_load_clamped(task, word, y);
    int sum = 0;
    [[unroll]] for (int i = 0; i < 8 / INTER_SAMPLES; i++) {
        uint high = inter_load_clamped(task, word + i + 1, y);
        uint aligned = inter_funnel(low, high, shift);
        [[unroll]] for (int k = 0; k < INTER_SAMPLES; k++) {
            int tap = i * INTER_SAMPLES + k;
            sum += int(aligned >> (k * INTER_SAMPLE_BITS) & SAMPLE_MASK) *
                   inter_tap(tap < 4 ? taps.x : taps.y, tap & 3);
        }
        low = high;
    }
    return inter_clip(sum);
}

uint filter_down(Window w, uvec2 taps) {
    uint rows[8] = uint[8](w.a, w.b, w.c, w.d, w.e, w.f, w.g, w.h);
    uint word = 0;
    [[unroll]] for (int i = 0; i < INTER_SAMPLES; i++) {
        int sum = 0;
        [[unroll]] for (int k = 0; k < 8; k++)
            sum += int(rows[k] >> (i * INTER_SAMPLE_BITS) & SAMPLE_MASK) *
                   inter_tap(k < 4 ? taps.x : taps.y, k & 3);
        word |= inter_clip(sum) << (i * INTER_SAMPLE_BITS);
    }
    return word;
}

void main() {
    InterTask task = inter_task();
    if (!task.live) return;
    int step_x = int(task.step_x), step_y = int(task.step_y);
    // inter_task() has stepped on as without scaling: back to the block's first sample.
    int column = int(task.column) * INTER_SAMPLES;
    int x = (task.x - column) * 16 + int(task.fraction_x) + column * step_x;
    int y = (task.y - int(task.first_row)) * 16 + int(task.fraction_y) +
            int(task.first_row) * step_y;
    Window w = Window(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    int next = (y >> 4) - 3; // the reference's row to filter next
    int end = y + int(task.rows) * step_y;
    uint at = task.at;
    while (y < end) {
        uint row = 0;
        for (int i = 0; i < INTER_SAMPLES; i++)
            row |= filter_across(task, x + i * step_x, next) << (i * INTER_SAMPLE_BITS);
        w = Window(w.b, w.c, w.d, w.e, w.f, w.g, w.h, row);
        while (y < end && (y >> 4) + 4 == next) {
            uint word = filter_down(w, inter_taps(task, y));
            if (push.average != 0) word = inter_average(word, samples[at]);
            samples[at] = word;
            at += task.stride;
            y += step_y;
        }
        next++;
    }
}
