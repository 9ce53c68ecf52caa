// SPDX-License-Identifier: BSD-2-Clause
// The sample filtering process (8.8.5) on two lines at once: a word holds the same sample of two
// lines in its 16-bit halves. Sums and differences of such words are exact in each half as long as
// the whole is looked at only where both halves are known not to be negative; comparisons are made
// that way, by adding a guard bit to each half. FILTER_DEPTH is the bit depth.
//
// p.w and q.x touch the edge: p holds p3 p2 p1 p0, q holds q0 q1 q2 q3.

const uint BOTH = 0x00010001u;
const uint GUARD = 0x80008000u;
const uint RANGE = BOTH << FILTER_DEPTH; // one above the largest sample
const uint SAMPLE = RANGE - BOTH;
const uint FLAT = GUARD + (BOTH << (FILTER_DEPTH - 8));

// 8.8.4: what |differences| may reach at most, guard bits added.
struct Limits {
    uint near;  // between neighbours
    uint outer; // 2 * limit + 1 for 4 * |p0 - q0| + |p1 - q1|, which spares the halving
};

Limits limits_of(uint level) {
    uint limit = max(min(level >> push.limit_shift, push.limit_cap), 1u);
    limit += limit << 16;
    level += level << 16;
    Limits limits;
    limits.near = (limit << (FILTER_DEPTH - 8)) + GUARD;
    limits.outer =
        ((level + level + limit + BOTH * 4u) << (FILTER_DEPTH - 7)) + (GUARD + BOTH);
    return limits;
}

// Clears the guard bits where |difference| is above the limit; the other bits are noise. Tests are
// chained rather than collected, so that the compiler holds few of their results at a time.
uint within(uint guards, uint difference, uint limit) {
    return guards & (difference + limit) & (limit - difference);
}

// All bits of the halves whose guard bit is set. Nothing but guard bits may be set.
uint whole(uint guards) { return (guards + guards) - (guards >> 15); }

uint pick(uint a, uint b, uint mask) { return a ^ ((a ^ b) & mask); }
uvec4 pick(uvec4 a, uvec4 b, uint mask) { return a ^ ((a ^ b) & mask); }
uvec3 pick(uvec3 a, uvec3 b, uint mask) { return a ^ ((a ^ b) & mask); }

// 8.8.5.2, guard bits of the lines that are filtered.
// The differences are the negatives of those in narrow(), which the compiler would otherwise hold
// from here to there.
uint filter_mask(uvec4 p, uvec4 q, Limits limits) {
    uint guards = within(GUARD, p.x - p.y, limits.near);
    guards = within(guards, p.y - p.z, limits.near);
    guards = within(guards, p.w - p.z, limits.near);
    guards = within(guards, q.x - q.y, limits.near);
    guards = within(guards, q.z - q.y, limits.near);
    guards = within(guards, q.w - q.z, limits.near);
    uint step4 = (p.w - q.x) << 2, outer = q.y - p.z;
    guards = within(guards, step4 + outer, limits.outer);
    return within(guards, step4 - outer, limits.outer);
}

// Whether a, b, c and d are all close to the sample that touches the edge.
uint flat_mask(uint guards, uvec3 side, uint centre) {
    guards = within(guards, side.x - centre, FLAT);
    guards = within(guards, side.y - centre, FLAT);
    return within(guards, side.z - centre, FLAT);
}
uint flat_mask(uint guards, uvec4 side, uint centre) {
    return within(flat_mask(guards, side.xyz, centre), side.w - centre, FLAT);
}

// Halves hold value + RANGE, and may hold more in multiples of 4 * RANGE: value clamped to samples.
uint clamp_high(uint biased) {
    uint over = biased & (RANGE << 1);
    return biased | (over - (over >> (FILTER_DEPTH + 1)));
}
uint clamp_low(uint biased) {
    uint inside = biased & RANGE;
    return biased & (inside - (inside >> FILTER_DEPTH));
}
uint clamp_sample(uint biased) { return clamp_low(clamp_high(biased)); }

// 8.8.5.3 on the lines of `guards`; the others keep their samples.
//
// The specification clamps a filter value f to the signed range of a sample and then takes
// min(f + 4, max) >> 3 and min(f + 3, max) >> 3. Both are had from one value in 0 .. SAMPLE - 1,
// f + 3 + half the range, clamped once: below, because f + 3 and f + 4 have the same eighth there;
// above, because the minimum cuts there anyway.
//
// Samples that leave their range are rare. They are reported, not clamped: when the result is not 0,
// clamp_four has to follow.
uint narrow(inout uvec4 p, inout uvec4 q, uint level, uint guards) {
    const uint HALF = RANGE >> 1;
    uint above_hev = (level >> 4) << (FILTER_DEPTH - 8);
    above_hev = (GUARD - BOTH) - (above_hev + (above_hev << 16));
    uint inner_p = p.z - p.w, inner_q = q.y - q.x;
    uint hev = (above_hev + inner_p) | (above_hev - inner_p) | (above_hev + inner_q) |
               (above_hev - inner_q);
    hev &= guards;
    uint hev_whole = whole(hev), step1 = q.x - p.w;
    uint outer = clamp_sample(p.z - q.y + (RANGE + HALF)) & hev_whole;
    uint f = outer - (hev >> (16 - FILTER_DEPTH)) + step1 + step1 + step1;
    f = clamp_high(f + (5u * RANGE + HALF + BOTH * 4u)) - BOTH;
    f = pick(HALF + BOTH * 3u, clamp_low(f), whole(guards));

    const uint EIGHTH = (SAMPLE >> 3) & (0x1fffu * BOTH), ZERO = HALF >> 3;
    uint f2 = (f >> 3) & EIGHTH, f1 = ((f + BOTH) >> 3) & EIGHTH;
    uint f3 = ((f1 + BOTH) >> 1) & EIGHTH;
    f3 = pick(f3, ZERO >> 1, hev_whole);
    p.w = p.w + f2 - ZERO;
    q.x = q.x - f1 + ZERO;
    f3 -= ZERO >> 1;
    p.z = p.z + f3;
    q.y = q.y - f3;
    return (p.w | q.x | p.z | q.y) & ~SAMPLE;
}
void clamp_four(inout uvec4 p, inout uvec4 q) {
    p.w = clamp_sample(p.w + RANGE);
    q.x = clamp_sample(q.x + RANGE + (p.w & push.zero));
    p.z = clamp_sample(p.z + RANGE + (q.x & push.zero));
    q.y = clamp_sample(q.y + RANGE + (p.z & push.zero));
}

// 8.8.5.4 with 8 taps on the lines of `mask`: a sum that slides over p3 .. q3.
void wide_8(inout uvec4 p, inout uvec4 q, uint mask) {
    uint sum = p.x + p.x + p.x + p.y + p.y + p.z + p.w + q.x + BOTH * 4u;
    uint p2 = sum;
    sum = sum + p.z - p.y + q.y - p.x;
    uint p1 = sum;
    sum = sum + p.w - p.z + q.z - p.x;
    uint p0 = sum;
    sum = sum + q.x - p.w + q.w - p.x;
    uint q0 = sum;
    sum = sum + q.y - q.x + q.w - p.y;
    uint q1 = sum;
    sum = sum + q.z - q.y + q.w - p.z;
    p.yzw = pick(p.yzw, (uvec3(p2, p1, p0) >> 3) & SAMPLE, mask);
    q.xyz = pick(q.xyz, (uvec3(q0, q1, sum) >> 3) & SAMPLE, mask);
}

// The same with 16 taps over p7 .. q7.
void wide_16(inout uvec4 pp, inout uvec4 p, inout uvec4 q, inout uvec4 qq, uint mask) {
    uint x[16] = uint[16](pp.x, pp.y, pp.z, pp.w, p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w, qq.x,
                          qq.y, qq.z, qq.w);
    uint n[16];
    uint sum = (x[0] << 3) + x[0] + BOTH * 8u;
    [[unroll]] for (int i = 1; i < 8; i++) sum += x[i];
    [[unroll]] for (int i = 1; i < 15; i++) {
        sum = sum + x[min(i + 7, 15)] - x[max(i - 8, 0)] + x[i] - x[i - 1];
        n[i] = (sum >> 4) & SAMPLE;
    }
    pp.yzw = pick(pp.yzw, uvec3(n[1], n[2], n[3]), mask);
    p = pick(p, uvec4(n[4], n[5], n[6], n[7]), mask);
    q = pick(q, uvec4(n[8], n[9], n[10], n[11]), mask);
    qq.xyz = pick(qq.xyz, uvec3(n[12], n[13], n[14]), mask);
}
