// SPDX-License-Identifier: BSD-2-Clause
#include "h264/residual/words.hpp"

#include <cstring>

namespace v3doff::h264 {
namespace {

template <typename Coefficient, int kShift>
void pack_residual(uint *words, const void *coefficients) {
    constexpr int in_word = 32 / kShift;
    const auto *residual = static_cast<const Coefficient *>(coefficients);
    for (int i = 0; i < 16 / in_word; i++) {
        words[i] = 0;
        for (int j = 0; j < in_word; j++)
            words[i] |= (uint(residual[i * in_word + j]) & ((1u << kShift) - 1)) << kShift * j;
    }
}

template <typename Coefficient, int kShift>
void unpack_residual(const uint *words, void *coefficients) {
    constexpr int in_word = 32 / kShift;
    auto *residual = static_cast<Coefficient *>(coefficients);
    for (int i = 0; i < 16; i++)
        residual[i] =
            Coefficient(words[i / in_word] >> i % in_word * kShift & ((1u << kShift) - 1));
}

} // namespace

void pack_block(uint kind, int bit_depth, uint *words, const void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == RESIDUAL_BYPASS_4)
        high ? pack_residual<std::int32_t, 16>(words, coefficients)
             : pack_residual<std::int16_t, 8>(words, coefficients);
    else
        std::memcpy(words, coefficients, 4 * residual_block_words(kind, bit_depth));
}

void unpack_block(uint kind, int bit_depth, const uint *words, void *coefficients) {
    const bool high = bit_depth > 8;
    if (kind == RESIDUAL_BYPASS_4)
        high ? unpack_residual<std::int32_t, 16>(words, coefficients)
             : unpack_residual<std::int16_t, 8>(words, coefficients);
    else
        std::memcpy(coefficients, words, 4 * residual_block_words(kind, bit_depth));
}

} // namespace v3doff::h264
