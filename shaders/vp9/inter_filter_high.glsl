// SPDX-License-Identifier: BSD-2-Clause
// The 8-tap filters on samples of more than 8 bits, VP9 bitstream specification 8.5.2.3, in floating
// point: V3D multiplies integers in two slots and floats in one. All of it is exact: taps are
// multiples of 1/128 and sums below 2^13, which needs 20 bits.

#define INTER_ROW vec4 // samples 0 to 3

struct InterTaps {
    float t[8];
};

InterTaps inter_unpack_taps(uvec2 packed) {
    InterTaps taps;
    [[unroll]] for (int i = 0; i < 4; i++) {
        taps.t[i] = float(inter_tap(packed.x, i)) * (1.0 / 128.0);
        taps.t[4 + i] = float(inter_tap(packed.y, i)) * (1.0 / 128.0);
    }
    return taps;
}

float inter_clip(float sum) { return clamp(floor(sum), 0.0, float(push.sample_max)); }

INTER_ROW inter_spread(uint words[6]) {
    return INTER_ROW(words[0] & 0xffffu, words[0] >> 16, words[1] & 0xffffu, words[1] >> 16);
}

// words: aligned, the first sample three to the left of the block's.
INTER_ROW inter_filter_across(uint words[6], InterTaps taps) {
    float s[11];
    [[unroll]] for (int i = 0; i < 11; i++)
        s[i] = float((i & 1) == 0 ? words[i >> 1] & 0xffffu : words[i >> 1] >> 16);
    INTER_ROW result;
    [[unroll]] for (int i = 0; i < 4; i++) {
        float sum = 0.5;
        [[unroll]] for (int k = 0; k < 8; k++)
            sum += s[i + k] * taps.t[k];
        result[i] = inter_clip(sum);
    }
    return result;
}

// The filter down, turned round: a row is added to the sums of the eight results that it is part
// of, the nearest one first, and the nearest one is then complete. So sums move on by being added
// to, and no rows are kept.
struct InterSums {
    INTER_ROW a, b, c, d, e, f, g;
};

InterSums inter_no_sums() {
    INTER_ROW none = INTER_ROW(0.0);
    return InterSums(none, none, none, none, none, none, none);
}

INTER_ROW inter_add_row(inout InterSums sums, INTER_ROW row, InterTaps taps) {
    INTER_ROW sum = sums.a + row * taps.t[7];
    sums.a = sums.b + row * taps.t[6];
    sums.b = sums.c + row * taps.t[5];
    sums.c = sums.d + row * taps.t[4];
    sums.d = sums.e + row * taps.t[3];
    sums.e = sums.f + row * taps.t[2];
    sums.f = sums.g + row * taps.t[1];
    sums.g = row * taps.t[0] + 0.5;
    return INTER_ROW(inter_clip(sum.x), inter_clip(sum.y), inter_clip(sum.z), inter_clip(sum.w));
}

uvec2 inter_pack(INTER_ROW row) {
    uvec4 wide = uvec4(row);
    return wide.xz + (wide.yw << 16);
}
