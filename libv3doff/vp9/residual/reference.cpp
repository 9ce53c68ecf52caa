// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/reference.hpp"

#include <algorithm>

#include "vp9/residual/reference_transforms.hpp"

namespace v3doff::vp9 {

namespace {

constexpr int kLargestEdge = 32;

// Right shift of the column pass's result (8.7.2).
constexpr int final_shift(int tx) {
    return tx == kTxLossless ? 0 : tx <= kTx8x8 ? 4 + tx : 6;
}

template <typename Math>
void transform(typename Math::Value *values, int tx, bool adst, bool first) {
    if (tx == kTxLossless)
        reference::inverse_walsh_hadamard<Math>(values, first ? 2 : 0);
    else if (adst)
        reference::inverse_adst<Math>(values, tx);
    else
        reference::inverse_dct<Math>(values, tx);
}

template <typename Sample>
Sample add_clipped(Sample sample, std::int64_t residual, int sample_max) {
    return Sample(std::clamp<std::int64_t>(sample + residual, 0, sample_max));
}

// Adds one column of results to the samples.
template <typename Sample, typename Value>
void add_column(Sample *dst, std::ptrdiff_t stride, const Value *column, int tx, int sample_max) {
    const int shift = final_shift(tx);
    const int half = shift > 0 ? 1 << (shift - 1) : 0;
    for (int row = 0; row < transform_edge(tx); row++) {
        const std::int64_t value = std::int32_t(column[row]);
        dst[row * stride] = add_clipped(dst[row * stride], (value + half) >> shift, sample_max);
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
    typename Math::Value values[kLargestEdge];
    for (int row = 0; row < edge; row++) {
        bool empty = true;
        for (int i = 0; i < edge; i++) {
            values[i] = coefficients[i * edge + row];
            empty &= values[i] == 0;
        }
        if (!empty) transform<Math>(values, tx, row_adst, true);
        for (int i = 0; i < edge; i++)
            middle[i * edge + row] = Coefficient(values[i]);
    }
    for (int column = 0; column < edge; column++) {
        std::copy_n(middle + column * edge, edge, values);
        transform<Math>(values, tx, column_adst, false);
        add_column(dst + column, stride, values, tx, sample_max);
    }
}

template <typename Sample>
void add_dc(Sample *dst, std::ptrdiff_t stride, int residual, int edge, int sample_max) {
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++)
            dst[row * stride + i] = add_clipped(dst[row * stride + i], residual, sample_max);
}

} // namespace

bool residual_is_dc(int tx, int type, int eob) {
    return eob == 1 && (tx == kTx32x32 || (type == kDctDct && tx != kTxLossless));
}

int residual_of_dc(int coefficient, int tx) {
    std::int64_t value = coefficient;
    for (int pass = 0; pass < 2; pass++)
        value = (value * 11585 + 8192) >> 14;
    const int shift = final_shift(tx);
    return int((value + (1 << (shift - 1))) >> shift);
}

void residual_add_dc(void *dst, std::ptrdiff_t stride_bytes, int residual, int tx, int bit_depth) {
    const int sample_max = (1 << bit_depth) - 1;
    const int edge = transform_edge(tx);
    if (bit_depth == 8)
        add_dc(static_cast<std::uint8_t *>(dst), stride_bytes, residual, edge, sample_max);
    else
        add_dc(static_cast<std::uint16_t *>(dst), stride_bytes / 2, residual, edge, sample_max);
}

void residual_add_raw(void *dst, std::ptrdiff_t stride_bytes, const std::int16_t *residuals,
                      int edge, int bit_depth) {
    const int sample_max = (1 << bit_depth) - 1;
    for (int row = 0; row < edge; row++)
        for (int i = 0; i < edge; i++) {
            auto *line = static_cast<std::byte *>(dst) + row * stride_bytes;
            const int residual = residuals[row * edge + i];
            if (bit_depth == 8) {
                auto &sample = reinterpret_cast<std::uint8_t *>(line)[i];
                sample = add_clipped(sample, residual, sample_max);
            } else {
                auto &sample = reinterpret_cast<std::uint16_t *>(line)[i];
                sample = add_clipped(sample, residual, sample_max);
            }
        }
}

void residual_add_reference(void *dst, std::ptrdiff_t stride_bytes, const void *coefficients,
                            int tx, int type, int eob, int bit_depth) {
    const int sample_max = (1 << bit_depth) - 1;
    const auto *narrow = static_cast<const std::int16_t *>(coefficients);
    const auto *wide = static_cast<const std::int32_t *>(coefficients);
    if (residual_is_dc(tx, type, eob)) {
        const int residual = residual_of_dc(bit_depth == 8 ? narrow[0] : wide[0], tx);
        residual_add_dc(dst, stride_bytes, residual, tx, bit_depth);
    } else if (bit_depth == 8) {
        add_block<reference::Narrow>(static_cast<std::uint8_t *>(dst), stride_bytes, narrow, tx,
                                     type, sample_max);
    } else {
        add_block<reference::Wide>(static_cast<std::uint16_t *>(dst), stride_bytes / 2, wide, tx,
                                   type, sample_max);
    }
}

} // namespace v3doff::vp9
