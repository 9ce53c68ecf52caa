// SPDX-License-Identifier: BSD-2-Clause
// VP9 motion compensation from a reference of another size (8.5.2.3): every sample has fractions of
// its own. Such references come with a change of resolution and are rare: each invocation makes its
// samples alone, a word at a time, and filters across anew for each row of results.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "vp9/mc_io.glsl"

int mc_clip(int sum) { return clamp((sum + 64) >> 7, 0, int(push.sample_max)); }

// The 8 samples from x on, two or four in a word, by the filter across.
int mc_scaled_across(McTask task, int x, int y, uvec2 taps) {
    // Moved by whole words, so that the division does not round towards zero.
    x += 1024 * MC_SAMPLES;
    int word = x / MC_SAMPLES - 1024;
    uint shift = uint(x & (MC_SAMPLES - 1)) * uint(MC_SAMPLE_BITS);
    uint low = mc_load_clamped(task, word, y);
    int sum = 0;
    [[unroll]] for (int i = 0; i < 8 / MC_SAMPLES; i++) {
        uint high = mc_load_clamped(task, word + i + 1, y);
        uint aligned = mc_funnel(low, high, shift);
        [[unroll]] for (int k = 0; k < MC_SAMPLES; k++) {
            int tap = i * MC_SAMPLES + k;
            uint value = aligned >> (k * MC_SAMPLE_BITS) & ((1u << MC_SAMPLE_BITS) - 1u);
            sum += int(value) * mc_tap(tap < 4 ? taps.x : taps.y, tap & 3);
        }
        low = high;
    }
    return mc_clip(sum);
}

// One sample; x and y in 1/16 of the reference's samples.
uint mc_scaled_sample(McTask task, int x, int y, uint filter_at) {
    uvec2 across = arena_pairs[(filter_at >> 1) + uint(x & 15)];
    uvec2 down = arena_pairs[(filter_at >> 1) + uint(y & 15)];
    int sum = 0;
    for (int k = 0; k < 8; k++) {
        int row = mc_scaled_across(task, (x >> 4) - 3, (y >> 4) - 3 + k, across);
        sum += row * (int((k < 4 ? down.x : down.y) >> (8 * (k & 3)) & 0xffu) - int(MC_TAP_BIAS));
    }
    return uint(mc_clip(sum));
}

void main() {
    McTask task = mc_task();
    if (!task.live) return;
    int step_x = int(task.across.x >> 16), step_y = int(task.across.y >> 16);
    // mc_task() has stepped on as without scaling: back to the block's first sample.
    int column = int(task.column) * MC_SAMPLES;
    int left = (task.x - column) * 16 + int(task.across.x & 15u) + column * step_x;
    int y = (task.y - int(task.first_row)) * 16 + int(task.across.y & 15u) +
            int(task.first_row) * step_y;
    uint at = task.at;
    for (uint row = 0; row < task.rows; row++) {
        uint word = 0;
        for (int i = 0; i < MC_SAMPLES; i++)
            word |= mc_scaled_sample(task, left + i * step_x, y, task.down.x)
                    << (i * MC_SAMPLE_BITS);
        if (push.average != 0) word = mc_average(word, samples[at]);
        samples[at] = word;
        at += task.stride;
        y += step_y;
    }
}
