// SPDX-License-Identifier: BSD-2-Clause
// The inverse transforms of one row or column (8.7.1) in plain loops.
#pragma once

#include <cstdint>

// Unrolled, the angles of the butterflies below are constants, and the compiler's code is as fast
// as if they were written out: without it 32x32 takes three times as long.
#define V3DOFF_UNROLL _Pragma("GCC unroll 32")

namespace v3doff::vp9::reference {

// cos(k * pi / 64) and sin(k * pi / 64) in 14 bits for any k (8.7.1.1).
constexpr std::int32_t cosine(int k) {
    constexpr std::int32_t quadrant[33] = {
        16384, 16364, 16305, 16207, 16069, 15893, 15679, 15426, 15137, 14811, 14449,
        14053, 13623, 13160, 12665, 12140, 11585, 11003, 10394, 9760,  9102,  8423,
        7723,  7005,  6270,  5520,  4756,  3981,  3196,  2404,  1606,  804,   0};
    k &= 127;
    if (k > 64) k = 128 - k;
    return k <= 32 ? quadrant[k] : -quadrant[64 - k];
}

constexpr std::int32_t sine(int k) {
    return cosine(k - 32);
}

// What values and sums of products with 14-bit constants are kept in, and Round2(sum, 14).
struct Narrow { // 8 bits, as the GPU has it: modulo 2^32
    using Value = std::int32_t;
    using Sum = std::uint32_t;
    static constexpr Value round(Sum sum) { return Value(sum + 8192) >> 14; }
    static constexpr Value add(Value a, Value b) { return Value(Sum(a) + Sum(b)); }
    static constexpr Value sub(Value a, Value b) { return Value(Sum(a) - Sum(b)); }
};

struct Wide { // more bits: nothing overflows, whatever the coefficients
    using Value = std::int64_t;
    using Sum = std::int64_t;
    static constexpr Value round(Sum sum) { return (sum + 8192) >> 14; }
    static constexpr Value add(Value a, Value b) { return a + b; }
    static constexpr Value sub(Value a, Value b) { return a - b; }
};

// The butterflies of 8.7.1.1 on the values `t` and, for the ADST, the unrounded sums `s`.
template <typename Math>
struct Butterflies {
    using Value = typename Math::Value;
    using Sum = typename Math::Sum;
    Value t[32];
    Sum s[16];

    static Sum product(Value value, std::int32_t constant) { return Sum(value) * Sum(constant); }

    // B(a, b, angle, 1): the rotation, then both exchanged; B(b, a, ...) undoes the exchange.
    void rotate_flipped(int a, int b, int angle) {
        const Sum x = product(t[a], cosine(angle)) - product(t[b], sine(angle));
        const Sum y = product(t[a], sine(angle)) + product(t[b], cosine(angle));
        t[b] = Math::round(x);
        t[a] = Math::round(y);
    }
    // B(a, b, angle, 0).
    void rotate(int a, int b, int angle) {
        rotate_flipped(a, b, angle);
        const Value x = t[b];
        t[b] = t[a];
        t[a] = x;
    }
    // H(a, b, flip).
    void cross(int a, int b, int flip) {
        const int first = flip ? b : a;
        const int second = flip ? a : b;
        const Value x = t[first];
        const Value y = t[second];
        t[first] = Math::add(x, y);
        t[second] = Math::sub(x, y);
    }
    // SB(a, b, angle, 1).
    void spread_flipped(int a, int b, int angle) {
        s[b] = product(t[a], cosine(angle)) - product(t[b], sine(angle));
        s[a] = product(t[a], sine(angle)) + product(t[b], cosine(angle));
    }
    // SH(a, b).
    void gather(int a, int b) {
        const Sum x = s[a];
        const Sum y = s[b];
        t[a] = Math::round(x + y);
        t[b] = Math::round(x - y);
    }
};

// In place of 4 << tx values; `shift` is what the row pass of the
// Walsh-Hadamard transform takes off its input.
template <typename Math>
void inverse_dct(typename Math::Value *values, int tx);
template <typename Math>
void inverse_adst(typename Math::Value *values, int tx);
template <typename Math>
void inverse_walsh_hadamard(typename Math::Value *values, int shift);

} // namespace v3doff::vp9::reference
