// SPDX-License-Identifier: BSD-2-Clause
#include "metrics/psnr_hvs.hpp"

#include <cmath>
#include <cstdlib>

#include "util/rounding.hpp"

namespace v3doff::metrics {
namespace {

// Half, rounded towards zero.
int32_t half(int32_t value) {
    return (value + int32_t(uint32_t(value) >> 31)) >> 1;
}

// value * factor / 2^bits, rounded.
int32_t scaled(int32_t value, int32_t factor, int bits) {
    return (value * factor + (1 << (bits - 1))) >> bits;
}

// The 8-point integer DCT by lifting steps that PSNR-HVS-M is computed with. in and out may not
// overlap; step is the distance of successive inputs.
void dct8(const int32_t *in, int step, int32_t *out) {
    // Differences of mirrored samples, and means.
    int32_t d0 = in[0] - in[7 * step];
    const int32_t d0_half = half(d0);
    int32_t m0 = in[0] - d0_half;
    int32_t m1 = in[step] + in[6 * step];
    const int32_t m1_half = half(m1);
    int32_t d1 = in[6 * step] - m1_half;
    int32_t d2 = in[2 * step] - in[5 * step];
    int32_t m2 = in[2 * step] - half(d2);
    int32_t m3 = in[3 * step] + in[4 * step];
    const int32_t m3_half = half(m3);
    int32_t d3 = m3_half - in[4 * step];

    // Even half: a 2-point DCT (outputs 0 and 4) and a 2-point DST (2 and 6).
    m0 += m3_half;
    m3 = m0 - m3;
    m2 = m1_half - m2;
    m1 = m2 - m1;
    m0 -= scaled(m1, 13573, 15);
    m1 += scaled(m0, 11585, 14);
    m0 -= scaled(m1, 13573, 15);
    m3 -= scaled(m2, 21895, 15);
    m2 += scaled(m3, 15137, 14);
    m3 -= scaled(m2, 21895, 15);

    // Odd half: a 4-point DST.
    d2 += scaled(d1, 19195, 15);
    d1 += scaled(d2, 11585, 14);
    d2 -= scaled(d1, 7489, 13);
    d3 = half(d1) - d3;
    d1 -= d3;
    d2 = d0_half - d2;
    d0 -= d2;
    d3 += scaled(d0, 3227, 15);
    d0 -= scaled(d3, 6393, 15);
    d3 += scaled(d0, 3227, 15);
    d1 += scaled(d2, 2485, 13);
    d2 -= scaled(d1, 18205, 15);
    d1 += scaled(d2, 2485, 13);

    const int32_t ordered[8] = {m0, d0, m2, d2, m1, d1, m3, d3};
    for (int i = 0; i < 8; i++)
        out[i] = ordered[i];
}

struct Window {
    int32_t value[64]; // samples, then coefficients
    float ratio;       // of the variances within the quarters to that of the whole
};

// Every float operation here and its order are part of the definition.
float variance_ratio(const int32_t (&samples)[64]) {
    auto quarter_of = [](int i) { return (i >> 5) + ((i & 4) >> 1); };
    int32_t sum = 0, sums[4] = {};
    for (int i = 0; i < 64; i++) {
        sum += samples[i];
        sums[quarter_of(i)] += samples[i];
    }
    const float mean = float(sum) / 64.f;
    float whole = 0, quarter[4] = {};
    for (int i = 0; i < 64; i++) {
        const int q = quarter_of(i);
        const float apart = float(samples[i]) - mean;
        const float apart_q = float(samples[i]) - float(sums[q]) / 16.f;
        whole += apart * apart;
        quarter[q] += apart_q * apart_q;
    }
    whole *= 1 / 63.f * 64;
    for (float &value : quarter)
        value *= 1 / 15.f * 16;
    return whole > 0 ? (quarter[0] + quarter[1] + quarter[2] + quarter[3]) / whole : whole;
}

void transform(int32_t (&block)[64]) {
    int32_t columns[64];
    for (int i = 0; i < 8; i++)
        dct8(block + i, 8, columns + 8 * i);
    for (int i = 0; i < 8; i++)
        dct8(columns + i, 8, block + 8 * i);
}

Window window_of(const Plane &plane, uint32_t x, uint32_t y) {
    Window window;
    for (uint32_t i = 0; i < 64; i++)
        window.value[i] = int32_t(plane.sample(x + i % 8, y + i / 8));
    window.ratio = variance_ratio(window.value);
    transform(window.value);
    return window;
}

float masking_of(const Window &window, const PsnrHvsTables &tables) {
    float energy = 0;
    for (int i = 1; i < 64; i++)
        energy += float(window.value[i] * window.value[i]) * tables.masking[i];
    return rounded_to_float(std::sqrt(double(energy) * double(window.ratio)) / 32.0);
}

} // namespace

void psnr_hvs_window(const Plane &reference, const Plane &distorted, uint32_t x, uint32_t y,
                     const PsnrHvsTables &tables, std::span<float, psnr_hvs_terms> terms) {
    const Window r = window_of(reference, x, y), d = window_of(distorted, x, y);
    const float mask = std::fmax(masking_of(r, tables), masking_of(d, tables));
    for (int i = 0; i < 64; i++) {
        float error = float(std::abs(r.value[i] - d.value[i]));
        if (i) {
            const float threshold = mask / tables.masking[i];
            error = error < threshold ? 0 : error - threshold;
        }
        const float weighted = error * tables.sensitivity[i];
        terms[size_t(i)] = weighted * weighted;
    }
}

float psnr_hvs_reference(const Plane &reference, const Plane &distorted, unsigned plane) {
    const PsnrHvsTables &tables = psnr_hvs_tables(plane);
    float sum = 0, terms[psnr_hvs_terms];
    for (uint32_t y = 0; y < psnr_hvs_windows(reference.height); y++)
        for (uint32_t x = 0; x < psnr_hvs_windows(reference.width); x++) {
            psnr_hvs_window(reference, distorted, x * psnr_hvs_step, y * psnr_hvs_step, tables,
                            terms);
            for (float term : terms)
                sum += term;
        }
    return sum;
}

double psnr_hvs_error(float sum, uint32_t width, uint32_t height, uint32_t depth) {
    const int32_t peak = (1 << depth) - 1;
    const uint32_t terms = psnr_hvs_windows(width) * psnr_hvs_windows(height) * psnr_hvs_terms;
    sum /= float(terms);
    sum /= float(peak * peak);
    return double(sum);
}

double psnr_hvs_db(double error) {
    return 10 * (-1 * std::log10(error));
}

} // namespace v3doff::metrics
