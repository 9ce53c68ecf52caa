// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CORE_GLSL
#define H264_FILTER_CORE_GLSL

// Deblocking arithmetic, ITU-T H.264 8.7.2.2 to 8.7.2.4. A word holds the same sample (p1, say) of
// two lines, 16 bits each; Words has those of all lines that are filtered at once. Additions of
// words add both halves at once as long as every final half stays in 0..65535: so values that may
// be negative carry a bias. Comparisons become bits: `(bound + FLAG - value)` has FLAG set where
// value <= bound. V3D issues an addition beside a logical operation, which is why there are more of
// them than of anything else.

#ifdef MBAFF
#define Words uint
#else
#define Words uvec2
#endif

const uint ONES = 0x00010001u;

#ifdef HIGH_DEPTH
const uint DIFF_BIAS = 0x8000u; // differences of samples, modulo 2^15 above this bit
const uint DIFF_MASK = 0x7fff7fffu;
const int FLAG_BIT = 15;
#else
const uint DIFF_BIAS = 0x400u;
const uint DIFF_MASK = 0x03ff03ffu;
const int FLAG_BIT = 10;
#endif
const uint FLAGS = ONES << FLAG_BIT;
const uint HALF_MASK = 0x7fff7fffu; // after a shift right by one

// alpha and beta in the forms that the comparisons need.
struct Limits {
    Words alpha_add, alpha_top, beta_add, beta_top;
};

// |d| < limit is 0 <= d + limit - 1 <= 2 * limit - 2; a negative d wraps to above that. A limit of 0,
// which lets nothing pass, needs max(): so alpha has it, and beta is 0 only where alpha is.
Words limit_add(Words limit) { return limit + (DIFF_BIAS - 1u) * ONES; }
Words limit_top(Words limit) { return limit * 2u + ((1u << FLAG_BIT) - 2u) * ONES; }
Words limit_top_or_none(Words limit) {
    return max(limit * 2u, ONES) + ((1u << FLAG_BIT) - 2u) * ONES;
}
const uint NO_LINE = ((1u << FLAG_BIT) - 1u) * ONES;

Words close(Words biased_difference, Words top) { return top - (biased_difference & DIFF_MASK); }

// All ones below FLAG_BIT, which is wider than samples are, in the halves where it is set.
Words mask_of(Words v) {
    Words flags = v & FLAGS;
    return flags - (flags >> FLAG_BIT);
}

// max(v - FLAG, 0), each half.
Words keep_positive(Words v) { return v & mask_of(v); }

// limit - clamp(v - FLAG, -limit, limit), each half.
Words limited(Words v, Words limit) {
    return keep_positive(limit + limit + FLAGS - keep_positive(v + limit));
}

#ifdef HIGH_DEPTH
// halves: sample + 0x8000, at most a few hundred out of range on either side. An excess shows in
// bit bit_depth; filling the bits below it clips it, and one more clips a deficit to 0.
Words clip_samples(Words v) {
    Words out_of_range = v & (ONES << push.bit_depth);
    Words fill = out_of_range - (out_of_range >> push.bit_depth);
    return ((v | fill) + ONES - (v >> 15 & ONES)) & ((ONES << push.bit_depth) - ONES);
}
const uint CLIP_BIAS = 0x8000u * ONES;
#else
// halves: sample + 0x400, at most 255 out of range on either side.
Words clip_samples(Words v) {
    Words out_of_range = v & 0x01000100u;
    Words fill = out_of_range - (out_of_range >> 8);
    return ((v | fill) + (v >> 9 & ONES)) & 0x00ff00ffu;
}
const uint CLIP_BIAS = 0x400u * ONES;
#endif

// ((4 * (q0 - p0) + p1 - q1 + 4) >> 3) + FLAG.
Words line_delta(Words p1, Words p0, Words q0, Words q1) {
#ifdef HIGH_DEPTH
    // In two steps, which round the same: 4 * (q0 - p0) has 17 bits at 14 bits of depth.
    Words quarter = (p1 + (0x8004u * ONES) - q1) >> 2 & 0x3fff3fffu;
    return ((q0 + (0x4000u * ONES) - p0 + quarter) >> 1 & HALF_MASK) + 0x5000u * ONES;
#else
    return (((q0 + (0x801u * ONES) - p0) << 2) + (p1 - q1)) >> 3 & 0x1fff1fffu;
#endif
}

// Moves p0 and q0 towards each other by what line_delta says, but by at most tc (8.7.2.3).
void move_middle(Words p1, inout Words p0, inout Words q0, Words q1, Words tc) {
    Words delta = tc + CLIP_BIAS - limited(line_delta(p1, p0, q0, q1), tc);
    p0 = clip_samples(p0 + delta);
    q0 = clip_samples(q0 + CLIP_BIAS * 2u - delta);
}

// What move_side needs of (p0 + q0 + 1) >> 1.
Words middle_of(Words p0, Words q0) {
#ifdef HIGH_DEPTH
    return (p0 + q0 + ONES) >> 1 & HALF_MASK;
#else
    return (p0 + q0 + 0x1001u * ONES) >> 1; // bit 15 is masked together with the next shift's
#endif
}

// Sample 1 of a side in 8.7.2.3, moved by at most `limit`.
Words move_side(Words s2, Words s1, Words middle, Words limit) {
#ifdef HIGH_DEPTH
    Words target = ((s2 + middle) >> 1 & HALF_MASK) + FLAGS;
#else
    Words target = (s2 + middle) >> 1 & 0x3fff3fffu;
#endif
    return s1 + limit - limited(target - s1, limit);
}

// The line's filterSamplesFlag, and those of sides where sample 2 is close too: 0 or 1 a half.
struct Flags {
    Words line, p, q;
};

Flags line_flags(Words p2, Words p1, Words p0, Words q0, Words q1, Words q2, Limits k) {
    Words from_p = p0 + k.beta_add;
    Words from_q = q0 + k.beta_add;
    Words line = close(q0 + k.alpha_add - p0, k.alpha_top) & close(from_p - p1, k.beta_top) &
                 close(from_q - q1, k.beta_top);
    Flags flags;
    line &= FLAGS;
    flags.p = (close(from_p - p2, k.beta_top) & line) >> FLAG_BIT;
    flags.q = (close(from_q - q2, k.beta_top) & line) >> FLAG_BIT;
    flags.line = line >> FLAG_BIT;
    return flags;
}

// Strengths 1 to 3 for luma, 8.7.2.3. `sides` is flags.p + flags.q; with tc0 and it 0 nothing changes.
void filter_normal(Flags flags, Words p2, inout Words p1, inout Words p0, inout Words q0,
                   inout Words q1, Words q2, Words tc0, Words sides) {
    Words middle = middle_of(p0, q0);
    Words old1 = p1;
    p1 = move_side(p2, p1, middle, flags.p * tc0);
    move_middle(old1, p0, q0, q1, flags.line * tc0 + sides);
    q1 = move_side(q2, q1, middle, flags.q * tc0);
}

// Its q1 alone, which depends on no sample before p1.
Words filter_normal_q1(Words p1, Words p0, Words q0, Words q1, Words q2, Limits k, Words tc0) {
    Flags flags = line_flags(p0, p1, p0, q0, q1, q2, k);
    return move_side(q2, q1, middle_of(p0, q0), flags.q * tc0);
}

// All ones in the halves that are 1.
Words spread(Words flags) { return (flags << 16) - flags; }

Words choose(Words mask, Words a, Words b) { return (a & mask) + (b & (0xffffffffu - mask)); }

// One side of 8.7.2.4: a of this side, b of the other; `wide` only where `line` is.
void smooth_side(Words a3, inout Words a2, inout Words a1, inout Words a0, Words b0, Words b1,
                 Words line, Words wide) {
    Words sum = a1 + a0 + b0;
    Words sum2 = sum + a2;
    Words narrow = (a1 + a1 + a0 + b1 + 2u * ONES) >> 2 & 0x3fff3fffu;
#ifdef HIGH_DEPTH
    // Halved before the last addition, so that 14-bit samples fit.
    Words wide0 = (sum + (((a2 + b1) >> 1 & HALF_MASK) + 2u * ONES)) >> 2 & 0x3fff3fffu;
    Words wide2 = (a3 + a2 + ((sum2 >> 1 & HALF_MASK) + 2u * ONES)) >> 2 & 0x3fff3fffu;
#else
    Words wide0 = (sum2 + sum + b1 + 4u * ONES) >> 3 & 0x1fff1fffu;
    Words wide2 = (sum2 + (a3 + a2) + (a3 + a2) + 4u * ONES) >> 3 & 0x1fff1fffu;
#endif
    Words wide1 = (sum2 + 2u * ONES) >> 2 & 0x3fff3fffu;
    a0 = (wide0 & wide) + (narrow & (line - wide)) + (a0 & (0xffffffffu - line));
    a1 = choose(wide, wide1, a1);
    a2 = choose(wide, wide2, a2);
}

// Strength 4 for luma. `near` is (alpha >> 2) + 2.
void filter_strong(Flags flags, Words p3, inout Words p2, inout Words p1, inout Words p0,
                   inout Words q0, inout Words q1, inout Words q2, Words q3, Words near) {
    Words is_near = close(q0 + limit_add(near) - p0, limit_top(near)) >> FLAG_BIT;
    Words line = spread(flags.line);
    Words old0 = p0;
    Words old1 = p1;
    smooth_side(p3, p2, p1, p0, q0, q1, line, spread(flags.p & is_near));
    smooth_side(q3, q2, q1, q0, old0, old1, line, spread(flags.q & is_near));
}

// filterSamplesFlag of chroma in 4:2:0 and 4:2:2, as a mask.
Words chroma_flags(Words p1, Words p0, Words q0, Words q1, Limits k) {
    return mask_of(close(q0 + k.alpha_add - p0, k.alpha_top) &
                   close(p0 + k.beta_add - p1, k.beta_top) &
                   close(q0 + k.beta_add - q1, k.beta_top));
}

// Its filter for strengths 1 to 3; tc has a value a half, as two segments may share a word.
void filter_chroma(Words flags, Words p1, inout Words p0, inout Words q0, Words q1, Words tc) {
    move_middle(p1, p0, q0, q1, tc & flags);
}

void filter_chroma_strong(Words flags, Words p1, inout Words p0, inout Words q0, Words q1) {
    Words p = (p1 + p1 + p0 + q1 + 2u * ONES) >> 2 & 0x3fff3fffu;
    Words q = (q1 + q1 + q0 + p1 + 2u * ONES) >> 2 & 0x3fff3fffu;
    p0 = choose(flags, p, p0);
    q0 = choose(flags, q, q0);
}

#endif
