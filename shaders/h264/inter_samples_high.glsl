// SPDX-License-Identifier: BSD-2-Clause
// Samples of more than 8 bits, one to a register.

#define INTER_PART int
#define INTER_ROW ivec4 // samples 0 to 3

INTER_ROW inter_unpack(uvec2 words) {
    return INTER_ROW(words.x & 0xffffu, words.x >> 16, words.y & 0xffffu, words.y >> 16);
}
uvec2 inter_pack(INTER_ROW row) { return uvec2(row.xz) + (uvec2(row.yw) << 16); }

// All samples of a row of aligned words, and of them the row that begins with sample `first`, a
// literal: an array that is indexed by anything else would be memory.
#define INTER_PARTS 10
void inter_part(uint words[5], out INTER_PART p[INTER_PARTS]) {
    [[unroll]] for (int i = 0; i < 5; i++) {
        p[2 * i] = int(words[i] & 0xffffu);
        p[2 * i + 1] = int(words[i] >> 16);
    }
}
#define INTER_AT(p, first) INTER_ROW(p[first], p[first + 1], p[first + 2], p[first + 3])

// The six taps (8.4.2.2.1): 1, -5, 20, 20, -5, 1.
INTER_ROW inter_six(INTER_ROW a, INTER_ROW b, INTER_ROW c, INTER_ROW d, INTER_ROW e, INTER_ROW f) {
    INTER_ROW inner = (c + d << 2) - (b + e);
    return a + f + inner + (inner << 2);
}

INTER_ROW inter_lifted(INTER_ROW sum) { return sum; }
INTER_ROW inter_half(INTER_ROW sum) { return clamp(sum + 16 >> 5, 0, int(push.sample_max)); }
INTER_ROW inter_centre(INTER_ROW a, INTER_ROW b, INTER_ROW c, INTER_ROW d, INTER_ROW e,
                       INTER_ROW f) {
    return clamp(inter_six(a, b, c, d, e, f) + 512 >> 10, 0, int(push.sample_max));
}

// Chroma's filter in one direction; fraction in eighths.
INTER_ROW inter_blend(INTER_ROW a, INTER_ROW b, uint fraction) {
    return (a << 3) + (b - a) * int(fraction);
}
INTER_ROW inter_blended(INTER_ROW sum) { return sum + 32 >> 6; }
