// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_ADD_GLSL
#define VP9_ITX_ADD_GLSL

// Adds to the lowest sample of a word of four and turns the word, so that after four columns it is
// complete and every sample is back in its place.
uint itx_add_next(uint word, int residual) {
    int value = clamp(residual + int(word & 0xffu), 0, 255);
    return (word >> 8) + (uint(value) << 24);
}

#endif
