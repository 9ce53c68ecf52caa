// SPDX-License-Identifier: BSD-2-Clause
// The buffers of the metrics' kernels: two planes of samples, and the scratch buffer with tables,
// intermediate values and results. METRIC_DEPTH is 8, or 16 for all depths above.
#include "records/metrics.h"

layout(std430, binding = 0) readonly buffer Samples { uint samples[]; };
layout(std430, binding = 1) readonly buffer Arena { uint arena[]; };
layout(std430, binding = 2) buffer Scratch { uint scratch[]; };

#if METRIC_DEPTH == 8
const uint PER_WORD = 4, WORD_SHIFT = 2, BITS = 8;
#else
const uint PER_WORD = 2, WORD_SHIFT = 1, BITS = 16;
#endif

uint part(uint word, uint n) { return bitfieldExtract(word, int(n * BITS), int(BITS)); }
