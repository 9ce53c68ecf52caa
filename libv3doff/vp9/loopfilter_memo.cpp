// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/loopfilter_memo.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::vp9 {

LoopfilterMemo &LoopfilterMemo::of_thread() {
    thread_local LoopfilterMemo memo;
    return memo;
}

// Of the marks and some levels: others make another entry of the same place, which is rare. Four
// sums side by side, because one alone would wait for each multiplication.
uint32_t LoopfilterMemo::hash(const Key &key) {
    constexpr uint64_t odd = 0x9e3779b97f4a7c15;
    uint64_t marks[16], levels[8];
    std::memcpy(marks, key.superblock.mask, sizeof marks);
    std::memcpy(levels, key.superblock.level, sizeof levels);
    uint64_t sum[4] = {levels[0], levels[3], levels[7], key.place};
    for (size_t i = 0; i < 16; i += 4) {
        sum[0] = (sum[0] + marks[i]) * odd;
        sum[1] = (sum[1] + marks[i + 1]) * odd;
        sum[2] = (sum[2] + marks[i + 2]) * odd;
        sum[3] = (sum[3] + marks[i + 3]) * odd;
    }
    // A multiplication only carries upwards.
    const uint64_t all = (sum[0] ^ sum[1] >> 7 ^ sum[2] >> 17 ^ sum[3] >> 27) * odd;
    return uint32_t((all ^ all << 19) >> (64 - log2_entries));
}

bool LoopfilterMemo::pack(const LoopfilterInput &input, uint32_t row, uint32_t col,
                          unsigned line_count, LoopfilterLine *lines, StripCuts (&cuts)[2],
                          LastRows &last_rows, uint32_t &phases) {
    if (!entries_) entries_ = std::make_unique<std::array<Entry, 1 << log2_entries>>();
    const PictureFormat &format = input.format;
    const unsigned last = format.planes() - 1;
    Key key;
    key.superblock = input.at(row, col);
    std::memcpy(key.last_rows, last_rows, sizeof key.last_rows);
    // Never 0, so that an empty entry is no superblock's.
    key.place = 1 | !row << 1 | !col << 2 | format.shift_x(last) << 3 | format.shift_y(last) << 4;
    key.unused = 0;
    // Mostly it is the same as the one on the left.
    if (!last_ || std::memcmp(&last_->key, &key, sizeof key)) last_ = &(*entries_)[hash(key)];
    Entry &entry = *last_;
    if (std::memcmp(&entry.key, &key, sizeof key)) {
        entry.phases = 1;
        entry.any =
            pack_superblock(input, row, col, entry.lines, entry.cuts, last_rows, entry.phases);
        std::memcpy(entry.last_rows, last_rows, sizeof entry.last_rows);
        entry.key = key;
    } else {
        std::memcpy(last_rows, entry.last_rows, sizeof entry.last_rows);
    }
    std::copy_n(entry.lines, line_count, lines);
    std::copy_n(entry.cuts, 2, cuts);
    phases = std::max(phases, entry.phases);
    return entry.any;
}

} // namespace v3doff::vp9
