// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_PAIR_GLSL
#define COMMON_RESIDUAL_PAIR_GLSL

// Two values of 16 bits in a word, which cuts them as FFmpeg's storage between the passes of a
// transform does. A sum instead of a union, because V3D's multiplier can add but not unite.
int residual_low(uint word) { return int(word << 16) >> 16; }

int residual_high(uint word) { return int(word) >> 16; }

uint residual_pair(int low, int high) { return (uint(low) & 0xffffu) + (uint(high) << 16); }

#endif
