// SPDX-License-Identifier: BSD-2-Clause
// Macroblocks of several parts: rectangles as large as their motion allows.
#include "h264/filter_strength_arrays.hpp"
#include "h264/words_motion.hpp"

namespace v3doff::h264 {
namespace {

uint32_t first_of(uint64_t row) {
    return uint32_t(row);
}

bool both_same(uint64_t row) {
    return uint32_t(row) == uint32_t(row >> 32);
}

} // namespace

void WordsMotion::add_parts(uint32_t x, uint32_t y, uint32_t type) {
    const StrengthInput &in = frame_.arrays;
    Macroblock mb{x, y, type, {}, {}};
    for (unsigned list = 0; list < 2; list++)
        if (type & uses_list[list]) {
            mb.index[list] = in.reference[list] + 4 * (y * in.mb_stride + x);
            mb.vector[list] = in.motion[list] + y * in.motion_mb_stride + 4 * x;
        }
    if (mb.type & mb_16x8) {
        append(mb, 0, 0, 16, 8, read_part(mb, 0, 0));
        append(mb, 0, 8, 16, 8, read_part(mb, 1, 2));
    } else if (mb.type & mb_8x16) {
        append(mb, 0, 0, 8, 16, read_part(mb, 0, 0));
        append(mb, 8, 0, 8, 16, read_part(mb, 1, 1));
    } else if (is_whole(mb)) {
        add_whole(mb.x, mb.y, read_quarter(mb, 0).part(0));
    } else {
        add_quarters(mb);
    }
}

// A partition that begins with this 8x8 block.
WordsMotion::Part WordsMotion::read_part(const Macroblock &mb, unsigned partition,
                                         unsigned quarter) const {
    const size_t block = (quarter >> 1) * 2 * frame_.arrays.motion_stride + (quarter & 1) * 2;
    Part part;
    for (unsigned list = 0; list < 2; list++)
        if (mb.type & partition_uses(partition, list)) {
            part.index[list] = mb.index[list][quarter];
            part.vector[list] = load32(mb.vector[list][block]);
        }
    return part;
}

WordsMotion::Quarter WordsMotion::read_quarter(const Macroblock &mb, unsigned quarter) const {
    const size_t stride = frame_.arrays.motion_stride;
    const size_t block = (quarter >> 1) * 2 * stride + (quarter & 1) * 2;
    Quarter read{{-1, -1}, {}};
    for (unsigned list = 0; list < 2; list++)
        if (mb.index[list] && mb.index[list][quarter] >= 0) {
            read.index[list] = mb.index[list][quarter];
            read.rows[list][0] = load64(mb.vector[list][block]);
            read.rows[list][1] = load64(mb.vector[list][block + stride]);
        }
    return read;
}

bool WordsMotion::Quarter::same_columns() const {
    return both_same(rows[0][0]) && both_same(rows[0][1]) && both_same(rows[1][0]) &&
           both_same(rows[1][1]);
}

bool WordsMotion::Quarter::same_rows() const {
    return rows[0][0] == rows[0][1] && rows[1][0] == rows[1][1];
}

bool WordsMotion::Quarter::uniform() const {
    return same_rows() && same_columns();
}

WordsMotion::Part WordsMotion::Quarter::part(unsigned block) const {
    Part part;
    for (unsigned list = 0; list < 2; list++) {
        const uint64_t row = rows[list][block >> 1];
        part.index[list] = index[list];
        part.vector[list] = first_of(block & 1 ? row >> 32 : row);
    }
    return part;
}

// Whether all of it is predicted alike.
bool WordsMotion::is_whole(const Macroblock &mb) const {
    const size_t stride = frame_.arrays.motion_stride;
    uint64_t others = 0;
    for (unsigned list = 0; list < 2; list++) {
        if (!mb.index[list]) continue;
        const uint32_t indices = load32(mb.index[list]);
        others |= unlike(indices);
        if (int8_t(indices) < 0) continue; // then it has no vectors
        const uint64_t first = load64(mb.vector[list][0]);
        others |= uint32_t(first) ^ (first >> 32);
        for (size_t row = 0; row < 4; row++)
            others |= (load64(mb.vector[list][row * stride]) ^ first) |
                      (load64(mb.vector[list][row * stride + 2]) ^ first);
    }
    return !others;
}

// Quarters that are predicted alike go together; direct prediction often leaves such.
void WordsMotion::add_quarters(const Macroblock &mb) {
    Quarter quarter[4];
    Part part[4];
    bool uniform = true;
    for (unsigned i = 0; i < 4; i++) {
        quarter[i] = read_quarter(mb, i);
        uniform &= quarter[i].uniform();
        part[i] = quarter[i].part(0);
    }
    const bool upper = part[0] == part[1], lower = part[2] == part[3];
    if (uniform && upper && lower) {
        append(mb, 0, 0, 16, 8, part[0]);
        return append(mb, 0, 8, 16, 8, part[2]);
    }
    if (uniform && part[0] == part[2] && part[1] == part[3]) {
        append(mb, 0, 0, 8, 16, part[0]);
        return append(mb, 8, 0, 8, 16, part[1]);
    }
    for (unsigned i = 0; i < 4; i++)
        add_quarter(mb, i, quarter[i]);
}

void WordsMotion::add_quarter(const Macroblock &mb, unsigned number, const Quarter &quarter) {
    const unsigned x = number % 2 * 8, y = number / 2 * 8;
    const bool columns = quarter.same_columns(), rows = quarter.same_rows();
    const unsigned width = columns ? 8 : 4, height = rows ? 8 : 4;
    for (unsigned down = 0; down < 8; down += height)
        for (unsigned right = 0; right < 8; right += width)
            append(mb, x + right, y + down, width, height, quarter.part(down / 4 * 2 + right / 4));
}

} // namespace v3doff::h264
