// SPDX-License-Identifier: BSD-2-Clause
// VIF, the horizontal filter of one scale and the statistics behind it: five sums a workgroup. An
// invocation has one sample.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#define METRIC_DEPTH 16
#include "metrics/buffers.glsl"
#include "metrics/reduce.glsl"
#include "metrics/vif_taps.glsl"
#include "metrics/wide.glsl"
#include "metrics/exact_double.glsl"

layout(local_size_x = VIF_TILE_X, local_size_y = VIF_TILE_Y) in;
layout(std430, push_constant) uniform Push { VifPush push; };

const uint NOISE = 2u << 16u;

struct Statistics {
    int variance_r, variance_d, covariance;
};

uint mean_product(uint a, uint b) {
    uvec2 product = wide_mul(a, b);
    return product.y + (product.x >> 31u); // round(a b / 2^32)
}

Statistics statistics_of(uint x, uint row) {
    uint plane = push.rows * push.width, line = push.target + row * push.width;
    uint mean_r = 0, mean_d = 0;
    uvec2 rr = uvec2(0), dd = uvec2(0), rd = uvec2(0);
    [[dont_unroll]] for (int k = 0; k < VIF_TAPS; k++) {
        uint tap = push.taps[abs(k - RADIUS)];
        uint at = line + reflected(int(x) + k - RADIUS, push.width);
        uint means = scratch[at];
        mean_r += tap * (means & 0xffffu);
        mean_d += tap * (means >> 16u);
        weigh(rr, tap, scratch[at + plane]);
        weigh(dd, tap, scratch[at + 2u * plane]);
        weigh(rd, tap, scratch[at + 3u * plane]);
    }
    return Statistics(int(weighed(rr) - mean_product(mean_r, mean_r)),
                      max(int(weighed(dd) - mean_product(mean_d, mean_d)), 0),
                      int(weighed(rd) - mean_product(mean_r, mean_d)));
}

// round(2048 log2(value)) from its 16 leading bits, for values of at least 2^17.
int log2_of(uvec2 value) {
    uint shift = (value.y != 0u ? 32u + uint(findMSB(value.y)) : uint(findMSB(value.x))) - 15u;
    uint index = wide_right(value, shift).x & 0x7fffu;
    uint pair = scratch[push.logarithms + (index >> 1u)];
    return int(bitfieldExtract(pair, int(index & 1u) * 16, 16)) + 2048 * int(shift);
}

// The information left in the distorted sample. The reference computes in doubles, cuts off twice,
// and is met to the last bit. The epsilon in the divisor is 65536e-10.
int shared_information(Statistics s) {
    uint top = uint(findMSB(s.variance_r));
    // The epsilon's share of the divisor's 53 bits: round(epsilon 2^(52 - top)), for top >= 17.
    const uint EPSILON_49 = 3689348814u; // epsilon 2^49, cut off
    uint epsilon = (EPSILON_49 >> (top - 4u)) + 1u >> 1u;
    Double divisor = Double(wide_add(wide_left(wide(uint(s.variance_r)), 52u - top), wide(epsilon)),
                            int(top));
    Double gain = exact_quotient(uint(s.covariance), divisor);
    Double explained = exact_product(gain, uint(s.covariance));
    uint residual = exact_difference(uint(s.variance_d), explained) + NOISE;
    const uvec2 LIMIT = uvec2(0u, 0x190000u); // 100 = 1.5625 2^6
    if (gain.e > 6 || (gain.e == 6 && wide_less(LIMIT, gain.m))) gain = Double(LIMIT, 6);
    uvec2 kept = truncated(exact_product(exact_square(gain), uint(s.variance_r)));
    return log2_of(wide_add(kept, wide(residual))) - log2_of(wide(residual));
}

void main() {
    uint x = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    uint num_log = 0, den_log = 0, flat_low = 0, flat_high = 0, flat_count = 0;
    if (x < push.width && row < push.rows) {
        Statistics s = statistics_of(x, row);
        if (s.variance_r < int(NOISE)) {
            flat_low += uint(s.variance_d) & 0xffffu;
            flat_high += uint(s.variance_d) >> 16u;
            flat_count++;
        } else {
            den_log += uint(log2_of(wide(NOISE + uint(s.variance_r))) - 2048 * 17);
            if (s.covariance > 0 && s.variance_d > 0) num_log += uint(shared_information(s));
        }
    }
    uint at = push.result + VIF_RESULTS * group_number();
    num_log = reduce(num_log);
    den_log = reduce(den_log);
    flat_low = reduce(flat_low);
    flat_high = reduce(flat_high);
    flat_count = reduce(flat_count);
    if (gl_LocalInvocationIndex != 0u) return;
    scratch[at] = num_log;
    scratch[at + 1u] = den_log;
    scratch[at + 2u] = flat_low;
    scratch[at + 3u] = flat_high;
    scratch[at + 4u] = flat_count;
}
