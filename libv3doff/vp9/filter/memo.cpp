// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/memo.hpp"

#include <algorithm>
#include <cstring>

namespace v3doff::vp9 {
namespace {

// Runs for every superblock of every picture, so it does not call memcmp().
template <typename T>
bool same(const T &a, const T &b) {
    using Words = uint64_t __attribute__((vector_size(16)));
    static_assert(sizeof a % sizeof(Words) == 0);
    Words different{};
    for (size_t at = 0; at < sizeof a; at += sizeof(Words)) {
        Words x, y;
        std::memcpy(&x, reinterpret_cast<const char *>(&a) + at, sizeof x);
        std::memcpy(&y, reinterpret_cast<const char *>(&b) + at, sizeof y);
        different |= x ^ y;
    }
    return !(different[0] | different[1]);
}

// Made of "first row", "first column" and the chroma format; never 0.
uint32_t place_of(const PictureFormat &format, uint32_t row, uint32_t col) {
    const unsigned last = format.planes() - 1;
    return 1 | !row << 1 | !col << 2 | format.shift_x(last) << 3 | format.shift_y(last) << 4;
}

} // namespace

FilterMemo &FilterMemo::of_thread() {
    thread_local FilterMemo memo;
    return memo;
}

// Hashes the marks and some levels. Superblocks that differ only in other levels share an entry,
// which is rare. Four sums run in parallel; a single one would wait for each multiplication.
uint32_t FilterMemo::hash(const FilterSuperblock &superblock, uint32_t place) {
    constexpr uint64_t odd = 0x9e3779b97f4a7c15;
    uint64_t marks[16], levels[8];
    std::memcpy(marks, superblock.mask, sizeof marks);
    std::memcpy(levels, superblock.level, sizeof levels);
    uint64_t sum[4] = {levels[0], levels[3], levels[7], place};
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

bool FilterMemo::Entry::is_of(const FilterSuperblock &other, const LastRows &above,
                              uint32_t at) const {
    return place == at && same(superblock, other) && same(rows_above, above);
}

bool FilterMemo::pack(const FilterInput &input, uint32_t row, uint32_t col, unsigned line_count,
                      FilterLine *lines, StripCuts (&cuts)[2], LastRows &last_rows,
                      uint32_t &phases) {
    if (!entries_) entries_ = std::make_unique<std::array<Entry, 1 << log2_entries>>();
    const FilterSuperblock &superblock = input.at(row, col);
    const uint32_t place = place_of(input.format, row, col);
    // Mostly it is the same as the one on the left.
    bool known = last_ && last_->is_of(superblock, last_rows, place);
    if (!known) {
        last_ = &(*entries_)[hash(superblock, place)];
        known = last_->is_of(superblock, last_rows, place);
    }
    Entry &entry = *last_;
    if (!known) {
        entry.superblock = superblock;
        std::memcpy(entry.rows_above, last_rows, sizeof last_rows);
        entry.place = place;
        entry.phases = 1;
        std::memcpy(entry.last_rows, last_rows, sizeof last_rows);
        entry.any = pack_superblock(input, row, col, entry.lines, entry.cuts, entry.last_rows,
                                    entry.phases);
    }
    std::memcpy(last_rows, entry.last_rows, sizeof last_rows);
    std::copy_n(entry.lines, line_count, lines);
    std::copy_n(entry.cuts, 2, cuts);
    phases = std::max(phases, entry.phases);
    return entry.any;
}

} // namespace v3doff::vp9
