// SPDX-License-Identifier: BSD-2-Clause
// VP9's horizontal 8-tap interpolation of an 8x8 block (8.5.2.3): one lane a row. The table is indexed by a variable,
// so the compiler copies it to the memory of each lane.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bytes.glsl"

const int taps[16 * 8] = int[](
    0, 0, 0, 128, 0, 0, 0, 0,        0, 1, -5, 126, 8, -3, 1, 0,      -1, 3, -10, 122, 18, -6, 2, 0,   -1, 4, -13, 118, 27, -9, 3, -1,
    -1, 4, -16, 112, 37, -11, 4, -1, -1, 5, -18, 105, 48, -14, 4, -1, -1, 5, -19, 97, 58, -16, 5, -1,  -1, 6, -19, 88, 68, -18, 5, -1,
    -1, 6, -19, 78, 78, -19, 6, -1,  -1, 5, -18, 68, 88, -19, 6, -1,  -1, 5, -16, 58, 97, -19, 5, -1,  -1, 4, -14, 48, 105, -18, 5, -1,
    -1, 4, -11, 37, 112, -16, 4, -1, -1, 3, -9, 27, 118, -13, 4, -1,  0, 2, -6, 18, 122, -10, 3, -1,   0, 1, -3, 8, 126, -5, 1, 0);

void main() {
    uint unit = gl_GlobalInvocationID.x / unit_lanes, row = gl_GlobalInvocationID.x % unit_lanes;
    uint record = records[unit % 65536];
    uint x = unit * 8 % (stride - 16) + 3, y = unit * 8 / stride * 8 % (rows / 2 - 8) + row;
    int phase = int(record & 15) * 8;
    int coefficients[8], from[15];
    [[unroll]] for (int i = 0; i < 8; i++)
        coefficients[i] = taps[phase + i];
    [[unroll]] for (uint i = 0; i < 15; i++)
        from[i] = load(y * stride + x + i - 3);
    [[unroll]] for (uint i = 0; i < 8; i++) {
        int sum = 64;
        [[unroll]] for (uint tap = 0; tap < 8; tap++)
            sum += coefficients[tap] * from[i + tap];
        store((rows / 2 + y) * stride + x + i, sum >> 7);
    }
}
