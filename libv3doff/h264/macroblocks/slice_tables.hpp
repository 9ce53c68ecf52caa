// SPDX-License-Identifier: BSD-2-Clause
// Slice parameters of deblocking as the tables that shaders look up.
#pragma once

#include <vector>

#include "h264/macroblocks/arrays.hpp"
#include "records/h264_filter_strength.h"

namespace v3doff::h264 {

// QP'C that belongs to QP'Y (8.5.8), both with the bit depth's offset, as luma and chroma have it.
int chroma_qp(int luma_qp, int index_offset, unsigned bit_depth);

// The tables of a picture: one for each different set of parameters. Reused for other pictures;
// keeps its memory.
class SliceTables {
  public:
    void begin();
    // Slices have numbers below this one. A slice that has a table is not read again.
    void expect(size_t slice_count) {
        if (numbers_.size() < slice_count) numbers_.resize(slice_count, -1);
    }

    // Number of the slice's table; negative when problem() says what is wrong with the slice.
    int of_slice(const Arrays &input, uint16_t slice) {
        const int known = numbers_[slice];
        return known >= 0 ? known : add(input, slice);
    }
    const char *problem() const { return problem_; }

    // SLICE_TABLE_WORDS each.
    const std::vector<uint32_t> &words() const { return words_; }

  private:
    struct Key {
        int offset_a, offset_b, chroma[2];
        bool operator==(const Key &) const = default;
    };
    int add(const Arrays &input, uint16_t slice);
    void append(const Key &key, unsigned bit_depth);

    std::vector<uint32_t> words_;
    std::vector<Key> keys_;
    std::vector<int16_t> numbers_; // by slice; -1: not met yet
    const char *problem_ = nullptr;
};

} // namespace v3doff::h264
