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

// The ratio of the quarters' variances to the whole's.
float variance_ratio(uint top, uint x) {
    int sums[4] = {0, 0, 0, 0};
    [[unroll]] for (uint i = 0; i < 8u; i++)
        [[unroll]] for (uint j = 0; j < 8u; j += 2u) {
            ivec2 pair = pair_at(top + i * push.stride, x + j);
            sums[(i >> 2u) + ((j & 4u) >> 1u)] += pair.x + pair.y;
        }
    float mean = float(sums[0] + sums[1] + sums[2] + sums[3]) * (1.0 / 64.0);
    precise float whole = 0.0;
    precise float quarter[4] = {0.0, 0.0, 0.0, 0.0};
    [[unroll]] for (uint i = 0; i < 8u; i++)
        [[unroll]] for (uint j = 0; j < 8u; j += 2u) {
            ivec2 pair = pair_at(top + i * push.stride, x + j);
            uint q = (i >> 2u) + ((j & 4u) >> 1u);
            float mean_q = float(sums[q]) * (1.0 / 16.0);
            [[unroll]] for (int n = 0; n < 2; n++) {
                precise float apart = float(pair[n]) - mean, apart_q = float(pair[n]) - mean_q;
                whole += apart * apart;
                quarter[q] += apart_q * apart_q;
            }
        }
    whole *= 64.0 / 63.0;
    [[unroll]] for (int q = 0; q < 4; q++)
        quarter[q] *= 16.0 / 15.0;
    precise float sum = quarter[0] + quarter[1] + quarter[2] + quarter[3];
    return whole > 0.0 ? exact_quotient(sum, whole) : 0.0;
}

void main() {
    uint number = gl_GlobalInvocationID.x;
    if (number >= push.count) return;
    uint window = push.first + number;
    uint x = 7u * (window % push.windows_x), top = 7u * (window / push.windows_x) * push.stride;
    float ratio = variance_ratio(top, x);

    // Columns first, in pairs; what comes of them fits into 16 bits.
    uint columns[32];
    [[unroll]] for (uint p = 0; p < 4u; p++) {
        int a[8], b[8];
        [[unroll]] for (uint i = 0; i < 8u; i++) {
            ivec2 pair = pair_at(top + i * push.stride, x + 2u * p);
            a[i] = pair.x;
            b[i] = pair.y;
        }
        dct8(a);
        dct8(b);
        [[unroll]] for (uint i = 0; i < 8u; i++)
            columns[8u * p + i] = uint(a[i]) & 0xffffu | uint(b[i]) << 16u;
    }
    uint at = push.coefficients + (distorted() ? 64u * push.count : 0u) + number;
    precise float energy = 0.0;
    [[unroll]] for (uint i = 0; i < 8u; i++) {
        int row[8];
        [[unroll]] for (uint p = 0; p < 4u; p++) {
            row[2u * p] = bitfieldExtract(int(columns[8u * p + i]), 0, 16);
            row[2u * p + 1u] = int(columns[8u * p + i]) >> 16;
        }
        dct8(row);
        [[unroll]] for (uint j = 0; j < 8u; j++) {
            scratch[at + (8u * i + j) * push.count] = uint(row[j]);
            if (i != 0u || j != 0u) {
                float masking = uintBitsToFloat(scratch[push.tables + 64u + 8u * i + j]);
                precise float product = exact_float(uint(row[j] * row[j])) * masking;
                energy += product;
            }
        }
    }
    float mask = exact_root(energy, ratio) * (1.0 / 32.0);
    scratch[push.masks + (distorted() ? push.count : 0u) + number] = floatBitsToUint(mask);
}
