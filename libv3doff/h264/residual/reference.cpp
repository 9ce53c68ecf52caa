// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/reference.hpp"

#include <algorithm>
#include <cstdint>

namespace v3doff::h264 {
namespace {

// Sums modulo 2^32 without undefined behaviour; shifts of the sign-extended value.
struct Value {
    std::uint32_t bits = 0;
    Value() = default;
    Value(std::int32_t value) : bits(std::uint32_t(value)) {}
    std::int32_t number() const { return std::int32_t(bits); }
    friend Value operator+(Value a, Value b) { return Value(std::int32_t(a.bits + b.bits)); }
    friend Value operator-(Value a, Value b) { return Value(std::int32_t(a.bits - b.bits)); }
    friend Value operator>>(Value a, int shift) { return Value(a.number() >> shift); }
};

// 8.5.12.2 on four values `step` apart.
void line4(Value *v, int step) {
    const Value e = v[0] + v[2 * step], f = v[0] - v[2 * step];
    const Value g = (v[step] >> 1) - v[3 * step], h = v[step] + (v[3 * step] >> 1);
    v[0] = e + h;
    v[step] = f + g;
    v[2 * step] = f - g;
    v[3 * step] = e - h;
}

// 8.5.13: a of its first step, b of its second.
void line8(Value *v, int step) {
    auto at = [&](int i) -> Value & { return v[i * step]; };
    const Value a0 = at(0) + at(4), a2 = at(0) - at(4);
    const Value a4 = (at(2) >> 1) - at(6), a6 = at(2) + (at(6) >> 1);
    const Value a1 = at(5) - at(3) - at(7) - (at(7) >> 1);
    const Value a3 = at(1) + at(7) - at(3) - (at(3) >> 1);
    const Value a5 = at(7) - at(1) + at(5) + (at(5) >> 1);
    const Value a7 = at(3) + at(5) + at(1) + (at(1) >> 1);
    const Value b0 = a0 + a6, b2 = a2 + a4, b4 = a2 - a4, b6 = a0 - a6;
    const Value b1 = a1 + (a7 >> 2), b7 = a7 - (a1 >> 2);
    const Value b3 = a3 + (a5 >> 2), b5 = (a3 >> 2) - a5;
    at(0) = b0 + b7;
    at(1) = b2 + b5;
    at(2) = b4 + b3;
    at(3) = b6 + b1;
    at(4) = b6 - b1;
    at(5) = b4 - b3;
    at(6) = b2 - b5;
    at(7) = b0 - b7;
}

template <typename Sample>
Sample add_clipped(Sample sample, std::int32_t residual, std::int64_t sample_max) {
    return Sample(std::clamp<std::int64_t>(sample + std::int64_t(residual), 0, sample_max));
}

// Values are [column * edge + row]: a row's are `edge` apart.
template <int edge, typename Sample, typename Coefficient>
void add_transformed(Sample *dst, std::ptrdiff_t stride, const Coefficient *coefficients,
                     int sample_max) {
    Value v[edge * edge];
    std::copy_n(coefficients, edge * edge, v);
    v[0] = Coefficient((v[0] + Value(32)).number()); // rounds every result
    for (int row = 0; row < edge; row++)
        edge == 8 ? line8(v + row, edge) : line4(v + row, edge);
    // As FFmpeg's C functions keep them: with 8 bits a sample in 16 bits, which only damage
    // exceeds.
    for (Value &value : v)
        value = Coefficient(value.number());
    for (int column = 0; column < edge; column++) {
        edge == 8 ? line8(v + column * edge, 1) : line4(v + column * edge, 1);
        for (int row = 0; row < edge; row++) {
            Sample &sample = dst[row * stride + column];
            sample = add_clipped(sample, (v[column * edge + row] >> 6).number(), sample_max);
        }
    }
}

template <typename Sample, typename Coefficient>
void add_bypassed(Sample *dst, std::ptrdiff_t stride, const Coefficient *residual, int edge) {
    for (int row = 0; row < edge; row++)
        for (int column = 0; column < edge; column++)
            dst[row * stride + column] =
                Sample(dst[row * stride + column] + std::uint32_t(residual[row * edge + column]));
}

template <typename Sample, typename Coefficient>
void add_block(void *to, std::ptrdiff_t stride_bytes, const void *from, ResidualKind kind,
               int bit_depth) {
    auto *dst = static_cast<Sample *>(to);
    auto *coefficients = static_cast<const Coefficient *>(from);
    const std::ptrdiff_t stride = stride_bytes / std::ptrdiff_t(sizeof(Sample));
    const int sample_max = (1 << bit_depth) - 1;
    switch (kind) {
    case ResidualKind::residual_4x4:
        return add_transformed<4>(dst, stride, coefficients, sample_max);
    case ResidualKind::residual_8x8:
        return add_transformed<8>(dst, stride, coefficients, sample_max);
    case ResidualKind::dc_4x4:
    case ResidualKind::dc_8x8:
        return residual_add_dc(to, stride_bytes, residual_of_dc(coefficients[0]),
                               residual_edge(kind), bit_depth);
    case ResidualKind::bypass_4x4:
    case ResidualKind::bypass_8x8:
        return add_bypassed(dst, stride, coefficients, residual_edge(kind));
    }
}

template <typename Sample>
void add_dc(Sample *dst, std::ptrdiff_t stride, int residual, int edge, int sample_max) {
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++)
            dst[row * stride + i] = add_clipped(dst[row * stride + i], residual, sample_max);
}

using Sum = std::uint32_t; // modulo 2^32

std::int32_t scaled(Sum value, int qmul, int shift) {
    const Sum half = shift == 8 ? 128 : 0; // 4:2:0 is not rounded
    return std::int32_t(value * Sum(qmul) + half) >> shift;
}

// One row or column of the 4x4 transform of 8.5.10 and of the columns of 8.5.11's 2x4.
void hadamard4(Sum *v, int step) {
    const Sum e = v[0] + v[step], f = v[0] - v[step];
    const Sum g = v[2 * step] - v[3 * step], h = v[2 * step] + v[3 * step];
    v[0] = e + h;
    v[step] = e - h;
    v[2 * step] = f - g;
    v[3 * step] = f + g;
}

template <typename Coefficient>
void luma(Coefficient *output, const Coefficient *input, int qmul) {
    Sum v[16];
    for (int i = 0; i < 16; i++)
        v[i] = Sum(input[i]);
    for (int i = 0; i < 4; i++)
        hadamard4(v + 4 * i, 1);
    for (int i = 0; i < 4; i++)
        hadamard4(v + i, 4);
    for (int n = 0; n < 16; n++) {
        const int column = (n & 1) + (n >> 2 & 1) * 2, row = (n >> 1 & 1) + (n >> 3 & 1) * 2;
        output[16 * n] = Coefficient(scaled(v[4 * column + row], qmul, 8));
    }
}

template <typename Coefficient>
void chroma(Coefficient *block, int qmul, int rows) {
    Sum v[8];
    for (int row = 0; row < rows; row++) {
        const Sum a = Sum(block[32 * row]), b = Sum(block[32 * row + 16]);
        v[row] = a + b;
        v[row + 4] = a - b;
    }
    for (Sum *column : {v, v + 4}) {
        if (rows == 4) {
            hadamard4(column, 1);
        } else {
            const Sum a = column[0], b = column[1];
            column[0] = a + b;
            column[1] = a - b;
        }
    }
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < 2; column++)
            block[32 * row + 16 * column] =
                Coefficient(scaled(v[4 * column + row], qmul, rows == 4 ? 8 : 7));
}

} // namespace

int residual_of_dc(int coefficient) {
    return ((Value(coefficient) + Value(32)) >> 6).number();
}

void residual_add_dc(void *dst, std::ptrdiff_t stride_bytes, int residual, int edge,
                     int bit_depth) {
    const int sample_max = (1 << bit_depth) - 1;
    if (bit_depth == 8)
        add_dc(static_cast<std::uint8_t *>(dst), stride_bytes, residual, edge, sample_max);
    else
        add_dc(static_cast<std::uint16_t *>(dst), stride_bytes / 2, residual, edge, sample_max);
}

void residual_add_reference(void *dst, std::ptrdiff_t stride_bytes, const void *coefficients,
                            ResidualKind kind, int bit_depth) {
    if (bit_depth == 8)
        add_block<std::uint8_t, std::int16_t>(dst, stride_bytes, coefficients, kind, bit_depth);
    else
        add_block<std::uint16_t, std::int32_t>(dst, stride_bytes, coefficients, kind, bit_depth);
}

void luma_dc_dequant(void *output, const void *input, int qmul, int bit_depth) {
    if (bit_depth == 8)
        luma(static_cast<std::int16_t *>(output), static_cast<const std::int16_t *>(input), qmul);
    else
        luma(static_cast<std::int32_t *>(output), static_cast<const std::int32_t *>(input), qmul);
}

void chroma_dc_dequant(void *block, int qmul, int bit_depth, bool tall) {
    if (bit_depth == 8)
        chroma(static_cast<std::int16_t *>(block), qmul, tall ? 4 : 2);
    else
        chroma(static_cast<std::int32_t *>(block), qmul, tall ? 4 : 2);
}

} // namespace v3doff::h264
