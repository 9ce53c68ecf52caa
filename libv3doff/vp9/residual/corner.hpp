// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace v3doff::vp9 {

// The coefficients of a block of edge x edge between the decoder's order, column after column in
// int16_t or, if `high`, int32_t, and the words that the kernels read. `corner` is the edge of the
// part that counts; unpack_corner() leaves the rest of the block alone.
void pack_corner(int edge, int corner, bool high, void *words, const void *coefficients);
void unpack_corner(int edge, int corner, bool high, const void *words, void *coefficients);

} // namespace v3doff::vp9
