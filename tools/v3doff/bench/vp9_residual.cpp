// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <random>

#include "bench/works.hpp"

namespace tool::bench {
namespace {

// The blocks of a picture, and their coefficients one after another.
struct Blocks {
    struct Place {
        uint32_t plane, x, y;
    };
    uint32_t edge = 0, eob = 0;
    std::vector<Place> places;
    Aligned<int16_t> coefficients, left; // left: what FFmpeg's functions have not cleared yet

    size_t each() const { return size_t(edge) * edge; }
};

// Fills a square corner. eob must not be less than its last position in any scan.
void fill_block(Blocks &blocks, uint32_t corner, std::mt19937 &random, int16_t *to) {
    for (uint32_t c = 0; c < corner; c++)
        for (uint32_t r = 0; r < corner; r++)
            to[c * blocks.edge + r] = int16_t(random() % 201) - 100;
}

std::shared_ptr<Blocks> make_blocks(uint32_t width, uint32_t height, v3doff_vp9_tx tx,
                                    uint32_t coefficients) {
    auto blocks = std::make_shared<Blocks>();
    blocks->edge = 4u << tx;
    blocks->eob = coefficients ? coefficients : blocks->edge * blocks->edge;
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t y = 0; y < (p ? (height + 1) / 2 : height); y += blocks->edge)
            for (uint32_t x = 0; x < (p ? (width + 1) / 2 : width); x += blocks->edge)
                blocks->places.push_back({p, x, y});
    blocks->coefficients = Aligned<int16_t>(blocks->places.size() * blocks->each());
    blocks->left = Aligned<int16_t>(blocks->coefficients.size());
    std::mt19937 random(7);
    // 4 x 4 low frequencies come within the first 34 of every scan, 2 x 2 within the first 10.
    const uint32_t corner = !coefficients ? blocks->edge : coefficients >= 34 ? 4 : 2;
    for (size_t n = 0; n < blocks->places.size(); n++)
        fill_block(*blocks, corner, random, blocks->coefficients.data() + n * blocks->each());
    return blocks;
}

void record(v3doff_picture *picture, const Blocks &blocks, v3doff_vp9_tx tx) {
    alignas(64) int16_t block[32 * 32];
    for (size_t n = 0; n < blocks.places.size(); n++) {
        const auto &[plane, x, y] = blocks.places[n];
        std::memcpy(block, blocks.coefficients.data() + n * blocks.each(), blocks.each() * 2);
        check(v3doff_vp9_record_itx(picture, 0, plane, x, y, tx, V3DOFF_VP9_DCT_DCT, blocks.eob,
                                    block),
              "recording a block");
    }
}

void add_by_ffmpeg(const v3doff_planes &planes, Blocks &blocks, v3doff_vp9_tx tx, bool simd) {
    const auto function = ffdsp_vp9(8, simd)->itxfm_add[tx][0];
    for (size_t n = 0; n < blocks.places.size(); n++) {
        const auto &[plane, x, y] = blocks.places[n];
        function(static_cast<uint8_t *>(planes.data[plane]) + y * planes.stride[plane] + x,
                 planes.stride[plane], blocks.left.data() + n * blocks.each(), int(blocks.eob));
    }
    ffdsp_emms();
}

void time_vp9_residual(const Session &session, Json &results) {
    for (v3doff_vp9_tx tx :
         {V3DOFF_VP9_TX_4X4, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_TX_16X16, V3DOFF_VP9_TX_32X32})
        results.push_back(measure(session, vp9_transforms(1920, 1080, tx)));
}

} // namespace

Work vp9_transforms(uint32_t width, uint32_t height, v3doff_vp9_tx tx, uint32_t coefficients) {
    auto blocks = make_blocks(width, height, tx, coefficients);
    Work work;
    work.name = fmt::format(
        "VP9 {0}x{0} DCT + add, 8 bit, every block of {1}x{2} 4:2:0, {3}", blocks->edge, width,
        height, coefficients ? fmt::format("{} coefficients", coefficients) : "every coefficient");
    work.width = width;
    work.height = height;
    work.record_bytes = blocks->coefficients.size() * 2;
    work.fill = [](v3doff_picture *picture) { fill_samples(picture, 8, 0, 256); };
    work.record = [blocks, tx](v3doff_picture *picture) { record(picture, *blocks, tx); };
    work.refill = [blocks] { blocks->left = blocks->coefficients; };
    work.ffmpeg = [blocks, tx](const v3doff_planes &planes, bool simd) {
        add_by_ffmpeg(planes, *blocks, tx, simd);
    };
    work.remake = [=] { return vp9_transforms(width, height, tx, coefficients); };
    return work;
}

void add_vp9_residual(Families &families) {
    families.push_back(
        {"vp9_itx", "inverse transforms of a whole 1080p picture", time_vp9_residual});
}

} // namespace tool::bench
