// SPDX-License-Identifier: BSD-2-Clause
// Inverse ADST of one row or column.
#include "vp9/residual/reference_math.hpp"

namespace v3doff::vp9::reference {

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
