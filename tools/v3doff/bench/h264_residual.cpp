// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>
#include <random>

#include "bench/works.hpp"

namespace tool::bench {
namespace {

// Every block of 4:2:0 in which every coefficient is coded is the most that a stream can hold.
const H264Content contents[] = {
    {"4x4", V3DOFF_H264_IDCT_4X4, V3DOFF_H264_IDCT_4X4, 16, 8},
    {"8x8", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_8X8, 64, 8},
    {"8x8 luma, 4x4 chroma", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_4X4, 64, 8},
    {"8x8, coefficients in a corner", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_8X8, 16, 8, true},
    {"4x4 DC alone", V3DOFF_H264_DC_4X4, V3DOFF_H264_DC_4X4, 1, 8},
    {"4x4 bypass", V3DOFF_H264_BYPASS_4X4, V3DOFF_H264_BYPASS_4X4, 16, 8},
    {"4x4", V3DOFF_H264_IDCT_4X4, V3DOFF_H264_IDCT_4X4, 16, 10},
    {"8x8 luma, 4x4 chroma", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_4X4, 64, 10},
};

// The blocks of a picture, and their coefficients one behind the other, in bytes.
struct Blocks {
    struct Place {
        uint32_t plane, x, y;
        v3doff_h264_transform transform;
        size_t first;
    };
    std::vector<Place> places;
    Aligned<uint8_t> coefficients, left; // left: what FFmpeg's functions have not cleared yet
    uint32_t bytes = 2;                  // of a coefficient
};

uint32_t edge_of(v3doff_h264_transform transform) {
    return transform == V3DOFF_H264_IDCT_8X8 ? 8 : 4;
}

void place_blocks(uint32_t width, uint32_t height, const H264Content &content, Blocks &blocks) {
    size_t bytes = 0;
    for (uint32_t p = 0; p < 3; p++) {
        const v3doff_h264_transform transform = p ? content.chroma : content.luma;
        const uint32_t edge = edge_of(transform);
        for (uint32_t y = 0; y < (p ? (height + 1) / 2 : height); y += edge)
            for (uint32_t x = 0; x < (p ? (width + 1) / 2 : width); x += edge) {
                blocks.places.push_back({p, x, y, transform, bytes});
                bytes += size_t(edge) * edge * blocks.bytes;
            }
    }
    blocks.coefficients = Aligned<uint8_t>(bytes);
    blocks.left = Aligned<uint8_t>(bytes);
}

// In the corner of 8x8: four columns of four.
void fill_blocks(const H264Content &content, Blocks &blocks) {
    std::mt19937 random(7);
    for (const auto &place : blocks.places) {
        const uint32_t most = edge_of(place.transform) * edge_of(place.transform);
        for (uint32_t i = 0; i < std::min(content.coefficients, most); i++) {
            const int32_t value = int32_t(random() % 401) - 200;
            const size_t at = content.corner ? i / 4 * 8 + i % 4 : i;
            std::memcpy(blocks.coefficients.data() + place.first + at * blocks.bytes, &value,
                        blocks.bytes); // little-endian
        }
    }
}

void record(v3doff_picture *picture, const Blocks &blocks) {
    alignas(64) uint8_t block[64 * 4];
    for (const auto &place : blocks.places) {
        const uint32_t edge = edge_of(place.transform);
        std::memcpy(block, blocks.coefficients.data() + place.first, edge * edge * blocks.bytes);
        check(v3doff_h264_record_idct(picture, 0, place.plane, place.x, place.y,
                                      V3DOFF_H264_FRAME_ROWS, place.transform, block),
              "recording a block");
    }
}

FfdspH264Idct function_of(const FfdspH264 &functions, v3doff_h264_transform transform) {
    switch (transform) {
    case V3DOFF_H264_IDCT_8X8:
        return functions.idct8_add;
    case V3DOFF_H264_DC_4X4:
        return functions.idct_dc_add;
    case V3DOFF_H264_BYPASS_4X4:
        return functions.add_pixels4_clear;
    default:
        return functions.idct_add;
    }
}

void add_by_ffmpeg(const v3doff_planes &planes, Blocks &blocks, uint32_t depth, bool simd) {
    const FfdspH264 &functions = *ffdsp_h264(int(depth), 1, simd);
    const uint32_t sample = depth > 8 ? 2 : 1;
    for (const auto &place : blocks.places)
        function_of(functions,
                    place.transform)(static_cast<uint8_t *>(planes.data[place.plane]) +
                                         place.y * planes.stride[place.plane] + place.x * sample,
                                     reinterpret_cast<int16_t *>(blocks.left.data() + place.first),
                                     int(planes.stride[place.plane]));
    ffdsp_emms();
}

void time_h264_residual(const Session &session, Json &results) {
    for (const H264Content &content : contents)
        results.push_back(measure(session, h264_residual(1920, 1080, content)));
}

} // namespace

Work h264_residual(uint32_t width, uint32_t height, const H264Content &content) {
    auto blocks = std::make_shared<Blocks>();
    blocks->bytes = content.bit_depth > 8 ? 4 : 2;
    place_blocks(width, height, content, *blocks);
    fill_blocks(content, *blocks);
    Work work;
    work.name = fmt::format("H.264 {} + add, {} bit, every block of {}x{} 4:2:0", content.name,
                            content.bit_depth, width, height);
    work.width = width;
    work.height = height;
    work.bit_depth = content.bit_depth;
    work.record_bytes = blocks->coefficients.size();
    work.fill = [depth = content.bit_depth](v3doff_picture *picture) {
        fill_samples(picture, depth, 0, 1u << depth);
    };
    work.record = [blocks](v3doff_picture *picture) { record(picture, *blocks); };
    work.refill = [blocks] { blocks->left = blocks->coefficients; };
    work.ffmpeg = [blocks, depth = content.bit_depth](const v3doff_planes &planes, bool simd) {
        add_by_ffmpeg(planes, *blocks, depth, simd);
    };
    work.remake = [=] { return h264_residual(width, height, content); };
    return work;
}

void add_h264_residual(Families &families) {
    families.push_back(
        {"h264_idct", "H.264 residuals of a whole 1080p picture", time_h264_residual});
}

} // namespace tool::bench
