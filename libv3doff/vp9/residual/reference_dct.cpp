// SPDX-License-Identifier: BSD-2-Clause
// Inverse DCT and Walsh-Hadamard transform of one row or column.
#include "vp9/residual/reference_math.hpp"

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

} // namespace v3doff::vp9::reference
