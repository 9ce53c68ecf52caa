// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/lines.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace v3doff::vp9 {
namespace {

static_assert(std::endian::native == std::endian::little);

// This runs on the CPU for every superblock of every picture, so it handles four lines at a time.
// The compiler makes NEON or SSE2 instructions of it.
using Four = uint32_t __attribute__((vector_size(16), may_alias));
struct Eight {
    Four part[2];
    uint32_t operator[](unsigned n) const { return reinterpret_cast<const uint32_t *>(part)[n]; }
    uint32_t &operator[](unsigned n) { return reinterpret_cast<uint32_t *>(part)[n]; }
};

template <typename F>
Eight each(const Eight &value, F f) {
    return {{f(value.part[0]), f(value.part[1])}};
}

Eight read_mask(const uint8_t (&mask)[8][mask_sizes]) {
    Eight rows;
    static_assert(sizeof rows == sizeof mask);
    std::memcpy(&rows, mask, sizeof rows);
    return rows;
}

// Moves each of the lowest 8 bits to the lowest bit of a nibble.
Four spread(Four bits) {
    bits &= 0xff;
    bits = (bits | bits << 12) & 0x000f000f;
    bits = (bits | bits << 6) & 0x03030303;
    return (bits | bits << 3) & 0x11111111;
}

// Turns rows of a mask into marks of a line, 4 bits for each block.
Four marks_of(Four mask) {
    const Four e16 = mask >> 8 * mask_16, e8 = mask >> 8 * mask_8, e4 = mask >> 8 * mask_4;
    return spread(e16 | (e4 & ~e8)) | spread(e16 | e8) << 1 | spread(mask >> 8 * mask_inner) << 2;
}
static_assert(FILTER_4 == 1 && FILTER_8 == 2 && FILTER_16 == 3);

// Turns 8 blocks of 4 samples into 4 blocks of 8. The edge before an odd block becomes an inner
// one.
Four halved(Four marks) {
    Four blocks = (marks & 0x03030303) | (marks >> 4 & 0x01010101) << 2;
    blocks = (blocks | blocks >> 4) & 0x00ff00ff;
    return (blocks | blocks >> 8) & 0xffff;
}

// Transposes 2x2 matrices of elements, `bits` wide, in neighbouring rows. mask covers the lower
// elements. `other` is the neighbour, and `upper` selects the row with the higher number.
Four exchange(Four row, Four other, Four upper, unsigned bits, uint32_t mask) {
    const Four as_lower = (row & mask) | (other & mask) << bits;
    const Four as_upper = (row & ~mask) | (other >> bits & mask);
    return (as_upper & upper) | (as_lower & ~upper);
}

// Transposes an 8x8 matrix of nibbles.
Eight transposed(const Eight &rows) {
    const Four odd = {0, ~0u, 0, ~0u}, second = {0, 0, ~0u, ~0u}, none = {}, all = ~none;
    const Eight pairs = each(rows, [&](Four row) {
        return exchange(row, __builtin_shufflevector(row, row, 1, 0, 3, 2), odd, 4, 0x0f0f0f0f);
    });
    const Eight fours = each(pairs, [&](Four row) {
        return exchange(row, __builtin_shufflevector(row, row, 2, 3, 0, 1), second, 8, 0x00ff00ff);
    });
    const Four low = fours.part[0], high = fours.part[1];
    return {{exchange(low, high, none, 16, 0xffff), exchange(high, low, all, 16, 0xffff)}};
}

// Packs bytes 0, 2, 4 and 6.
constexpr uint64_t even_bytes(uint64_t bytes) {
    bytes &= 0x00ff00ff00ff00ff;
    bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffff;
    return (bytes | bytes >> 16) & 0xffffffff;
}

// Levels of each line of blocks, first block lowest.
struct Levels {
    uint64_t line[2][8]; // of rows, of columns
    bool any_zero;

    explicit Levels(const uint8_t (&level)[8][8]) {
        uint64_t zero = 0, different = 0;
        std::memcpy(line[0], level, sizeof line[0]);
        for (const uint64_t row : line[0]) {
            zero |= (row - 0x0101010101010101) & ~row & 0x8080808080808080;
            different |= (row ^ std::rotl(row, 8)) | (row ^ line[0][0]);
        }
        any_zero = zero;
        if (!different)
            std::memcpy(line[1], line[0], sizeof line[1]);
        else
            for (unsigned r = 0; r < 8; r++)
                for (unsigned c = 0; c < 8; c++)
                    reinterpret_cast<uint8_t(&)[8][8]>(line[1])[c][r] = level[r][c];
    }
};

// All bits of the nibbles of blocks with level 0.
uint32_t unfiltered(uint64_t levels) {
    uint32_t nibbles = 0;
    for (unsigned block = 0; block < 8; block++)
        if (!(levels >> 8 * block & 0xff)) nibbles |= 15u << 4 * block;
    return nibbles;
}

class Packer {
  public:
    Packer(const FilterInput &input, uint32_t row, uint32_t col, FilterLine *lines)
        : sb_(input.at(row, col)), first_row_(!row), first_col_(!col), lines_(lines),
          levels_(sb_.level) {}

    template <bool shift_x, bool shift_y>
    void pack(unsigned set, StripCuts &cuts, uint32_t (&last_rows)[8]) {
        const auto &masks = sb_.mask[set];
        Eight marks = each(read_mask(masks[0]), marks_of), free = filtered<false, shift_x>(marks);
        cuts.columns = true;
        for (unsigned number = 0; number < 8; number += 1 << shift_y) {
            const uint32_t cut = free[number] ? last_place(free[number]) : 0;
            cuts.columns &= free[number] || first_col_;
            add<false, shift_x>(number, marks[number], cut);
        }
        marks = transposed(each(read_mask(masks[1]), marks_of));
        free = filtered<true, shift_y>(marks);
        for (unsigned number = 0; number < 8; number += 1 << shift_x) {
            const bool strip = number == 8 - (1 << shift_x);
            const uint32_t cut = row_cut(free[number], strip, last_rows[number]);
            add<true, shift_y>(number, marks[number], cut);
            cuts.rows = free[number] || first_row_; // the last one counts
        }
    }

    bool any() const { return any_; }
    uint32_t phases() const { return phases_; }

  private:
    static uint32_t last_place(uint32_t free) { return 31 - uint32_t(std::countl_zero(free)); }

    // Removes what is not filtered: the picture's own left and top edge, and blocks of level 0
    // (8.8.2). Returns the places where lines can be cut.
    template <bool between_rows, bool half>
    Eight filtered(Eight &marks) const {
        if (half) marks = each(marks, halved);
        if (between_rows ? first_row_ : first_col_)
            marks = each(marks, [](Four line) { return line & ~3u; });
        for (unsigned number = 0; levels_.any_zero && number < 8; number++) {
            const uint64_t levels = levels_.line[between_rows][number];
            marks[number] &= ~unfiltered(half ? even_bytes(levels) : levels);
        }
        return each(marks, [](Four line) { return free_places(line, half ? 4 : 8); });
    }

    // A strip is cut as late as possible, which leaves little to the first task. Other lines are
    // cut as early as possible, because the phases after the first one are the longer chain.
    uint32_t row_cut(uint32_t free, bool strip, uint32_t &last_rows) {
        if (first_row_) {
            last_rows = 1;
            return 0;
        }
        const uint32_t phase = last_rows + 1;
        phases_ = std::max(phases_, phase);
        last_rows = free ? 1 : phase;
        const uint32_t place = strip ? last_place(free | 1) : uint32_t(std::countr_zero(free));
        return v3doff::pack(free ? place : 32, FILTER_CUT) | v3doff::pack(phase, FILTER_PHASE);
    }

    template <bool between_rows, bool half>
    void add(unsigned number, uint32_t marks, uint32_t cut) {
        uint64_t levels = levels_.line[between_rows][number];
        if (half) levels = even_bytes(levels);
        any_ |= marks;
        *lines_++ = {marks, uint32_t(levels), uint32_t(levels >> 32), cut};
    }

    const FilterSuperblock &sb_;
    const bool first_row_, first_col_;
    FilterLine *lines_;
    const Levels levels_;
    uint32_t any_ = 0, phases_ = 1;
};

// FilterMemo::pack() without the memo, which looks it up without the registers that this needs.
[[gnu::noinline]] bool pack_superblock(const FilterInput &input, uint32_t row, uint32_t col,
                                       FilterLine *lines, StripCuts (&cuts)[2], LastRows &last_rows,
                                       uint32_t &phases) {
    const unsigned last = input.format.planes() - 1;
    const unsigned x = input.format.shift_x(last), y = input.format.shift_y(last);
    Packer packer(input, row, col, lines);
    packer.pack<false, false>(0, cuts[0], last_rows[0]);
    if (x && y) packer.pack<true, true>(1, cuts[1], last_rows[1]);
    if (x && !y) packer.pack<true, false>(1, cuts[1], last_rows[1]);
    if (!x && y) packer.pack<false, true>(1, cuts[1], last_rows[1]);
    phases = std::max(phases, packer.phases());
    return packer.any();
}

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

unsigned lines_of_superblock(const PictureFormat &format) {
    const unsigned last = format.planes() - 1, x = format.shift_x(last), y = format.shift_y(last);
    return 16 + (x | y ? (8 >> x) + (8 >> y) : 0);
}

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
