// SPDX-License-Identifier: BSD-2-Clause
// The 8-tap filters on samples of 8 bits, VP9 bitstream specification 8.5.2.3, two samples in one
// multiplication: V3D spends two slots on it, however many bits it needs.
//
// A pair is sample n in the lower and sample n + 2 in the upper half of a word. Sums of products
// with taps lie between -13515 and 46155 for any filter of the standard, so with INTER_LIFT added
// neither half leaves 16 bits, and what the lower one borrows or carries on the way cancels out.

#define INTER_ROW uvec4 // the pairs of samples 0, 1, 4 and 5

const uint INTER_BOTH_HALVES = 0x00010001u;
const uint INTER_LIFT = 16384u * INTER_BOTH_HALVES; // 128 after rounding
const uint INTER_ROUND = 64u * INTER_BOTH_HALVES;

struct InterTaps {
    int t[8];
};

InterTaps inter_unpack_taps(uvec2 packed) {
    InterTaps taps;
    [[unroll]] for (int i = 0; i < 4; i++) {
        taps.t[i] = inter_tap(packed.x, i);
        taps.t[4 + i] = inter_tap(packed.y, i);
    }
    return taps;
}

uint inter_even(uint word) { return word & 0x00ff00ffu; }
uint inter_odd(uint word) { return word >> 8 & 0x00ff00ffu; }

// Rounded and clipped, and still lifted by 128 in each half. The sum of all taps is 128, so the
// filter down gives its own lift for free.
uint inter_clip(uint sum) {
    uint a = clamp((sum & 0xffffu) >> 7, 128u, 383u);
    uint b = clamp(sum >> 23, 128u, 383u);
    return a + (b << 16);
}

// words: aligned, the first sample three to the left of the block's. Where only one word is wanted,
// the compiler drops what makes the other.
INTER_ROW inter_filter_across(uint words[6], InterTaps taps) {
    uint p[16];
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint middle = words[i] >> 16 | words[i + 1] << 16;
        p[4 * i] = inter_even(words[i]);
        p[4 * i + 1] = inter_odd(words[i]);
        p[4 * i + 2] = inter_even(middle);
        p[4 * i + 3] = inter_odd(middle);
    }
    INTER_ROW result;
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint sum = INTER_LIFT + INTER_ROUND;
        [[unroll]] for (int k = 0; k < 8; k++)
            sum += p[(i & 1) + (i >> 1) * 4 + k] * uint(taps.t[k]);
        result[i] = inter_clip(sum);
    }
    return result;
}

// Without a filter across: the same pairs, lifted as the others.
INTER_ROW inter_spread(uint words[6]) {
    uint lift = 128u * INTER_BOTH_HALVES;
    return INTER_ROW(inter_even(words[0]), inter_odd(words[0]), inter_even(words[1]), inter_odd(words[1])) + lift;
}

// The filter down, turned round: a row is added to the sums of the eight results that it is part
// of, the nearest one first, and the nearest one is then complete. So sums move on by being added
// to, and no rows are kept.
struct InterSums {
    INTER_ROW a, b, c, d, e, f, g;
};

InterSums inter_no_sums() {
    INTER_ROW none = INTER_ROW(0u);
    return InterSums(none, none, none, none, none, none, none);
}

INTER_ROW inter_add_row(inout InterSums sums, INTER_ROW row, InterTaps taps) {
    INTER_ROW sum = sums.a + row * uint(taps.t[7]);
    sums.a = sums.b + row * uint(taps.t[6]);
    sums.b = sums.c + row * uint(taps.t[5]);
    sums.c = sums.d + row * uint(taps.t[4]);
    sums.d = sums.e + row * uint(taps.t[3]);
    sums.e = sums.f + row * uint(taps.t[2]);
    sums.f = sums.g + row * uint(taps.t[1]);
    sums.g = row * uint(taps.t[0]) + INTER_ROUND;
    return INTER_ROW(inter_clip(sum.x), inter_clip(sum.y), inter_clip(sum.z), inter_clip(sum.w));
}

// Words of samples from lifted pairs.
uvec2 inter_pack(INTER_ROW row) { return row.xz + (row.yw << 8) - 0x80808080u; }
