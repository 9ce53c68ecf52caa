// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/slice_tables.hpp"

#include <algorithm>

#include "h264/filter/records.hpp"

namespace v3doff::h264 {
namespace {

constexpr size_t most_tables = 256; // a byte of MacroblockRecord::motion

// Table 8-15: QPC of qPI from 30 on.
constexpr uint8_t chroma_of[22] = {29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36,
                                   36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39};

int depth_offset(unsigned bit_depth) {
    return 6 * int(bit_depth - 8);
}

bool is_offset(int value) {
    return value >= -12 && value <= 12;
}

} // namespace

int chroma_qp(int luma_qp, int index_offset, unsigned bit_depth) {
    const int depth = depth_offset(bit_depth);
    const int index = std::clamp(luma_qp - depth + index_offset, -depth, 51);
    return (index < 30 ? index : chroma_of[index - 30]) + depth;
}

void SliceTables::begin() {
    words_.clear();
    keys_.clear();
    numbers_.clear();
    problem_ = nullptr;
}

int SliceTables::add(const Arrays &input, uint16_t slice) {
    const Slice &from = input.slices[slice];
    const Key key{from.filter_offset_a,
                  from.filter_offset_b,
                  {from.chroma_qp_index_offset[0], from.chroma_qp_index_offset[1]}};
    if (from.disable_deblocking_filter > 2)
        problem_ = "slices: disable_deblocking_filter is above 2";
    else if (!is_offset(key.offset_a) || !is_offset(key.offset_b))
        problem_ = "slices: a filter offset is not -12 to 12";
    else if (!is_offset(key.chroma[0]) || !is_offset(key.chroma[1]))
        problem_ = "slices: a chroma_qp_index_offset is not -12 to 12";
    if (problem_) return -1;
    const size_t number = size_t(std::find(keys_.begin(), keys_.end(), key) - keys_.begin());
    if (number == most_tables) {
        problem_ = "slices: more than 256 different sets of offsets";
        return -1;
    }
    if (number == keys_.size()) append(key, input.bit_depth);
    return numbers_[slice] = int16_t(number);
}

void SliceTables::append(const Key &key, unsigned bit_depth) {
    keys_.push_back(key);
    const int depth = depth_offset(bit_depth);
    const size_t at = words_.size();
    words_.resize(at + SLICE_TABLE_WORDS);
    for (int qp = 0; qp <= 51 + depth; qp++) {
        // 8.7.2.2 averages QPY and QPC, which have no offset; so has an average no more than one.
        words_[at + size_t(qp)] =
            edge_thresholds(qp - depth, qp - depth, key.offset_a, key.offset_b);
        uint32_t averaged = uint32_t(qp);
        for (unsigned plane = 0; plane < 2; plane++)
            averaged |= uint32_t(chroma_qp(qp, key.chroma[plane], bit_depth)) << (8 + 8 * plane);
        words_[at + SLICE_QPS + size_t(qp)] = averaged;
    }
}

} // namespace v3doff::h264
