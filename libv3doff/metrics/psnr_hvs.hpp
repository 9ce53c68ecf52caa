// SPDX-License-Identifier: BSD-2-Clause
// PSNR-HVS-M of one plane (Ponomarenko et al., VPQM-07): 8x8 windows at every 7th sample, an
// integer DCT, errors below the contrast masking threshold left out, the rest weighted by the
// contrast sensitivity of the plane.
//
// The definition that other tools use sums all windows' terms in one float, in raster order, and
// its rounding is part of the result. psnr_hvs_sum.hpp says how that sum is made in parallel.
#pragma once

#include <span>

#include "metrics/plane.hpp"

namespace v3doff::metrics {

inline constexpr uint32_t psnr_hvs_step = 7;
inline constexpr uint32_t psnr_hvs_terms = 64; // of a window

inline uint32_t psnr_hvs_windows(uint32_t size) {
    return size < 8 ? 0 : (size - 8) / psnr_hvs_step + 1;
}

// Sensitivity and masking of a plane's 64 coefficients, in the raster order of the transform's
// output. masking = (0.38857... sensitivity)^2, rounded to float.
struct PsnrHvsTables {
    float sensitivity[64], masking[64];
};
const PsnrHvsTables &psnr_hvs_tables(unsigned plane);

// The terms of the window at (x, y), in the order in which they are added.
void psnr_hvs_window(const Plane &reference, const Plane &distorted, uint32_t x, uint32_t y,
                     const PsnrHvsTables &tables, std::span<float, psnr_hvs_terms> terms);

// The float sum of all terms.
float psnr_hvs_reference(const Plane &reference, const Plane &distorted, unsigned plane);

// The mean weighted squared error, relative to the peak's square: 0 for identical planes.
double psnr_hvs_error(float sum, uint32_t width, uint32_t height, uint32_t depth);

// In dB; infinite for 0.
double psnr_hvs_db(double error);

} // namespace v3doff::metrics
