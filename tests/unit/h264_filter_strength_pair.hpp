// SPDX-License-Identifier: BSD-2-Clause
// Boundary strengths by the plain reference, and the smallest picture that has some.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "h264/filter/records.hpp"
#include "h264/filter/strengths.hpp"

namespace v3doff::h264 {

inline std::vector<FilterMb> derive(const Arrays &input) {
    MacroblockTable packed;
    EXPECT_EQ(packed.add_all(input), nullptr);
    std::vector<FilterMb> records(packed.count());
    derive_strengths(packed, records.data());
    return records;
}

// Two macroblocks side by side, each 16x16 with one part, without coefficients, at QP 40.
struct Pair {
    uint32_t mb_type[2] = {mb_16x16 | 1 << 12, mb_16x16 | 1 << 12};
    int8_t qp[2] = {40, 40};
    uint16_t slice_table[2] = {0, 0};
    uint8_t non_zero_count[2][48] = {};
    uint16_t cbp[2] = {};
    int16_t motion[2][32][2] = {}; // 8 in a row
    int8_t reference[2][8] = {};
    std::vector<Slice> slices;

    Pair() {
        Slice slice{};
        for (unsigned i = 0; i < max_list_entries; i++)
            slice.picture[0][i] = slice.picture[1][i] = uint8_t(i);
        slices.assign(2, slice);
    }
    Arrays input() const {
        Arrays in;
        in.mb_width = 2, in.mb_height = 1, in.mb_stride = 2;
        in.mb_type = mb_type;
        in.qp = qp;
        in.slice_table = slice_table;
        in.non_zero_count = non_zero_count;
        in.cbp = cbp;
        in.motion_stride = 8, in.motion_mb_stride = 32;
        for (unsigned list = 0; list < 2; list++) {
            in.motion[list] = motion[list];
            in.reference[list] = reference[list];
        }
        in.slices = slices.data();
        in.slice_count = slices.size();
        return in;
    }
    // Of the edge between the two.
    uint32_t between() const { return derive(input())[1].vertical[0] & 15; }
    const char *problem() const {
        MacroblockTable packed;
        return packed.add_all(input());
    }
};

} // namespace v3doff::h264
