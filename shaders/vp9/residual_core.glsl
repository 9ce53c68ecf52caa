// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_CORE_GLSL
#define VP9_RESIDUAL_CORE_GLSL

// RESIDUAL_DEPTH is the bit depth, of which the kernels distinguish 8 and more: a word of samples holds
// four of 8 bits or two of more.
#if RESIDUAL_DEPTH == 8
#define RESIDUAL_WORDS_OF_FOUR 1
#else
#define RESIDUAL_WORDS_OF_FOUR 2
#endif

#include "vp9/residual_io.glsl"

#include "vp9/residual_4x4.glsl"
#if RESIDUAL_DEPTH == 8
#include "vp9/residual_16x16.glsl"
#include "vp9/residual_8x8.glsl"
#else
#include "vp9/residual_16x16_high.glsl"
#include "vp9/residual_8x8_high.glsl"
#endif

#endif
