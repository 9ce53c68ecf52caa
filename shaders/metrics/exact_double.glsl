// SPDX-License-Identifier: BSD-2-Clause
// Rounding of IEEE doubles to nearest even, with integers: V3D has no doubles, and the last bit
// decides what VIF cuts off. A number is m 2^(e - 52) with bit 52 of m set.
struct Double {
    uvec2 m;
    int e;
};

void round_up(inout Double d) {
    d.m = wide_add(d.m, wide(1u));
    if (d.m.y >> 21u != 0u) { // 2^53
        d.m = wide_right(d.m, 1u);
        d.e++;
    }
}

// n / d for n of at most 31 bits; d's e counts.
Double exact_quotient(uint n, Double d) {
    uint top = uint(findMSB(n));
    uvec2 rest = wide_left(wide(n), 52u - top);
    Double q = Double(uvec2(0u), int(top) - d.e);
    if (wide_less(rest, d.m)) {
        rest = wide_left(rest, 1u);
        q.e--;
    }
    rest = wide_sub(rest, d.m);
    float inverse = 1.0 / wide_float(d.m);
    // 1, then 55 bits: 52 for the number, 3 to round by.
    uvec2 bits = wide(1u);
    [[unroll]] for (int i = 0; i < 5; i++)
        bits = wide_add(wide_left(bits, 11u), wide(wide_digit(rest, d.m, inverse)));
    q.m = wide_right(bits, 3u);
    uint below = bits.x & 7u;
    bool more = (rest.x | rest.y) != 0u || (q.m.x & 1u) != 0u;
    if (below > 4u || (below == 4u && more)) round_up(q);
    return q;
}

// The 128 bits of a product, most significant word last.
uvec4 full_product(uvec2 a, uvec2 b) {
    uvec2 low = wide_mul(a.x, b.x), cross_1 = wide_mul(a.x, b.y), cross_2 = wide_mul(a.y, b.x);
    uvec2 high = wide_mul(a.y, b.y);
    uvec2 middle = wide_add(wide_add(wide(low.y), wide(cross_1.x)), wide(cross_2.x));
    high = wide_add(high, wide_add(wide_add(wide(cross_1.y), wide(cross_2.y)), wide(middle.y)));
    return uvec4(low.x, middle.x, high);
}

// a b, where b's highest set bit is bit top of its word pair and stands for 2^b_e.
Double exact_product(Double a, uvec2 b, uint top, int b_e) {
    uvec4 p = full_product(a.m, b);
    // The product's highest bit is 52 + top or one more, which moves to bit 127.
    uint shift = 74u - top;
    if (shift >= 64u) {
        p = uvec4(0u, 0u, p.xy);
        shift -= 64u;
    }
    if (shift >= 32u) {
        p = uvec4(0u, p.xyz);
        shift -= 32u;
    }
    if (shift != 0u) p = p << shift | uvec4(0u, p.xyz >> (32u - shift));
    Double r = Double(uvec2(0u), a.e + b_e + 1);
    if (p.w >> 31u == 0u) {
        p = p << 1u | uvec4(0u, p.xyz >> 31u);
        r.e--;
    }
    r.m = wide_right(p.zw, 11u);
    uint below = p.z & 0x7ffu;
    bool more = (p.x | p.y) != 0u || (r.m.x & 1u) != 0u;
    if (below > 0x400u || (below == 0x400u && more)) round_up(r);
    return r;
}
Double exact_product(Double a, uint b) {
    uint top = uint(findMSB(b));
    return exact_product(a, wide(b), top, int(top));
}
Double exact_square(Double a) { return exact_product(a, a.m, 52u, a.e); }

// Cut off to an integer; 0 <= d < 2^53.
uvec2 truncated(Double d) { return d.e < 0 ? uvec2(0u) : wide_right(d.m, uint(52 - d.e)); }

// The integer part of round(n - d) where that is positive, else 0; d > 0.
uint exact_difference(uint n, Double d) {
    if (d.e >= 31) return 0u;
    uint whole = truncated(d).x;
    // The fraction of d in units of 2^-64, and whether something is left below.
    uvec2 fraction;
    bool sticky = false;
    int left = 12 + d.e; // bit 52 of m stands for 2^e, that is for bit 64 + e
    if (left >= 0) {
        fraction = wide_left(d.m, uint(left)); // the whole part runs out at the top
    } else {
        uint right = uint(min(-left, 63));
        fraction = wide_right(d.m, right);
        sticky = wide_left(fraction, right) != d.m;
    }
    if (whole >= n) return 0u;
    uint rest = n - whole;
    if ((fraction.x | fraction.y) == 0u && !sticky) return rest;
    // rest - fraction lies below rest; it rounds to rest where the fraction is at most half of a
    // unit in the last place below rest.
    uint top = uint(findMSB(rest));
    uint half_ulp = (rest & (rest - 1u)) == 0u ? 10u + top : 11u + top; // its bit
    uvec2 limit = wide_left(wide(1u), half_ulp);
    bool rounds = wide_less(fraction, limit) || (fraction == limit && !sticky);
    return rounds ? rest : rest - 1u;
}
