// SPDX-License-Identifier: BSD-2-Clause
#ifndef COMMON_RESIDUAL_PAIR_GLSL
#define COMMON_RESIDUAL_PAIR_GLSL

// Two 16-bit values in a word, cut to 16 bits as FFmpeg stores them between the passes of a
// transform. The halves are added and not combined by OR, because V3D's multiplier can also add.
int residual_low(uint word) { return int(word << 16) >> 16; }

int residual_high(uint word) { return int(word) >> 16; }

uint residual_pair(int low, int high) { return (uint(low) & 0xffffu) + (uint(high) << 16); }

#endif
