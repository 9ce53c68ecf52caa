// SPDX-License-Identifier: BSD-2-Clause
// PSNR-HVS-M: an invocation has one window of one of the planes (z of the workgroup says which) and
// leaves its 64 coefficients and its masking. Every float operation and its order are those of
// libv3doff/metrics/psnr_hvs.cpp.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "metrics/buffers.glsl"
#include "metrics/exact_float.glsl"
#include "metrics/hvs_dct.glsl"

layout(local_size_x = 64) in;
layout(std430, push_constant) uniform Push { HvsPush push; };

bool distorted() { return gl_WorkGroupID.z != 0u; }

// Two neighbouring samples; x is that of the first.
ivec2 pair_at(uint line, uint x) {
    uint at = line + (x >> WORD_SHIFT), n = x & (PER_WORD - 1u);
    uint low = distorted() ? arena[at] : samples[at];
    uint high = distorted() ? arena[at + 1u] : samples[at + 1u];
    uint first = part(low, n);
    uint second = n == PER_WORD - 1u ? part(high, 0u) : part(low, n + 1u);
    return ivec2(first, second);
}

// The ratio of the quarters' variances to the whole's. Loops over rows stay loops, and columns go through memory: V3D has 64 registers.
// The sums of the left and the right quarter below row first.
ivec2 quarter_sums(uint top, uint x, uint first) {
    ivec2 sums = ivec2(0);
    [[dont_unroll]] for (uint i = first; i < first + 4u; i++)
        [[unroll]] for (uint j = 0; j < 4u; j += 2u) {
            ivec2 left = pair_at(top + i * push.stride, x + j);
            ivec2 right = pair_at(top + i * push.stride, x + j + 4u);
            sums += ivec2(left.x + left.y, right.x + right.y);
        }
    return sums;
}

void add_squares(int value, float mean, float mean_q, inout precise float whole,
                 inout precise float quarter) {
    precise float apart = float(value) - mean, apart_q = float(value) - mean_q;
    precise float square = apart * apart, square_q = apart_q * apart_q;
    whole += square;
    quarter += square_q;
}

// The squared distances from the means: whole goes on, those of the two quarters begin here.
vec2 quarter_squares(uint top, uint x, uint first, float mean, vec2 means, inout float total) {
    precise float whole = total, left = 0.0, right = 0.0;
    [[dont_unroll]] for (uint i = first; i < first + 4u; i++) {
        [[unroll]] for (uint j = 0; j < 4u; j += 2u) {
            ivec2 pair = pair_at(top + i * push.stride, x + j);
            add_squares(pair.x, mean, means.x, whole, left);
            add_squares(pair.y, mean, means.x, whole, left);
        }
        [[unroll]] for (uint j = 4; j < 8u; j += 2u) {
            ivec2 pair = pair_at(top + i * push.stride, x + j);
            add_squares(pair.x, mean, means.y, whole, right);
            add_squares(pair.y, mean, means.y, whole, right);
        }
    }
    total = whole;
    return vec2(left, right);
}

float variance_ratio(uint top, uint x) {
    ivec2 upper = quarter_sums(top, x, 0u), lower = quarter_sums(top, x, 4u);
    float mean = float(upper.x + upper.y + lower.x + lower.y) * (1.0 / 64.0);
    precise float whole = 0.0;
    precise vec2 above = quarter_squares(top, x, 0u, mean, vec2(upper) * (1.0 / 16.0), whole);
    precise vec2 below = quarter_squares(top, x, 4u, mean, vec2(lower) * (1.0 / 16.0), whole);
    whole *= 64.0 / 63.0;
    above *= 16.0 / 15.0;
    below *= 16.0 / 15.0;
    // In the reference's order: the left quarters come first.
    precise float sum = above.x + below.x;
    sum += above.y;
    sum += below.y;
    return whole > 0.0 ? exact_quotient(sum, whole) : 0.0;
}

// Columns in pairs; what comes of them fits into 16 bits. They wait in the upper half of the
// window's coefficients, those of row i at 32 + 4 i, where rows of output come after they were read.
void transform_columns(uint at, uint top, uint x) {
    [[dont_unroll]] for (uint p = 0; p < 4u; p++) {
        int a[8], b[8];
        [[unroll]] for (uint i = 0; i < 8u; i++) {
            ivec2 pair = pair_at(top + i * push.stride, x + 2u * p);
            a[i] = pair.x;
            b[i] = pair.y;
        }
        dct8(a);
        dct8(b);
        [[unroll]] for (uint i = 0; i < 8u; i++)
            scratch[at + (32u + 4u * i + p) * push.count] = uint(a[i]) & 0xffffu | uint(b[i]) << 16u;
    }
}

// Rows, and the energy that masks errors.
float transform_rows(uint at) {
    precise float energy = 0.0;
    [[dont_unroll]] for (uint i = 0; i < 8u; i++) {
        int row[8];
        [[unroll]] for (uint p = 0; p < 4u; p++) {
            int pair = int(scratch[at + (32u + 4u * i + p) * push.count]);
            row[2u * p] = bitfieldExtract(pair, 0, 16);
            row[2u * p + 1u] = pair >> 16;
        }
        dct8(row);
        [[unroll]] for (uint j = 0; j < 8u; j++) {
            scratch[at + (8u * i + j) * push.count] = uint(row[j]);
            float masking = uintBitsToFloat(scratch[push.tables + 64u + 8u * i + j]);
            precise float product = exact_float(uint(row[j] * row[j])) * masking;
            energy += i == 0u && j == 0u ? 0.0 : product;
        }
    }
    return energy;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.count) return;
    uint window = push.first + number;
    uint x = 7u * (window % push.windows_x), top = 7u * (window / push.windows_x) * push.stride;
    uint at = push.coefficients + (distorted() ? 64u * push.count : 0u) + number;
    float ratio = variance_ratio(top, x);
    transform_columns(at, top, x);
    float mask = exact_root(transform_rows(at), ratio) * (1.0 / 32.0);
    scratch[push.masks + (distorted() ? push.count : 0u) + number] = floatBitsToUint(mask);
}
