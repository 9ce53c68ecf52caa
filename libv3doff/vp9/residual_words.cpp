// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual_words.hpp"

#include <array>
#include <cstring>

#include "vp9/residual_reference.hpp"

namespace v3doff::vp9 {
namespace {

template <typename Value>
void spread(const ResidualWords &words, void *dense) {
    for (const uint32_t word : words.coefficients) {
        const auto value = words.value<Value>(word);
        std::memcpy(static_cast<std::byte *>(dense) + ResidualWords::place(word) * sizeof value,
                    &value, sizeof value);
    }
}

} // namespace

// What the decoder's function adds to samples: on ones that are 0 all that is not negative can be
// seen, on the largest ones all that is not positive.
std::span<const int16_t> DecoderResiduals::work_out(const ResidualWords &words) {
    const ResidualInput &block = words.block;
    const uint32_t n = uint32_t(transform_edge(block.tx)), count = n * n;
    const size_t bytes = depth_ > 8 ? 2 : 1;
    const int most = (1 << depth_) - 1;
    alignas(64) std::array<std::byte, 32 * 32 * 2> samples[2];
    for (int part = 0; part < 2; part++) {
        std::memset(dense_, 0, sizeof dense_); // the decoder's functions clear some of it
        depth_ > 8 ? spread<int32_t>(words, dense_) : spread<int16_t>(words, dense_);
        for (uint32_t i = 0; i < count; i++) {
            const auto value = uint16_t(part ? most : 0);
            std::memcpy(&samples[part][i * bytes], &value, bytes);
        }
        std::byte *const to = samples[part].data();
        const auto stride = ptrdiff_t(n * bytes);
        if (itxfm_add_)
            itxfm_add_[block.tx][block.type](reinterpret_cast<uint8_t *>(to), stride,
                                             reinterpret_cast<int16_t *>(dense_), block.eob);
        else
            residual_add_reference(to, stride, dense_, block.tx, block.type, block.eob, depth_);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint16_t value[2] = {};
        for (int part = 0; part < 2; part++)
            std::memcpy(&value[part], &samples[part][i * bytes], bytes);
        residuals_[i] = int16_t(int(value[0]) + value[1] - most);
    }
    return {residuals_, count};
}

} // namespace v3doff::vp9
