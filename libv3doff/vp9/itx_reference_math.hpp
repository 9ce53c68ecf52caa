// SPDX-License-Identifier: BSD-2-Clause
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

constexpr std::int32_t sine(int k) { return cosine(k - 32); }

// A sum of products with 14-bit constants, and Round2(sum, 14) as the GPU has it.
struct Narrow { // 8 and 10 bits: 32-bit words, the rounded value has 18 bits
    using Sum = std::uint32_t;
    static constexpr std::int32_t round(Sum sum) { return std::int32_t(sum + 8192) >> 14; }
};

struct Wide { // 12 bits: 34 bits matter, the rounded value has 20
    using Sum = std::uint64_t;
    static constexpr std::int32_t round(Sum sum) {
        return std::int32_t(std::uint32_t((sum + 8192) >> 14) << 12) >> 12;
    }
};

// The butterflies of 8.7.1.1 on the values `t` and, for the ADST, the unrounded sums `s`.
template <typename Math> struct Butterflies {
    using Sum = typename Math::Sum;
    std::int32_t t[32];
    Sum s[16];

    static Sum product(std::int32_t value, std::int32_t constant) {
        return Sum(std::int64_t(value)) * Sum(std::int64_t(constant));
    }
    static std::int32_t add(std::int32_t a, std::int32_t b) {
        return std::int32_t(std::uint32_t(a) + std::uint32_t(b));
    }
    static std::int32_t sub(std::int32_t a, std::int32_t b) {
        return std::int32_t(std::uint32_t(a) - std::uint32_t(b));
    }

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
        const std::int32_t x = t[b];
        t[b] = t[a];
        t[a] = x;
    }
    // H(a, b, flip).
    void cross(int a, int b, int flip) {
        const int first = flip ? b : a;
        const int second = flip ? a : b;
        const std::int32_t x = t[first];
        const std::int32_t y = t[second];
        t[first] = add(x, y);
        t[second] = sub(x, y);
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

// One-dimensional transforms in place of 4 << tx values; for the Walsh-Hadamard transform `shift`
// is what the row pass takes off its input.
template <typename Math> void inverse_dct(std::int32_t *values, int tx);
template <typename Math> void inverse_adst(std::int32_t *values, int tx);
void inverse_walsh_hadamard(std::int32_t *values, int shift);

} // namespace v3doff::vp9::reference
