// SPDX-License-Identifier: BSD-2-Clause
// The 8-tap filters on samples of 8 bits, VP9 bitstream specification 8.5.2.3, two samples in one
// multiplication: V3D spends two slots on it, however many bits it needs.
//
// A pair is sample n in the lower and sample n + 2 in the upper half of a word. Sums of products
// with taps lie between -13515 and 46155 for any filter of the standard, so with MC_LIFT added
// neither half leaves 16 bits, and what the lower one borrows or carries on the way cancels out.

#define MC_ROW uvec4 // the pairs of samples 0, 1, 4 and 5

const uint MC_BOTH_HALVES = 0x00010001u;
const uint MC_LIFT = 16384u * MC_BOTH_HALVES; // 128 after rounding
const uint MC_ROUND = 64u * MC_BOTH_HALVES;

struct McTaps {
    int t[8];
};

McTaps mc_unpack_taps(uvec2 packed) {
    McTaps taps;
    [[unroll]] for (int i = 0; i < 4; i++) {
        taps.t[i] = mc_tap(packed.x, i);
        taps.t[4 + i] = mc_tap(packed.y, i);
    }
    return taps;
}

uint mc_even(uint word) { return word & 0x00ff00ffu; }
uint mc_odd(uint word) { return word >> 8 & 0x00ff00ffu; }

// Rounded and clipped, and still lifted by 128 in each half. The sum of all taps is 128, so the
// filter down gives its own lift for free.
uint mc_clip(uint sum) {
    uint a = clamp((sum & 0xffffu) >> 7, 128u, 383u);
    uint b = clamp(sum >> 23, 128u, 383u);
    return a + (b << 16);
}

// words: aligned, the first sample three to the left of the block's. Where only one word is wanted,
// the compiler drops what makes the other.
MC_ROW mc_filter_across(uint words[6], McTaps taps) {
    uint p[16];
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint middle = words[i] >> 16 | words[i + 1] << 16;
        p[4 * i] = mc_even(words[i]);
        p[4 * i + 1] = mc_odd(words[i]);
        p[4 * i + 2] = mc_even(middle);
        p[4 * i + 3] = mc_odd(middle);
    }
    MC_ROW result;
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint sum = MC_LIFT + MC_ROUND;
        [[unroll]] for (int k = 0; k < 8; k++)
            sum += p[(i & 1) + (i >> 1) * 4 + k] * uint(taps.t[k]);
        result[i] = mc_clip(sum);
    }
    return result;
}

// Without a filter across: the same pairs, lifted as the others.
MC_ROW mc_spread(uint words[6]) {
    uint lift = 128u * MC_BOTH_HALVES;
    return MC_ROW(mc_even(words[0]), mc_odd(words[0]), mc_even(words[1]), mc_odd(words[1])) + lift;
}

// The filter down, turned round: a row is added to the sums of the eight results that it is part
// of, the nearest one first, and the nearest one is then complete. So sums move on by being added
// to, and no rows are kept.
struct McSums {
    MC_ROW a, b, c, d, e, f, g;
};

McSums mc_no_sums() {
    MC_ROW none = MC_ROW(0u);
    return McSums(none, none, none, none, none, none, none);
}

MC_ROW mc_add_row(inout McSums sums, MC_ROW row, McTaps taps) {
    MC_ROW sum = sums.a + row * uint(taps.t[7]);
    sums.a = sums.b + row * uint(taps.t[6]);
    sums.b = sums.c + row * uint(taps.t[5]);
    sums.c = sums.d + row * uint(taps.t[4]);
    sums.d = sums.e + row * uint(taps.t[3]);
    sums.e = sums.f + row * uint(taps.t[2]);
    sums.f = sums.g + row * uint(taps.t[1]);
    sums.g = row * uint(taps.t[0]) + MC_ROUND;
    return MC_ROW(mc_clip(sum.x), mc_clip(sum.y), mc_clip(sum.z), mc_clip(sum.w));
}

// Words of samples from lifted pairs.
uvec2 mc_pack(MC_ROW row) { return row.xz + (row.yw << 8) - 0x80808080u; }
