// SPDX-License-Identifier: BSD-2-Clause
// From a decoder's arrays to the compact form that boundary strengths are derived from, which the
// GPU reads: 16 bytes a macroblock and its different motion vectors.
#pragma once

#include <vector>

#include "h264/strength_tables.hpp"
#include "records/h264_strength.h"

namespace v3doff::h264 {

// Used again and again: what grew stays.
struct PackedStrengths {
    uint32_t mb_width = 0, count = 0; // macroblocks
    bool field = false;
    bool two_lists = false;              // some macroblock uses list 1
    std::vector<StrengthMb> macroblocks; // raster order; at least `count`
    std::vector<uint32_t> motion;        // at least motion_words
    size_t motion_words = 0;
    StrengthTables tables;
};

// Null, or what is wrong with the input: then nothing of `packed` may be used. All that a shader
// would follow out of its memory is checked: slice numbers, QP, reference indices.
const char *pack_strengths(const StrengthInput &input, PackedStrengths &packed);

} // namespace v3doff::h264
