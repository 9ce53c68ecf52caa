// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/residual/words.hpp"

#include <cstring>

namespace v3doff::vp9 {
namespace {

template <typename Value>
void spread(const ResidualWords &words, bool narrow, void *dense) {
    for (const uint32_t word : words.coefficients) {
        const auto value = Value(words.value(word, narrow));
        std::memcpy(static_cast<std::byte *>(dense) +
                        unpack(word, COEFFICIENT_PLACE) * sizeof value,
                    &value, sizeof value);
    }
}

} // namespace

uint64_t ResidualWords::magnitude(bool narrow) const {
    uint64_t sum = 0;
    for (const uint32_t word : coefficients)
        sum += uint64_t(std::abs(int64_t(value(word, narrow))));
    return sum;
}

// Adds the residuals to the samples.
void DecoderResiduals::add(const ResidualWords &words, bool plainly, Samples &to) {
    const ResidualInput &block = words.block;
    const auto stride = ptrdiff_t(transform_edge(block.tx)) * (depth_ > 8 ? 2 : 1);
    const bool wide = depth_ > 8 || (!plainly && transforms_.add_residual);
    std::memset(dense_, 0, sizeof dense_); // the decoder's functions clear some of it
    wide ? spread<int32_t>(words, false, dense_) : spread<int16_t>(words, true, dense_);
    if (!plainly && transforms_.add_residual)
        transforms_.add_residual(transforms_.opaque, uint32_t(block.tx), uint32_t(block.type),
                                 uint32_t(block.eob), dense_, to.data(), stride);
    else if (plainly)
        residual_add_reference(to.data(), stride, dense_, block.tx, block.type, block.eob, depth_);
    else
        transforms_.itxfm_add[block.tx][block.type](reinterpret_cast<uint8_t *>(to.data()), stride,
                                                    reinterpret_cast<int16_t *>(dense_), block.eob);
}

// On samples that are 0 all that is not negative can be seen, on the largest ones all that is not
// positive.
void DecoderResiduals::work_out(const ResidualWords &words) {
    const uint32_t edge = uint32_t(transform_edge(words.block.tx)), count = edge * edge;
    const size_t bytes = depth_ > 8 ? 2 : 1;
    const int most = (1 << depth_) - 1;
    plain_ = true;
    for (int part = 0; part < 2; part++) {
        Samples &samples = samples_[part];
        for (uint32_t i = 0; i < count; i++) {
            const auto value = uint16_t(part ? most : 0);
            std::memcpy(&samples[i * bytes], &value, bytes);
        }
        if (transforms_.itxfm_add || transforms_.add_residual) {
            plain_samples_ = samples;
            add(words, false, samples);
            add(words, true, plain_samples_);
            plain_ &= !std::memcmp(samples.data(), plain_samples_.data(), count * bytes);
        } else
            add(words, true, samples);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint16_t value[2] = {};
        for (int part = 0; part < 2; part++)
            std::memcpy(&value[part], &samples_[part][i * bytes], bytes);
        values_[i] = int16_t(int(value[0]) + value[1] - most);
    }
    residuals_ = {values_, count};
}

} // namespace v3doff::vp9
