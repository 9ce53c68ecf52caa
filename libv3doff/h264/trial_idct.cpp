// SPDX-License-Identifier: BSD-2-Clause
// Residuals macroblock by macroblock, as a decoder's functions take them.
#include <cstring>
#include <memory>
#include <random>

#include "h264/residual/record.hpp"
#include "h264/trial.hpp"

namespace v3doff::h264 {
namespace {

constexpr unsigned blocks_a_macroblock = 48; // Cb's from 16, Cr's from 32

struct TrialBlock {
    uint32_t x, y; // macroblocks
    bool transform_8x8, chroma;
    uint32_t coded; // luma, a bit for each 4x4 of the scan of 6.4.3
};

// A third of the macroblocks has a residual, half of them with the 8x8 transform.
std::vector<TrialBlock> make_residuals(const PictureFormat &format) {
    std::mt19937 random(9);
    std::vector<TrialBlock> residuals;
    for (uint32_t y = 0; y < format.height / 16; y++)
        for (uint32_t x = 0; x < format.width / 16; x++)
            if (random() % 3 == 0)
                residuals.push_back({x, y, random() % 2 == 0, random() % 3 == 0,
                                     uint32_t(random()) & uint32_t(random())});
    return residuals;
}

// A macroblock's coefficients, with the counts of them that the functions go by.
struct Coefficients {
    alignas(64) int16_t values[blocks_a_macroblock * 16];
    uint8_t counts[15 * 8];

    void fill(const TrialBlock &residual) {
        std::memset(counts, 0, sizeof counts);
        if (residual.transform_8x8) {
            for (uint32_t n = 0; n < 16; n += 4)
                if (residual.coded >> n & 15) fill_block(n, 8);
        } else {
            for (uint32_t n = 0; n < 16; n++)
                if (residual.coded >> n & 1) fill_block(n, 4);
        }
        if (!residual.chroma) return;
        for (uint32_t plane = 1; plane < 3; plane++)
            for (uint32_t n = 0; n < 4; n++) {
                values[(plane * 16 + n) * 16] = 96; // DC, with no others in every second block
                if (n % 2) continue;
                values[(plane * 16 + n) * 16 + 1] = -40;
                counts[count_place(plane, n)] = 2;
            }
    }

  private:
    // Few coefficients, of low frequencies.
    void fill_block(uint32_t n, int edge) {
        int16_t *block = values + n * 16;
        const bool dc_only = n / (edge == 8 ? 4 : 1) % 2;
        block[0] = int16_t(160 - 24 * int(n % 5));
        counts[count_place(0, n)] = dc_only ? 1 : 4;
        if (dc_only) return;
        block[1] = 56, block[edge] = -40, block[edge + 1] = 24;
    }
};

void record(Picture &picture, const TrialBlock &residual, Coefficients &from,
            MacroblockGroup group) {
    const bool chroma = group == MacroblockGroup::add8;
    const uint32_t edge = chroma ? 8 : 16;
    record_macroblock(picture, 0, {chroma, residual.x * edge, residual.y * edge, 0}, group,
                      from.values, from.counts);
}

// Bytes from a macroblock's first sample to each of its blocks, as the functions want them.
void make_offsets(const PictureView &picture, int (&offsets)[blocks_a_macroblock]) {
    for (uint32_t n = 0; n < blocks_a_macroblock; n++) {
        const uint32_t x = (n & 1) + (n >> 2 & 1) * 2, y = (n >> 1 & 1) + (n >> 3 & 1) * 2;
        offsets[n] = int(x * 4) + int(y * 4) * int(picture.plane[n / 16].stride);
    }
}

} // namespace

Trial residual_trial(unsigned size, const v3doff_h264dsp &simd) {
    Trial trial(V3DOFF_FAMILY_H264_IDCT, size);
    auto residuals = std::make_shared<const std::vector<TrialBlock>>(make_residuals(trial.format));
    trial.record = [residuals](Picture &picture) {
        Coefficients coefficients{};
        for (const TrialBlock &residual : *residuals) {
            coefficients.fill(residual);
            record(picture, residual, coefficients,
                   residual.transform_8x8 ? MacroblockGroup::add4 : MacroblockGroup::add16);
            if (residual.chroma) record(picture, residual, coefficients, MacroblockGroup::add8);
        }
    };
    trial.run_simd = [residuals, simd](const PictureView &picture) {
        Coefficients coefficients{};
        int offsets[blocks_a_macroblock];
        make_offsets(picture, offsets);
        const auto at = [&](unsigned p, const TrialBlock &residual) {
            const PlaneView &plane = picture.plane[p];
            const uint32_t edge = p ? 8 : 16;
            return reinterpret_cast<uint8_t *>(plane.data) +
                   ptrdiff_t(residual.y * edge) * plane.stride + residual.x * edge;
        };
        for (const TrialBlock &residual : *residuals) {
            coefficients.fill(residual);
            const auto add = residual.transform_8x8 ? simd.h264_idct8_add4 : simd.h264_idct_add16;
            add(at(0, residual), offsets, coefficients.values, int(picture.plane[0].stride),
                coefficients.counts);
            if (!residual.chroma) continue;
            uint8_t *planes[2] = {at(1, residual), at(2, residual)};
            simd.h264_idct_add8(planes, offsets, coefficients.values, int(picture.plane[1].stride),
                                coefficients.counts);
        }
    };
    return trial;
}

} // namespace v3doff::h264
