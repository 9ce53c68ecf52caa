// SPDX-License-Identifier: BSD-2-Clause
// 64-bit integers from 32-bit words: x is the lower word.
uvec2 wide(uint value) { return uvec2(value, 0u); }

uvec2 wide_add(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 wide_sub(uvec2 a, uvec2 b) { return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u)); }

bool wide_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

// By 0 to 63.
uvec2 wide_left(uvec2 a, uint n) {
    if (n >= 32u) {
        a = uvec2(0u, a.x);
        n -= 32u;
    }
    return n == 0u ? a : uvec2(a.x << n, a.y << n | a.x >> (32u - n));
}
uvec2 wide_right(uvec2 a, uint n) {
    if (n >= 32u) {
        a = uvec2(a.y, 0u);
        n -= 32u;
    }
    return n == 0u ? a : uvec2(a.x >> n | a.y << (32u - n), a.y >> n);
}

uvec2 wide_mul(uint a, uint b) {
    uint low, high;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}
// The lower 64 bits.
uvec2 wide_mul(uvec2 a, uint b) {
    uvec2 low = wide_mul(a.x, b);
    return uvec2(low.x, low.y + a.y * b);
}

float wide_float(uvec2 a) { return float(a.y) * 4294967296.0 + float(a.x); } // about

// One step of a division: 11 more bits of rest / divisor, for rest < divisor < 2^53. The guess may
// be one off, which the two comparisons put right.
uint wide_digit(inout uvec2 rest, uvec2 divisor, float inverse) {
    uint digit = min(uint(wide_float(rest) * 2048.0 * inverse), 2047u);
    uvec2 product = wide_mul(divisor, digit);
    rest = wide_left(rest, 11u);
    if (wide_less(rest, product)) {
        digit--;
        product = wide_sub(product, divisor);
    }
    rest = wide_sub(rest, product);
    if (!wide_less(rest, divisor)) {
        digit++;
        rest = wide_sub(rest, divisor);
    }
    return digit;
}
