// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tool {

// Coefficients in the type that the bit depth demands, aligned for SIMD, with zeros behind them.
class Coefficients {
  public:
    Coefficients(const std::vector<int32_t> &values, unsigned bit_depth)
        : size_(bit_depth == 8 ? 2 : 4), count_(values.size()) {
        for (size_t i = 0; i < values.size(); i++)
            std::memcpy(at(i), &values[i], size_); // little-endian
    }
    uint8_t *data() { return data_; }
    int16_t *words() {
        return reinterpret_cast<int16_t *>(data_);
    } // as FFmpeg's functions take them
    uint8_t *at(size_t number) { return data_ + number * size_; }
    bool all_zero() const {
        return std::all_of(data_, data_ + size_ * count_, [](uint8_t byte) { return !byte; });
    }
    // Includes the bytes after them.
    void append_to(std::vector<uint8_t> &all) const {
        all.insert(all.end(), data_, data_ + size_ * (count_ + margin));
    }

  private:
    static constexpr size_t margin = 16;
    size_t size_, count_;
    alignas(64) uint8_t data_[(32 * 32 + margin) * 4] = {};
};

} // namespace tool
