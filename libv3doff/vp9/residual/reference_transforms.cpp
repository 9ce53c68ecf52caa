// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/reference_transforms.hpp"

namespace v3doff::vp9::reference {

namespace {

constexpr int reversed(int bits, int value) {
    int result = 0;
    for (int i = 0; i < bits; i++)
        result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

// 8.7.1.3, for 1 << n values in the order that 8.7.1.2 has brought them to.
template <typename Math, int n>
void butterflies(Butterflies<Math> &f) {
    constexpr int n0 = 1 << n, n1 = n0 >> 1, n2 = n0 >> 2, n3 = n0 >> 3;
    if constexpr (n == 1) {
        f.rotate_flipped(0, 1, 16);
    } else {
        butterflies<Math, n - 1>(f);
        V3DOFF_UNROLL
        for (int i = 0; i < n2; i++)
            f.rotate(n1 + i, n0 - 1 - i, 32 - reversed(5, n1 + i));
        if constexpr (n >= 3) V3DOFF_UNROLL
        for (int i = 0; i < n3; i++)
            V3DOFF_UNROLL
        for (int j = 0; j < 2; j++)
            f.cross(n1 + 4 * i + 2 * j, n1 + 1 + 4 * i + 2 * j, j);
        if constexpr (n == 5) {
            V3DOFF_UNROLL
            for (int i = 0; i < 2; i++)
                V3DOFF_UNROLL
            for (int j = 0; j < 2; j++)
                f.rotate_flipped(n0 - n + 3 - n2 * j - 4 * i, n1 + n - 4 + n2 * j + 4 * i,
                                 28 - 16 * i + 56 * j);
            V3DOFF_UNROLL
            for (int i = 0; i < 2; i++)
                V3DOFF_UNROLL
            for (int j = 0; j < 4; j++)
                f.cross(n1 + n3 * j + i, n1 + n2 - 5 + n3 * j - i, j & 1);
        }
        if constexpr (n >= 4) {
            V3DOFF_UNROLL
            for (int i = 0; i < (n == 5 ? 2 : 1); i++)
                V3DOFF_UNROLL
            for (int j = 0; j < 2; j++)
                f.rotate_flipped(n0 - n + 2 - i - n2 * j, n1 + n - 3 + i + n2 * j, 24 + 48 * j);
            V3DOFF_UNROLL
            for (int i = 0; i < 2 * n - 6; i++)
                V3DOFF_UNROLL
            for (int j = 0; j < 2; j++)
                f.cross(n1 + n2 * j + i, n1 + n2 - 1 + n2 * j - i, j & 1);
        }
        if constexpr (n >= 3) V3DOFF_UNROLL
        for (int i = 0; i < n3; i++)
            f.rotate_flipped(n0 - n3 - 1 - i, n1 + n3 + i, 16);
        V3DOFF_UNROLL
        for (int i = 0; i < n1; i++)
            f.cross(i, n0 - 1 - i, 0);
    }
}

template <typename Math, int n>
void transform(typename Math::Value *values) {
    Butterflies<Math> f;
    V3DOFF_UNROLL
    for (int i = 0; i < 1 << n; i++)
        f.t[i] = values[reversed(n, i)];
    butterflies<Math, n>(f);
    V3DOFF_UNROLL
    for (int i = 0; i < 1 << n; i++)
        values[i] = f.t[i];
}

} // namespace

template <typename Math>
void inverse_dct(typename Math::Value *values, int tx) {
    switch (tx) {
    case 0:
        return transform<Math, 2>(values);
    case 1:
        return transform<Math, 3>(values);
    case 2:
        return transform<Math, 4>(values);
    default:
        return transform<Math, 5>(values);
    }
}

template void inverse_dct<Narrow>(Narrow::Value *, int);
template void inverse_dct<Wide>(Wide::Value *, int);

// 8.7.1.10
template <typename Math>
void inverse_walsh_hadamard(typename Math::Value *values, int shift) {
    using Value = typename Math::Value;
    Value a = values[0] >> shift;
    Value c = values[1] >> shift;
    Value d = values[2] >> shift;
    Value b = values[3] >> shift;
    a = Math::add(a, c);
    d = Math::sub(d, b);
    const Value e = Math::sub(a, d) >> 1;
    b = Math::sub(e, b);
    c = Math::sub(e, c);
    values[0] = Math::sub(a, b);
    values[1] = b;
    values[2] = c;
    values[3] = Math::add(d, c);
}

template void inverse_walsh_hadamard<Narrow>(Narrow::Value *, int);
template void inverse_walsh_hadamard<Wide>(Wide::Value *, int);

namespace {

// 8.7.1.6: sines of k * pi / 9, scaled by sqrt(2) * 2/3 to 14 bits.
template <typename Math>
void transform4(typename Math::Value *v) {
    constexpr std::int32_t sin1 = 5283, sin2 = 9929, sin3 = 13377, sin4 = 15212;
    using F = Butterflies<Math>;
    const auto s0 = F::product(v[0], sin1) + F::product(v[2], sin4) + F::product(v[3], sin2);
    const auto s1 = F::product(v[0], sin2) - F::product(v[2], sin1) - F::product(v[3], sin4);
    const auto s2 = F::product(v[0], sin3) - F::product(v[2], sin3) + F::product(v[3], sin3);
    const auto s3 = F::product(v[1], sin3);
    v[0] = Math::round(s0 + s3);
    v[1] = Math::round(s1 + s3);
    v[2] = Math::round(s2);
    v[3] = Math::round(s0 + s1 - s3);
}

// 8.7.1.7, with the permutations 8.7.1.4 before and 8.7.1.5 after it.
template <typename Math>
void transform8(typename Math::Value *v) {
    Butterflies<Math> f;
    V3DOFF_UNROLL
    for (int i = 0; i < 4; i++) {
        f.t[2 * i] = v[7 - 2 * i];
        f.t[2 * i + 1] = v[2 * i];
    }
    V3DOFF_UNROLL
    for (int i = 0; i < 4; i++)
        f.spread_flipped(2 * i, 2 * i + 1, 30 - 8 * i);
    V3DOFF_UNROLL
    for (int i = 0; i < 4; i++)
        f.gather(i, 4 + i);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++)
        f.spread_flipped(4 + 3 * i, 5 + i, 24 - 16 * i);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++)
        f.gather(4 + i, 6 + i);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++)
        f.cross(i, 2 + i, 0);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++)
        f.rotate_flipped(2 + 4 * i, 3 + 4 * i, 16);

    constexpr int order[8] = {0, 4, 6, 2, 3, 7, 5, 1};
    V3DOFF_UNROLL
    for (int i = 0; i < 8; i++)
        v[i] = i & 1 ? Math::sub(0, f.t[order[i]]) : f.t[order[i]];
}

// 8.7.1.8
template <typename Math>
void transform16(typename Math::Value *v) {
    Butterflies<Math> f;
    V3DOFF_UNROLL
    for (int i = 0; i < 8; i++) {
        f.t[2 * i] = v[15 - 2 * i];
        f.t[2 * i + 1] = v[2 * i];
    }
    V3DOFF_UNROLL
    for (int i = 0; i < 8; i++)
        f.spread_flipped(2 * i, 2 * i + 1, 31 - 4 * i);
    V3DOFF_UNROLL
    for (int i = 0; i < 8; i++)
        f.gather(i, 8 + i);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++) {
        f.spread_flipped(8 + 2 * i, 9 + 2 * i, 28 - 16 * i);
        f.spread_flipped(13 + 2 * i, 12 + 2 * i, 4 + 16 * i);
    }
    V3DOFF_UNROLL
    for (int i = 0; i < 4; i++)
        f.gather(8 + i, 12 + i);
    V3DOFF_UNROLL
    for (int i = 0; i < 4; i++)
        f.cross(i, 4 + i, 0);
    V3DOFF_UNROLL
    for (int i = 0; i < 2; i++) {
        V3DOFF_UNROLL
        for (int j = 0; j < 2; j++)
            f.spread_flipped(4 + 8 * i + 3 * j, 5 + 8 * i + j, 24 - 16 * j);
        V3DOFF_UNROLL
        for (int j = 0; j < 2; j++)
            f.gather(4 + 8 * i + j, 6 + 8 * i + j);
        V3DOFF_UNROLL
        for (int j = 0; j < 2; j++)
            f.cross(8 * i + j, 2 + 8 * i + j, 0);
        V3DOFF_UNROLL
        for (int j = 0; j < 2; j++)
            f.rotate(2 + 4 * j + 8 * i, 3 + 4 * j + 8 * i, 48 + 64 * (i ^ j));
    }

    constexpr int order[16] = {0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1};
    constexpr bool negative[16] = {false, true,  false, true,  false, false, false, false,
                                   false, false, false, false, false, true,  false, true};
    V3DOFF_UNROLL
    for (int i = 0; i < 16; i++)
        v[i] = negative[i] ? Math::sub(0, f.t[order[i]]) : f.t[order[i]];
}

} // namespace

template <typename Math>
void inverse_adst(typename Math::Value *values, int tx) {
    switch (tx) {
    case 0:
        return transform4<Math>(values);
    case 1:
        return transform8<Math>(values);
    default:
        return transform16<Math>(values);
    }
}

template void inverse_adst<Narrow>(Narrow::Value *, int);
template void inverse_adst<Wide>(Wide::Value *, int);

} // namespace v3doff::vp9::reference
