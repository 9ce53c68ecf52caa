// SPDX-License-Identifier: BSD-2-Clause
// Transforms whose coefficients come one by one and not yet multiplied, as words have them.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>

#include "v3doff/vp9_words.h"
#include "vp9/residual_pack.hpp"

namespace v3doff::vp9 {

struct ResidualWords {
    ResidualInput block;                         // without coefficients
    std::span<const uint32_t> coefficients; // v3doff_vp9_coefficient()
    const int16_t *factor = nullptr;        // of the DC coefficient and of the others

    static uint32_t place(uint32_t word) { return word & 1023; }
    // 8.6.2; with 8 bits a sample, products are cut to 16 bits as decoders keep them.
    template <typename Value>
    Value value(uint32_t word) const {
        const int32_t token = int32_t(word) >> 10;
        const auto product =
            int32_t(uint32_t(token) * uint32_t(int32_t(factor[place(word) != 0])));
        return Value(block.tx == 3 ? product / 2 : product);
    }
};

// Decoders' SIMD keeps 16 bits between the passes of a transform, with more than 8 bits a sample in
// some functions too. No value on the way exceeds the sum of all magnitudes: beyond this one, what
// comes of a transform differs from decoder to decoder.
inline constexpr uint64_t most_magnitude = INT16_MAX;

// What the decoder's own functions make of such transforms.
class DecoderResiduals {
  public:
    using ItxfmAdd = decltype(v3doff_vp9_picture_info::itxfm_add);
    DecoderResiduals(ItxfmAdd itxfm_add, int bit_depth) : itxfm_add_(itxfm_add), depth_(bit_depth) {}

    // Row after row; they stay until the next call.
    std::span<const int16_t> work_out(const ResidualWords &words);

  private:
    ItxfmAdd itxfm_add_;
    int depth_;
    alignas(64) int32_t dense_[32 * 32];
    int16_t residuals_[32 * 32];
};

} // namespace v3doff::vp9
