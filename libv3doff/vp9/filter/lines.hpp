// SPDX-License-Identifier: BSD-2-Clause
// Turns a decoder's masks into the records that the loop filter's shaders read.
#pragma once

#include <vector>

#include "records/vp9_filter.h"
#include "vp9/filter/cut.hpp"
#include "vp9/filter/input.hpp"

namespace v3doff::vp9 {

// FilterLine records of one superblock.
unsigned lines_of_superblock(const PictureFormat &format);

// What a superblock passes to the one below it: for each line between rows of luma and of chroma,
// the phase after which it no longer changes the line's last 8 rows. 1 if there is a cut.
using LastRows = uint32_t[2][8];

// Writes the records. cuts: one for luma's marks and one for chroma's, if it has its own.
// last_rows: on entry of the superblock above, on return of this one. Returns whether there is an
// edge to filter. phases becomes the highest phase of a line, if that is higher.
bool pack_superblock(const FilterInput &input, uint32_t row, uint32_t col, FilterLine *lines,
                     StripCuts (&cuts)[2], LastRows &last_rows, uint32_t &phases);

} // namespace v3doff::vp9
