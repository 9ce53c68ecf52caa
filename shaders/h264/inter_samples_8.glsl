// SPDX-License-Identifier: BSD-2-Clause
// Samples of 8 bits two to a register: sample n in the lower and sample n + 2 in the upper half of
// a word. What the lower half borrows or carries on the way cancels out in sums, and a lift makes
// both halves positive where they are taken apart.

#define INTER_PART uint
#define INTER_ROW uvec4 // the pairs of samples 0, 1, 4 and 5

const uint INTER_BOTH_HALVES = 0x00010001u;
// The six taps give -2550 to 10710.
const uint INTER_LIFT = 2560u * INTER_BOTH_HALVES; // 80 after rounding
const uint INTER_ROUND = 16u * INTER_BOTH_HALVES;

uint inter_even(uint word) { return word & 0x00ff00ffu; }
uint inter_odd(uint word) { return word >> 8 & 0x00ff00ffu; }

INTER_ROW inter_unpack(uvec2 words) {
    return INTER_ROW(inter_even(words.x), inter_odd(words.x), inter_even(words.y),
                     inter_odd(words.y));
}
uvec2 inter_pack(INTER_ROW row) { return row.xz + (row.yw << 8); }

// All pairs of a row of aligned words, and of them the row that begins with sample `first`, a
// literal: an array that is indexed by anything else would be memory.
#define INTER_PARTS 16
void inter_part(uint words[5], out INTER_PART p[INTER_PARTS]) {
    [[unroll]] for (int i = 0; i < 4; i++) {
        uint middle = words[i] >> 16 | words[i + 1] << 16;
        p[4 * i] = inter_even(words[i]);
        p[4 * i + 1] = inter_odd(words[i]);
        p[4 * i + 2] = inter_even(middle);
        p[4 * i + 3] = inter_odd(middle);
    }
}
#define INTER_AT(p, first) INTER_ROW(p[first], p[first + 1], p[first + 4], p[first + 5])

// The six taps (8.4.2.2.1): 1, -5, 20, 20, -5, 1.
INTER_ROW inter_six(INTER_ROW a, INTER_ROW b, INTER_ROW c, INTER_ROW d, INTER_ROW e, INTER_ROW f) {
    INTER_ROW inner = (c + d << 2) - (b + e);
    return a + f + inner + (inner << 2);
}

// A sum of six taps with both halves positive; it goes into inter_half() and inter_centre().
INTER_ROW inter_lifted(INTER_ROW sum) { return sum + INTER_LIFT; }

uint inter_half(uint sum) {
    sum += INTER_ROUND;
    uint a = clamp((sum & 0xffffu) >> 5, 80u, 335u);
    uint b = clamp(sum >> 21, 80u, 335u);
    return a + (b << 16) - 80u * INTER_BOTH_HALVES;
}
INTER_ROW inter_half(INTER_ROW sum) {
    return INTER_ROW(inter_half(sum.x), inter_half(sum.y), inter_half(sum.z), inter_half(sum.w));
}

// Of six such sums the half sample amid four: 20 bits, so each half on its own.
ivec4 inter_six_wide(uvec4 a, uvec4 b, uvec4 c, uvec4 d, uvec4 e, uvec4 f) {
    ivec4 inner = ivec4(c + d << 2) - ivec4(b + e);
    ivec4 sum = ivec4(a + f) + inner + (inner << 2);
    return clamp(sum + (512 - 32 * 2560) >> 10, 0, 255);
}
INTER_ROW inter_centre(INTER_ROW a, INTER_ROW b, INTER_ROW c, INTER_ROW d, INTER_ROW e,
                       INTER_ROW f) {
    ivec4 low = inter_six_wide(a & 0xffffu, b & 0xffffu, c & 0xffffu, d & 0xffffu, e & 0xffffu,
                               f & 0xffffu);
    ivec4 high = inter_six_wide(a >> 16, b >> 16, c >> 16, d >> 16, e >> 16, f >> 16);
    return uvec4(low) + (uvec4(high) << 16);
}

// Chroma's filter in one direction; fraction in eighths. Both directions give at most 64 * 255.
INTER_ROW inter_blend(INTER_ROW a, INTER_ROW b, uint fraction) {
    return (a << 3) + (b - a) * fraction;
}
INTER_ROW inter_blended(INTER_ROW sum) {
    return sum + 32u * INTER_BOTH_HALVES >> 6 & 0x00ff00ffu;
}
