// SPDX-License-Identifier: BSD-2-Clause
#include "h264/strength_slices.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::h264 {
namespace {

// Numbers from `first` on that are equal, at least one.
uint32_t count_same(const uint16_t *first, uint32_t most) {
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

void StrengthSlices::begin_row(uint32_t y, bool unfiltered) {
    const uint16_t *const row = in_.slice_table + y * in_.mb_stride;
    // 6.4.12.2: in an MBAFF frame both macroblocks of a field pair are below the pair above.
    const uint32_t to_field = 1 + y % 2;
    numbers_[0] = row;
    numbers_[1] = y ? row - in_.mb_stride : nullptr;
    numbers_[2] = in_.mbaff && y >= to_field ? row - to_field * in_.mb_stride : nullptr;
    same_until_ = {};
    const uint32_t filters = STRENGTH_FILTERED | STRENGTH_FILTER_LEFT | STRENGTH_FILTER_TOP;
    kept_ = unfiltered ? ~filters : ~0u;
}

bool StrengthSlices::find_run(uint32_t x, StrengthRun &run) {
    uint32_t end = in_.mb_width;
    for (unsigned row = 0; row < numbers_.size(); row++) {
        if (!numbers_[row]) continue;
        uint32_t &until = same_until_[row];
        if (until == x) until = x + count_same(numbers_[row] + x, in_.mb_width - x);
        end = std::min(end, until);
    }
    const uint16_t number = numbers_[0][x];
    if (number != number_ && !enter(number)) return false;
    run = entered_;
    run.end = end;
    if (!(run.bits[0] & STRENGTH_FILTERED)) return true;
    // 8.7: which of the outer edges are filtered. The second one's left edge is inside the slice.
    for (unsigned field = 0; field < 2; field++) {
        run.bits[field] |= STRENGTH_FILTER_LEFT;
        const uint16_t *const above = numbers_[1 + field];
        if (above && is_filtered(above[x])) run.bits[field] |= STRENGTH_FILTER_TOP;
        run.bits[field] &= kept_;
    }
    if (!x || !is_filtered(numbers_[0][x - 1])) run.first_without = STRENGTH_FILTER_LEFT;
    return true;
}

// Another slice than that of the macroblock before.
bool StrengthSlices::enter(uint16_t number) {
    number_ = number;
    entered_ = {};
    if (number == no_slice) return true;
    if (number >= in_.slice_count) {
        problem_ = "slice_table: a number without a slice";
        return false;
    }
    const int table = tables_.of_slice(in_, number);
    if (table < 0) {
        problem_ = tables_.problem();
        return false;
    }
    const StrengthSlice &slice = in_.slices[number];
    own_edges_only_ = slice.disable_deblocking_filter == 2;
    uint32_t bits = slice.disable_deblocking_filter == 1 ? 0 : uint32_t(STRENGTH_FILTERED);
    if (slice.flags & V3DOFF_H264_SLICE_LIST_0_ONLY) bits |= STRENGTH_LIST_0_ONLY;
    entered_.in_slice = true;
    entered_.bits[0] = bits;
    entered_.bits[1] = bits | STRENGTH_FIELD;
    entered_.table = uint32_t(table) << STRENGTH_TABLE_AT;
    if (slice.flags & V3DOFF_H264_SLICE_SWITCHING) entered_.intra = mb_intra;
    if (slice.flags & V3DOFF_H264_SLICE_CAVLC) entered_.cavlc_8x8 = mb_transform_8x8;
    pictures_[0].enter(slice.picture);
    if (in_.mbaff) pictures_[1].enter(in_.field_pictures[number]);
    return true;
}

} // namespace v3doff::h264
