// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/itx_reference.hpp"

#include <algorithm>

#include "vp9/itx_reference_math.hpp"

namespace v3doff::vp9 {

namespace {

constexpr int kLargestEdge = 32;

// Right shift of the column pass's result (8.7.2).
constexpr int final_shift(int tx) { return tx == kTxLossless ? 0 : tx <= kTx8x8 ? 4 + tx : 6; }

template <typename Math> void transform(std::int32_t *values, int tx, bool adst, bool first) {
    if (tx == kTxLossless)
        reference::inverse_walsh_hadamard(values, first ? 2 : 0);
    else if (adst)
        reference::inverse_adst<Math>(values, tx);
    else
        reference::inverse_dct<Math>(values, tx);
}

// Adds one column of results to the samples.
template <typename Sample>
void add_column(Sample *dst, std::ptrdiff_t stride, const std::int32_t *column, int edge, int shift,
                int sample_max) {
    const int half = shift > 0 ? 1 << (shift - 1) : 0;
    for (int row = 0; row < edge; row++) {
        const std::int64_t residual = (std::int64_t(column[row]) + half) >> shift;
        dst[row * stride] = Sample(std::clamp<std::int64_t>(dst[row * stride] + residual, 0,
                                                            sample_max));
    }
}

// Rows, then columns (8.7.2). A row of zeros stays zero under every transform.
template <typename Math, typename Sample, typename Coefficient>
void add_block(Sample *dst, std::ptrdiff_t stride, const Coefficient *coefficients, int tx,
               int type, int sample_max) {
    const int edge = transform_edge(tx);
    const bool row_adst = tx < kTx32x32 && (type & kDctAdst) != 0;
    const bool column_adst = tx < kTx32x32 && (type & kAdstDct) != 0;
    Coefficient middle[kLargestEdge * kLargestEdge];
    std::int32_t values[kLargestEdge];
    for (int row = 0; row < edge; row++) {
        bool empty = true;
        for (int i = 0; i < edge; i++) {
            values[i] = coefficients[i * edge + row];
            empty &= values[i] == 0;
        }
        if (!empty) transform<Math>(values, tx, row_adst, true);
        for (int i = 0; i < edge; i++) middle[i * edge + row] = Coefficient(values[i]);
    }
    for (int column = 0; column < edge; column++) {
        std::copy_n(middle + column * edge, edge, values);
        transform<Math>(values, tx, column_adst, false);
        add_column(dst + column, stride, values, edge, final_shift(tx), sample_max);
    }
}

template <typename Sample>
void add_dc(Sample *dst, std::ptrdiff_t stride, int residual, int edge, int sample_max) {
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++)
            dst[row * stride + i] =
                Sample(std::clamp(dst[row * stride + i] + residual, 0, sample_max));
}

} // namespace

bool itx_is_dc(int tx, int type, int eob) {
    return eob == 1 && (tx == kTx32x32 || (type == kDctDct && tx != kTxLossless));
}

int itx_dc_residual(int coefficient, int tx) {
    std::int64_t value = coefficient;
    for (int pass = 0; pass < 2; pass++) value = (value * 11585 + 8192) >> 14;
    const int shift = final_shift(tx);
    return int((value + (1 << (shift - 1))) >> shift);
}

void itx_add_reference(void *dst, std::ptrdiff_t stride_bytes, const void *coefficients, int tx,
                       int type, int eob, int bit_depth) {
    const int sample_max = (1 << bit_depth) - 1;
    const bool dc = itx_is_dc(tx, type, eob);
    if (bit_depth == 8) {
        auto *samples = static_cast<std::uint8_t *>(dst);
        const auto *block = static_cast<const std::int16_t *>(coefficients);
        if (dc)
            add_dc(samples, stride_bytes, itx_dc_residual(block[0], tx), transform_edge(tx),
                   sample_max);
        else
            add_block<reference::Narrow>(samples, stride_bytes, block, tx, type, sample_max);
        return;
    }
    auto *samples = static_cast<std::uint16_t *>(dst);
    const auto *block = static_cast<const std::int32_t *>(coefficients);
    const std::ptrdiff_t stride = stride_bytes / std::ptrdiff_t(sizeof(*samples));
    if (dc)
        add_dc(samples, stride, itx_dc_residual(block[0], tx), transform_edge(tx), sample_max);
    else if (bit_depth <= 10)
        add_block<reference::Narrow>(samples, stride, block, tx, type, sample_max);
    else
        add_block<reference::Wide>(samples, stride, block, tx, type, sample_max);
}

} // namespace v3doff::vp9
