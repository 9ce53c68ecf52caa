// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_IDCT_ADD_GLSL
#define H264_IDCT_ADD_GLSL

// Residuals added to samples and clipped, ITU-T H.264 8.5.14.

#if IDCT_DEPTH == 8
int idct_clip(int value) { return clamp(value, 0, 255); }

uint idct_add(uint word, int a, int b, int c, int d) {
    a = idct_clip(a + int(word & 0xffu));
    b = idct_clip(b + int(word >> 8 & 0xffu));
    c = idct_clip(c + int(word >> 16 & 0xffu));
    d = idct_clip(d + int(word >> 24));
    return uint(a + (b << 8) + (c << 16) + (d << 24));
}

// Adds to the highest sample of a word and turns the word, so that after all its columns, the last
// one first, it is complete and every sample is back in its place.
uint idct_add_next(uint word, int residual) {
    return (word << 8) + uint(idct_clip(residual + int(word >> 24)));
}
#else
int idct_clip(int value) { return clamp(value, 0, int(push.sample_max)); }

uint idct_add(uint word, int a, int b) {
    a = idct_clip(a + int(word & 0xffffu));
    b = idct_clip(b + int(word >> 16));
    return uint(a + (b << 16));
}

uint idct_add_next(uint word, int residual) {
    return (word << 16) + uint(idct_clip(residual + int(word >> 16)));
}
#endif

// Two values of 16 bits in a word. A sum instead of a union, because V3D's multiplier can add but
// not unite.
int idct_low(uint word) { return int(word << 16) >> 16; }

int idct_high(uint word) { return int(word) >> 16; }

uint idct_pair(int low, int high) { return (uint(low) & 0xffffu) + (uint(high) << 16); }

// Two residuals. With 8 bits none needs more than 16: coefficients have those, and no transform
// makes them 64 times as large. With more bits, one that does makes any sample 0 or the largest one.
uint idct_residual(int low, int high) {
#if IDCT_DEPTH != 8
    low = clamp(low, -32768, 32767);
    high = clamp(high, -32768, 32767);
#endif
    return idct_pair(low, high);
}

#endif
