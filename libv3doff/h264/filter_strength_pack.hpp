// SPDX-License-Identifier: BSD-2-Clause
// Packs a decoder's arrays into the compact form from which the GPU derives boundary strengths: 16
// bytes for each macroblock, and its different motion vectors.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "h264/filter_strength_slices.hpp"
#include "records/h264_filter_strength.h"

namespace v3doff::h264 {

// Reused for other pictures; keeps its memory.
struct PackedStrengths {
    uint32_t mb_width = 0;
    uint32_t top = 0, rows = 0; // the first row of macroblocks; how many were packed so far
    bool above = false;         // the first row is not filtered itself, see begin_strengths()
    bool field = false;
    bool mbaff = false;     // macroblocks are in pairs, upper ones first
    bool two_lists = false; // some macroblock uses list 1
    std::vector<StrengthMb>
        macroblocks;              // raster order, of pairs in an MBAFF frame; at least count()
    std::vector<uint32_t> motion; // at least motion_words
    size_t motion_words = 0;
    StrengthTables tables;

    // For inter prediction, which the same records describe.
    PicturesUsed used;
    // Whether each macroblock is of a slice, and each block of an inter macroblock is predicted
    // from something.
    bool complete = true;
    StrengthInput arrays; // what it was packed from

    // Where the records are in the plan that is being made, if another stage has placed them.
    std::optional<StrengthPush> placed;

    uint32_t count() const { return mb_width * rows; }
    // Of the macroblock in column x and row y of the picture.
    size_t place(uint32_t x, uint32_t y) const {
        return mbaff ? (size_t(y / 2) * mb_width + x) * 2 + y % 2 : size_t(y - top) * mb_width + x;
    }
};

// Begins without rows; `row` will be the first one that is filtered. A row above it is packed too,
// because the edges between the two depend on both.
void begin_strengths(const StrengthInput &input, uint32_t row, PackedStrengths &packed);

// Appends rows of macroblocks until `end`, in an MBAFF frame of pairs. Null, or what is wrong with
// the input: then nothing was appended. All that a shader would follow out of its memory is
// checked: slice numbers, QP, reference indices.
const char *pack_rows(const StrengthInput &input, uint32_t end, PackedStrengths &packed);

// A whole picture; after a problem, none of it.
const char *pack_strengths(const StrengthInput &input, PackedStrengths &packed);

} // namespace v3doff::h264
