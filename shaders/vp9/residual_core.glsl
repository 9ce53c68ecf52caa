// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_CORE_GLSL
#define VP9_RESIDUAL_CORE_GLSL

#include "vp9/residual_io.glsl"
#ifdef RESIDUAL_WORDS
#include "vp9/residual_words.glsl"
#endif

#include "vp9/residual_4x4.glsl"
#include "vp9/residual_16x16.glsl"
#include "vp9/residual_8x8.glsl"

#endif
