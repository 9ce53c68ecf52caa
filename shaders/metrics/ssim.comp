// SPDX-License-Identifier: BSD-2-Clause
// SSIM of 8x8 windows at every 4th sample, as libv3doff/metrics/ssim.hpp defines it: an invocation
// has one window.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/reduce.glsl"
#include "metrics/wide.glsl"

layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, push_constant) uniform Push { SsimPush push; };

const uint WINDOW_WORDS = 8 / PER_WORD, STEP_WORDS = 4 / PER_WORD;

// n / d in units of 2^-22, rounded down; n <= d < 2^53.
uint ratio(uvec2 n, uvec2 d) {
    if (!wide_less(n, d)) return 1u << 22u;
    float inverse = 1.0 / wide_float(d);
    uint high = wide_digit(n, d, inverse);
    return high << 11u | wide_digit(n, d, inverse);
}

int window_value(uint sum_r, uint sum_d, uint squares, uint product) {
    uvec2 c1 = uvec2(push.c1_low, push.c1_high), c2 = uvec2(push.c2_low, push.c2_high);
    uvec2 both = wide_left(wide_mul(sum_r, sum_d), 1u);
    uvec2 apart = wide_add(wide_mul(sum_r, sum_r), wide_mul(sum_d, sum_d));
    uint luminance = ratio(wide_add(both, c1), wide_add(apart, c1));
    uvec2 covariance = wide_sub(wide_add(wide_left(wide(product), 7u), c2), both);
    bool negative = int(covariance.y) < 0;
    if (negative) covariance = wide_sub(uvec2(0u), covariance);
    uvec2 variances = wide_sub(wide_add(wide_left(wide(squares), 6u), c2), apart);
    uint value = wide_right(wide_mul(luminance, ratio(covariance, variances)), 22u).x;
    return negative ? -int(value) : int(value);
}

void main() {
    uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
    bool inside = x < push.windows_x && y < push.windows_y;
    int value = 0;
    if (inside) {
        uint sum_r = 0, sum_d = 0, squares = 0, product = 0;
        uint at = 4u * y * push.stride + x * STEP_WORDS;
        for (uint row = 0; row < 8u; row++, at += push.stride) {
            [[unroll]] for (uint word = 0; word < WINDOW_WORDS; word++) {
                uint r_word = samples[at + word], d_word = arena[at + word];
                [[unroll]] for (uint n = 0; n < PER_WORD; n++) {
                    uint r = part(r_word, n), d = part(d_word, n);
                    sum_r += r;
                    sum_d += d;
                    squares += r * r + d * d;
                    product += r * d;
                }
            }
        }
        value = window_value(sum_r, sum_d, squares, product);
    }
    uint sum = reduce(uint(value)); // at most 2^30 in magnitude
    if (gl_LocalInvocationIndex == 0u) scratch[push.result + group_number()] = sum;
}
