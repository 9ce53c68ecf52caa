// SPDX-License-Identifier: BSD-2-Clause
// From a decoder's masks to the records that the loop filter's shaders read.
#pragma once

#include <vector>

#include "records/vp9_filter.h"
#include "vp9/filter_cut.hpp"
#include "vp9/filter_input.hpp"

namespace v3doff::vp9 {

// FilterLine records of one superblock.
unsigned lines_of_superblock(const PictureFormat &format);

// What a superblock hands down to the one below it: for each line between rows of luma and of
// chroma the phase after which its last 8 rows are final as far as it goes. 1 where there is a cut.
using LastRows = uint32_t[2][8];

// Writes them. cuts: one for luma's marks and one for chroma's, if it has marks of its own.
// last_rows: of the superblock above on entry, of this one on return. Returns whether there is an
// edge to filter; phases becomes the highest phase of a line, if it was lower.
bool pack_superblock(const FilterInput &input, uint32_t row, uint32_t col, FilterLine *lines,
                     StripCuts (&cuts)[2], LastRows &last_rows, uint32_t &phases);

} // namespace v3doff::vp9
