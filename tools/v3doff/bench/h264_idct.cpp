// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/h264.h"

namespace tool::bench {
namespace {

struct Content {
    const char *name;
    v3doff_h264_transform luma, chroma;
    uint32_t coefficients; // of a block that are coded, from the first on
    uint32_t bit_depth;
    bool corner = false;
};

// Every block of 4:2:0 in which every coefficient is coded is the most that a stream can hold.
const Content contents[] = {
    {"4x4", V3DOFF_H264_IDCT_4X4, V3DOFF_H264_IDCT_4X4, 16, 8},
    {"8x8", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_8X8, 64, 8},
    {"8x8 luma, 4x4 chroma", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_4X4, 64, 8},
    {"8x8, coefficients in a corner", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_8X8, 16, 8, true},
    {"4x4 DC alone", V3DOFF_H264_DC_4X4, V3DOFF_H264_DC_4X4, 1, 8},
    {"4x4 bypass", V3DOFF_H264_BYPASS_4X4, V3DOFF_H264_BYPASS_4X4, 16, 8},
    {"4x4", V3DOFF_H264_IDCT_4X4, V3DOFF_H264_IDCT_4X4, 16, 10},
    {"8x8 luma, 4x4 chroma", V3DOFF_H264_IDCT_8X8, V3DOFF_H264_IDCT_4X4, 64, 10},
};

// In the corner of 8x8: four columns of four.
void fill_block(const Content &content, std::mt19937 &random, int32_t *wide, int16_t *narrow) {
    for (uint32_t i = 0; i < content.coefficients; i++)
        wide[content.corner ? i / 4 * 8 + i % 4 : i] = int32_t(random() % 401) - 200;
    for (uint32_t i = 0; i < 64; i++)
        narrow[i] = int16_t(wide[i]);
}

void record_plane(v3doff_picture *picture, const Content &content, uint32_t p, uint32_t width,
                  uint32_t height, std::mt19937 &random) {
    const v3doff_h264_transform transform = p ? content.chroma : content.luma;
    const uint32_t edge = transform == V3DOFF_H264_IDCT_8X8 ? 8 : 4;
    for (uint32_t y = 0; y < height; y += edge)
        for (uint32_t x = 0; x < width; x += edge) {
            int32_t wide[64] = {};
            int16_t narrow[64];
            fill_block(content, random, wide, narrow);
            check(v3doff_h264_record_idct(picture, 0, p, x, y, V3DOFF_H264_FRAME_ROWS, transform,
                                          content.bit_depth == 8 ? static_cast<void *>(narrow)
                                                                 : wide),
                  "recording a block");
        }
}

void record(v3doff_picture *picture, const Content &content) {
    fill_samples(picture, content.bit_depth, 0, 1u << content.bit_depth);
    const v3doff_planes planes = planes_of(picture);
    std::mt19937 random(7);
    for (uint32_t p = 0; p < planes.count; p++)
        record_plane(picture, content, p, planes.width[p], planes.height[p], random);
}

void run(const Session &session, Json &results) {
    for (const Content &content : contents) {
        Work work;
        work.name = fmt::format("H.264 {} + add, {} bit, every block of 1920x1080 4:2:0",
                                content.name, content.bit_depth);
        work.bit_depth = content.bit_depth;
        work.record = [&content](v3doff_picture *picture) { record(picture, content); };
        results.push_back(measure(session, work));
    }
}

} // namespace

void add_h264_idct(Families &families) {
    families.push_back({"h264_idct", "H.264 residuals of a whole 1080p picture", run});
}

} // namespace tool::bench
