// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_ADD_GLSL
#define COMMON_RESIDUAL_ADD_GLSL

// Residuals added to samples and clipped: ITU-T H.264 8.5.14, VP9 bitstream specification 8.7.2. A
// word holds four samples of 8 bits or two of more.

#if RESIDUAL_DEPTH == 8
int residual_clip(int value) { return clamp(value, 0, 255); }

uint residual_add(uint word, int a, int b, int c, int d) {
    a = residual_clip(a + int(word & 0xffu));
    b = residual_clip(b + int(word >> 8 & 0xffu));
    c = residual_clip(c + int(word >> 16 & 0xffu));
    d = residual_clip(d + int(word >> 24));
    return uint(a + (b << 8) + (c << 16) + (d << 24));
}

// Adds to the highest sample of a word and turns the word, so that after all its columns, the last
// one first, it is complete and every sample is back in its place.
uint residual_add_next(uint word, int residual) {
    return (word << 8) + uint(residual_clip(residual + int(word >> 24)));
}
#else
int residual_clip(int value) { return clamp(value, 0, int(push.sample_max)); }

uint residual_add(uint word, int a, int b) {
    a = residual_clip(a + int(word & 0xffffu));
    b = residual_clip(b + int(word >> 16));
    return uint(a + (b << 16));
}

uint residual_add_next(uint word, int residual) {
    return (word << 16) + uint(residual_clip(residual + int(word >> 16)));
}
#endif

#endif
