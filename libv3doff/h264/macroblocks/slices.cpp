// SPDX-License-Identifier: BSD-2-Clause
#include "h264/macroblocks/slices.hpp"

#include <algorithm>
#include <cstring>

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

// Numbers from `first` on that are equal, at least one.
uint32_t count_same(const uint16_t *first, uint32_t most) {
    if (most < 2 || first[1] != *first) return 1; // slices of a macroblock
    const uint64_t four = *first * uint64_t(0x0001000100010001);
    uint32_t count = 1;
    for (uint64_t next[4]; count + 16 <= most; count += 16) {
        std::memcpy(next, first + count, sizeof next);
        if ((next[0] ^ four) | (next[1] ^ four) | (next[2] ^ four) | (next[3] ^ four)) break;
    }
    while (count < most && first[count] == *first)
        count++;
    return count;
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

ReferencePictures::ReferencePictures() {
    for (auto &list : of) {
        std::fill(list.begin(), list.begin() + 128, index_too_high);
        std::fill(list.begin() + 128, list.end(), uint16_t(255));
    }
}

void ReferencePictures::enter(const uint8_t (*pictures)[max_list_entries]) {
    for (unsigned list = 0; list < 2; list++)
        for (unsigned i = 0; i < max_list_entries; i++)
            of[list][i] = pictures[list][i] == 255 ? not_a_picture : pictures[list][i];
}

// Slices say nothing here of arrays that are not filtered.
void ReferencePictures::enter_any() {
    for (auto &list : of)
        std::fill(list.begin(), list.begin() + 128, uint16_t(0));
}

SliceRuns::SliceRuns(const Arrays &input, SliceTables &tables) : in_(input), tables_(tables) {
    if (in_.filtered) return;
    for (ReferencePictures &pictures : pictures_)
        pictures.enter_any();
}

void SliceRuns::begin_row(uint32_t y, bool unfiltered) {
    const uint16_t *const row = in_.slice_table + y * in_.mb_stride;
    // 6.4.12.2: in an MBAFF frame both macroblocks of a field pair are below the pair above.
    const uint32_t to_field = 1 + y % 2;
    numbers_[0] = row;
    numbers_[1] = y ? row - in_.mb_stride : nullptr;
    numbers_[2] = in_.mbaff && y >= to_field ? row - to_field * in_.mb_stride : nullptr;
    same_until_ = {};
    const uint32_t filters = MB_FILTERED | MB_FILTER_LEFT | MB_FILTER_TOP;
    kept_ = unfiltered ? ~filters : ~0u;
}

const SliceRun *SliceRuns::find_run(uint32_t x) {
    run_.end = in_.mb_width;
    for (unsigned row = 0; row < numbers_.size(); row++) {
        if (!numbers_[row]) continue;
        uint32_t &until = same_until_[row];
        if (until == x) until = x + count_same(numbers_[row] + x, in_.mb_width - x);
        run_.end = std::min(run_.end, until);
    }
    const uint16_t number = numbers_[0][x];
    if (number != number_ && !enter(number)) return nullptr;
    run_.bits[0] = bits_, run_.bits[1] = bits_ | MB_FIELD;
    run_.first_without = 0;
    if (!(bits_ & MB_FILTERED)) return &run_;
    // 8.7: which of the outer edges are filtered. The second one's left edge is inside the slice.
    for (unsigned field = 0; field < 2; field++) {
        const uint16_t *const above = numbers_[1 + field];
        run_.bits[field] |= MB_FILTER_LEFT;
        if (above && is_filtered(above[x])) run_.bits[field] |= MB_FILTER_TOP;
        run_.bits[field] &= kept_;
    }
    if (!x || !is_filtered(numbers_[0][x - 1])) run_.first_without = MB_FILTER_LEFT;
    return &run_;
}

// Another slice than that of the macroblock before.
bool SliceRuns::enter(uint16_t number) {
    number_ = number;
    bits_ = 0;
    // After damage nobody knows all slices; what is filtered must be known.
    run_.in_slice = number != no_slice && (in_.filtered || number < in_.slice_count);
    if (!run_.in_slice) return true;
    if (number >= in_.slice_count) {
        problem_ = "slice_table: a number without a slice";
        return false;
    }
    if (!in_.filtered) return true;
    const int table = tables_.of_slice(in_, number);
    if (table < 0) {
        problem_ = tables_.problem();
        return false;
    }
    const Slice &slice = in_.slices[number];
    own_edges_only_ = slice.disable_deblocking_filter == 2;
    if (slice.disable_deblocking_filter != 1) bits_ |= MB_FILTERED;
    if (slice.flags & V3DOFF_H264_SLICE_LIST_0_ONLY) bits_ |= MB_LIST_0_ONLY;
    run_.table = pack(uint32_t(table), MB_TABLE);
    // Its macroblocks have motion all the same.
    if (slice.flags & V3DOFF_H264_SLICE_SWITCHING) bits_ |= MB_INTRA;
    run_.cavlc_8x8 = slice.flags & V3DOFF_H264_SLICE_CAVLC ? uint32_t(mb_transform_8x8) : 0;
    pictures_[0].enter(slice.picture);
    if (in_.mbaff) pictures_[1].enter(in_.field_pictures[number]);
    return true;
}

} // namespace v3doff::h264
