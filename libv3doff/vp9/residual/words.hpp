// SPDX-License-Identifier: BSD-2-Clause
// A transform of a picture that was recorded as words, and what the decoder's own functions make of
// it.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "v3doff/vp9_words.h"
#include "vp9/residual/batch.hpp"
#include "vp9/residual/reference.hpp"

namespace v3doff::vp9 {

// 8.6.2. factors: as records have them. narrow: products are cut to 16 bits, as most decoders keep
// them with 8 bits a sample.
inline int32_t residual_dequantised(uint32_t word, uint32_t factors, bool halved, bool narrow) {
    const bool dc = unpack(word, COEFFICIENT_PLACE) == 0;
    const int32_t factor = unpack_signed(dc ? factors << 16 : factors, UPPER_HALF);
    const auto product = int32_t(uint(unpack_signed(word, COEFFICIENT_VALUE)) * uint(factor));
    const int32_t value = halved ? product / 2 : product;
    return narrow ? int16_t(value) : value;
}

struct ResidualWords {
    ResidualInput block;                    // without coefficients
    std::span<const uint32_t> coefficients; // v3doff_vp9_coefficient()
    uint32_t factors = 0;                   // as records have them

    int32_t value(uint32_t word, bool narrow) const {
        return residual_dequantised(word, factors, block.tx == 3, narrow);
    }
    uint64_t magnitude(bool narrow) const; // the sum of all
};

// No value on the way through a transform exceeds the sum of all magnitudes. Up to which one every
// decoder makes the same of it: SIMD keeps 16 bits between the passes with 8 bits a sample, and
// those of 4x4 blocks with 10; everything else has 32, of products as of sums.
constexpr uint32_t most_magnitude(int tx, int bit_depth) {
    const bool narrow = bit_depth == 8 || (bit_depth == 10 && transform_edge(tx) == 4);
    return narrow ? uint32_t(INT16_MAX) : largest_sum;
}

// A decoder's own functions: v3doff_vp9_picture_info says what they are.
struct DecoderTransforms {
    decltype(v3doff_vp9_picture_info::itxfm_add) itxfm_add = nullptr;
    decltype(v3doff_vp9_picture_info::add_residual) add_residual = nullptr;
    void *opaque = nullptr;
};

// What the decoder's own functions make of transforms with more.
class DecoderResiduals {
  public:
    DecoderResiduals(const DecoderTransforms &transforms, int bit_depth)
        : transforms_(transforms), depth_(bit_depth) {}

    // Whether the decoder, too, cuts coefficients to 16 bits.
    bool narrow() const { return depth_ == 8 && !transforms_.add_residual; }

    void work_out(const ResidualWords &words);
    // Row after row.
    std::span<const int16_t> residuals() const { return residuals_; }
    // Whether they are what the plain functions make of the same coefficients.
    bool plain() const { return plain_; }

  private:
    using Samples = std::array<std::byte, 32 * 32 * 2>;
    void add(const ResidualWords &words, bool plainly, Samples &to);

    DecoderTransforms transforms_;
    int depth_;
    bool plain_ = true;
    alignas(64) int32_t dense_[32 * 32];
    alignas(64) Samples samples_[2], plain_samples_;
    int16_t values_[32 * 32];
    std::span<const int16_t> residuals_;
};

} // namespace v3doff::vp9
