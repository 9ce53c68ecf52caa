// SPDX-License-Identifier: BSD-2-Clause
#include "vp9_residual_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ffdsp.h"

namespace tool {
namespace {

// Element n of basis function k, orthonormal: DCT-II, the ADST of 4 points, and the ADST of 8 and
// 16 points (VP9 bitstream specification 8.7.1).
double basis(bool adst, int size, int k, int n) {
    const double pi = std::numbers::pi;
    if (!adst)
        return std::sqrt((k ? 2.0 : 1.0) / size) * std::cos(pi * (2 * n + 1) * k / (2.0 * size));
    if (size == 4)
        return 2 / std::sqrt(2.0 * size + 1) *
               std::sin(pi * (n + 1) * (2 * k + 1) / (2.0 * size + 1));
    return std::sqrt(2.0 / size) * std::sin(pi * (2 * n + 1) * (2 * k + 1) / (4.0 * size));
}

std::vector<double> random_residual(int size, int most, Random &random) {
    std::vector<double> residual(size_t(size) * size_t(size));
    switch (below(random, 4)) {
    case 0: // noise
        for (double &value : residual)
            value = double(between(random, -most, most));
        break;
    case 1: // both extremes: the largest possible coefficients
        for (double &value : residual)
            value = double(below(random, 2) ? most : -most);
        break;
    case 2: { // flat
        int64_t level = between(random, -most, most);
        for (double &value : residual)
            value = double(level);
        break;
    }
    default: { // a small noise, as most residuals are
        int64_t amplitude = 1 + int64_t(below(random, uint64_t(most) / 8 + 1));
        for (double &value : residual)
            value = double(between(random, -amplitude, amplitude));
    }
    }
    return residual;
}

// Coefficient [column * size + row] of the residual [row * size + column].
std::vector<int32_t> forward(const ResidualKind &kind, const std::vector<double> &residual) {
    const int size = kind.size();
    const bool row_adst = kind.type & 1, column_adst = kind.type >> 1 & 1;
    const double scale = kind.tx == V3DOFF_VP9_TX_32X32 ? 4 : 8;
    std::vector<double> half(residual.size());
    for (int y = 0; y < size; y++)
        for (int k = 0; k < size; k++) {
            double sum = 0;
            for (int x = 0; x < size; x++)
                sum += residual[size_t(y * size + x)] * basis(row_adst, size, k, x);
            half[size_t(y * size + k)] = sum;
        }
    std::vector<int32_t> out(residual.size());
    for (int k = 0; k < size; k++)
        for (int column = 0; column < size; column++) {
            double sum = 0;
            for (int y = 0; y < size; y++)
                sum += half[size_t(y * size + column)] * basis(column_adst, size, k, y);
            out[size_t(column * size + k)] = int32_t(std::lround(sum * scale));
        }
    return out;
}

// The inverse Walsh-Hadamard transform of a lossless block accepts any numbers as large as a
// residual can be.
std::vector<int32_t> lossless(int most, Random &random) {
    std::vector<int32_t> out(16);
    for (auto &value : out)
        value = int32_t(between(random, -most, most)) * 4;
    return out;
}

// Keeps only coefficients that a block with this end of block can have. Without the scan tables,
// only two ends are known: the first coefficient alone, or everything.
uint32_t cut(const ResidualKind &kind, std::vector<int32_t> &coefficients, Random &random) {
    const uint32_t count = uint32_t(coefficients.size());
    const int16_t *scan = ffdsp_vp9_scan(kind.tx, kind.type);
    if (scan && kind.tx != V3DOFF_VP9_TX_LOSSLESS) {
        // Small ends are the frequent ones, and have the most special cases.
        uint32_t eob =
            uint32_t(1 + below(random, below(random, 3) ? std::min(count, 150u) : count));
        std::vector<int32_t> kept(count);
        for (uint32_t i = 0; i < eob; i++)
            kept[size_t(scan[i])] = coefficients[size_t(scan[i])];
        coefficients = kept;
        return eob;
    }
    if (kind.tx == V3DOFF_VP9_TX_LOSSLESS || below(random, 3)) return count;
    std::fill(coefficients.begin() + 1, coefficients.end(), 0);
    return 1;
}

void quantise(std::vector<int32_t> &coefficients, Random &random) {
    int32_t step = int32_t(1) << below(random, 10);
    for (auto &value : coefficients)
        value = value / step * step;
}

} // namespace

std::string kind_name(const ResidualKind &kind) {
    static const char *const sizes[] = {"4x4", "8x8", "16x16", "32x32", "lossless"};
    static const char *const types[] = {"dct_dct", "dct_adst", "adst_dct", "adst_adst"};
    if (kind.tx == V3DOFF_VP9_TX_LOSSLESS) return sizes[kind.tx];
    return std::string(sizes[kind.tx]) + "_" + types[kind.type];
}

ResidualInput conformant_input(const ResidualKind &kind, unsigned bit_depth, Random &random) {
    const int most = (1 << bit_depth) - 1;
    ResidualInput input;
    if (kind.tx == V3DOFF_VP9_TX_LOSSLESS) {
        input.coefficients = lossless(most, random);
        input.eob = 16;
        return input;
    }
    // An extreme residual with coefficients left out or rounded can exceed the range of all
    // streams, where FFmpeg's SIMD and C differ. So only whole residuals may be extreme.
    const bool whole = below(random, 3) == 0;
    input.coefficients =
        forward(kind, random_residual(kind.size(), whole ? most : most / 4, random));
    input.eob = uint32_t(input.coefficients.size());
    if (whole) return input;
    if (below(random, 2)) quantise(input.coefficients, random);
    input.eob = cut(kind, input.coefficients, random);
    return input;
}

ResidualInput wild_input(const ResidualKind &kind, unsigned bit_depth, Random &random) {
    ResidualInput input;
    const size_t count = size_t(kind.size()) * size_t(kind.size());
    input.coefficients.resize(count);
    input.eob = uint32_t(count);
    const unsigned style = unsigned(below(random, 3));
    for (auto &value : input.coefficients) {
        int32_t any = bit_depth == 8 ? int16_t(random()) : int32_t(random());
        int32_t extreme =
            bit_depth == 8 ? (any < 0 ? INT16_MIN : INT16_MAX) : (any < 0 ? INT32_MIN : INT32_MAX);
        value = style == 0 ? any : style == 1 ? extreme : (below(random, 8) ? 0 : any);
    }
    if (below(random, 6) == 0) {
        std::fill(input.coefficients.begin() + 1, input.coefficients.end(), 0);
        input.eob = 1;
    }
    return input;
}

ResidualInput limit_input(const ResidualKind &kind, unsigned bit_depth, Random &random) {
    ResidualInput input;
    const size_t count = size_t(kind.size()) * size_t(kind.size());
    input.eob = uint32_t(count);
    int32_t left = bit_depth == 8 || (bit_depth == 10 && kind.size() == 4) ? 32767 : 130000;
    // Signs that add up in one sample, or any.
    std::vector<double> residual(count);
    residual[below(random, count)] = below(random, 2) ? 1000 : -1000;
    input.coefficients = forward(kind, residual);
    for (auto &value : input.coefficients)
        if (below(random, 2))
            value = value < 0 ? -1 : 1;
        else
            value = 0;
    if (below(random, 3) == 0)
        for (auto &value : input.coefficients)
            value = below(random, 2) ? value : -value;
    const auto some = int32_t(std::count_if(input.coefficients.begin(), input.coefficients.end(),
                                            [](int32_t value) { return value != 0; }));
    const int32_t share = some ? left / some : 0;
    for (auto &value : input.coefficients) {
        value *= share;
        left -= std::abs(value);
    }
    auto &most = input.coefficients[below(random, count)];
    most += most < 0 ? -left : left;
    return input;
}

Coefficients record_residual(v3doff_picture *picture, const PlacedResidual &residual,
                             unsigned bit_depth) {
    Coefficients coefficients(residual.input.coefficients, bit_depth);
    check(v3doff_vp9_record_itx(picture, residual.lane, residual.plane, residual.x, residual.y,
                                residual.kind.tx, residual.kind.type, residual.input.eob,
                                coefficients.data()),
          "recording a transform");
    return coefficients;
}

} // namespace tool
