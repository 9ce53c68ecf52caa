// SPDX-License-Identifier: BSD-2-Clause
// The 8-tap filters on samples of more than 8 bits, VP9 bitstream specification 8.5.2.3, in floating
// point: V3D multiplies integers in two slots and floats in one. All of it is exact: taps are
// multiples of 1/128 and sums below 2^13, which needs 20 bits.

#define MC_ROW vec4 // samples 0 to 3

struct McTaps {
    float t[8];
};

McTaps mc_unpack_taps(uvec2 packed) {
    McTaps taps;
    [[unroll]] for (int i = 0; i < 4; i++) {
        taps.t[i] = float(mc_tap(packed.x, i)) * (1.0 / 128.0);
        taps.t[4 + i] = float(mc_tap(packed.y, i)) * (1.0 / 128.0);
    }
    return taps;
}

float mc_clip(float sum) { return clamp(floor(sum), 0.0, float(push.sample_max)); }

MC_ROW mc_spread(uint words[6]) {
    return MC_ROW(words[0] & 0xffffu, words[0] >> 16, words[1] & 0xffffu, words[1] >> 16);
}

// words: aligned, the first sample three to the left of the block's.
MC_ROW mc_filter_across(uint words[6], McTaps taps) {
    float s[11];
    [[unroll]] for (int i = 0; i < 11; i++)
        s[i] = float((i & 1) == 0 ? words[i >> 1] & 0xffffu : words[i >> 1] >> 16);
    MC_ROW result;
    [[unroll]] for (int i = 0; i < 4; i++) {
        float sum = 0.5;
        [[unroll]] for (int k = 0; k < 8; k++)
            sum += s[i + k] * taps.t[k];
        result[i] = mc_clip(sum);
    }
    return result;
}

// The filter down, turned round: a row is added to the sums of the eight results that it is part
// of, the nearest one first, and the nearest one is then complete. So sums move on by being added
// to, and no rows are kept.
struct McSums {
    MC_ROW a, b, c, d, e, f, g;
};

McSums mc_no_sums() {
    MC_ROW none = MC_ROW(0.0);
    return McSums(none, none, none, none, none, none, none);
}

MC_ROW mc_add_row(inout McSums sums, MC_ROW row, McTaps taps) {
    MC_ROW sum = sums.a + row * taps.t[7];
    sums.a = sums.b + row * taps.t[6];
    sums.b = sums.c + row * taps.t[5];
    sums.c = sums.d + row * taps.t[4];
    sums.d = sums.e + row * taps.t[3];
    sums.e = sums.f + row * taps.t[2];
    sums.f = sums.g + row * taps.t[1];
    sums.g = row * taps.t[0] + 0.5;
    return MC_ROW(mc_clip(sum.x), mc_clip(sum.y), mc_clip(sum.z), mc_clip(sum.w));
}

uvec2 mc_pack(MC_ROW row) {
    uvec4 wide = uvec4(row);
    return wide.xz + (wide.yw << 16);
}
