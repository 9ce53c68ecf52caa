// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_ITX_CORE_GLSL
#define VP9_ITX_CORE_GLSL

// ITX_DEPTH is the bit depth, of which the kernels distinguish 8 and more: a word of samples holds
// four of 8 bits or two of more.
#if ITX_DEPTH == 8
#define ITX_WORDS_OF_FOUR 1
#else
#define ITX_WORDS_OF_FOUR 2
#endif

#include "vp9/itx_io.glsl"
#ifdef ITX_WORDS
#include "vp9/itx_words.glsl"
#endif

#include "vp9/itx_4x4.glsl"
#if ITX_DEPTH == 8
#include "vp9/itx_16x16.glsl"
#include "vp9/itx_8x8.glsl"
#else
#include "vp9/itx_16x16_high.glsl"
#include "vp9/itx_8x8_high.glsl"
#endif

#endif
