// SPDX-License-Identifier: BSD-2-Clause
// Roundings that are part of a definition.
#pragma once

#ifdef __FAST_MATH__
#error "the quality metrics are defined by their roundings, which -ffast-math does not keep"
#endif

namespace v3doff {

// The float nearest to value. By the language, `float(value)` is that float, but at -O3 g++ 12
// vectorises sums of `double(float(value))` and leaves out both conversions. The volatile object
// hides from every optimiser where the float comes from.
inline float rounded_to_float(double value) {
    volatile float rounded = float(value);
    return rounded;
}

} // namespace v3doff
