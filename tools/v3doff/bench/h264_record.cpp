// SPDX-License-Identifier: BSD-2-Clause
// What recording residuals costs the decoder's thread, compared with FFmpeg's SIMD, which adds them
// at once. Hot: coefficients and samples of a row of macroblocks were written just before, as in a
// decoder that works row by row. Cold: other memory was read in between.
#include <ctime>
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/h264.h"

namespace tool::bench {
namespace {

constexpr uint32_t columns = 120, macroblocks = columns * 68; // 1920x1088
constexpr uint32_t stride = columns * 16, at_once = columns;  // what an L2 cache holds

struct Kind {
    const char *name;
    bool eight, dc_alone;
    bool macroblock; // one call for a macroblock; otherwise one call for each block
};
constexpr Kind kinds[] = {{"a macroblock of 16 4x4 blocks", false, false, true},
                          {"a macroblock of 4 8x8 blocks", true, false, true},
                          {"16 single 4x4 blocks", false, false, false},
                          {"4 single 8x8 blocks", true, false, false},
                          {"16 single 4x4 blocks, DC alone", false, true, false},
                          {"4 single 8x8 blocks, DC alone", true, true, false}};

// Of a 4x4 block in the order of 6.4.3, or of the first one of an 8x8 block.
uint32_t block_x(unsigned n) {
    return ((n & 1) + (n >> 2 & 1) * 2) * 4;
}
uint32_t block_y(unsigned n) {
    return ((n >> 1 & 1) + (n >> 3 & 1) * 2) * 4;
}

// A luma picture, every block coded.
class Luma {
  public:
    explicit Luma(const Kind &kind) : kind_(kind) {}
    uint8_t *samples(uint32_t m) {
        return samples_.data() + size_t(m / columns) * 16 * stride + m % columns * 16;
    }

    // Nanoseconds a macroblock.
    template <typename Do>
    double time(Do each, bool cold) {
        const uint32_t step = cold ? macroblocks : at_once;
        double ns = 0;
        for (uint32_t first = 0; first < macroblocks; first += step) {
            for (uint32_t m = first; m < first + step; m++)
                fill(m);
            if (cold) walk_other_memory();
            const double start = thread_ns();
            for (uint32_t m = first; m < first + step; m++)
                each(m, coefficients_.data() + size_t(m) * 256);
            ns += thread_ns() - start;
        }
        return ns / macroblocks;
    }

  private:
    void fill(uint32_t m) {
        int16_t *values = coefficients_.data() + size_t(m) * 256;
        const unsigned step = !kind_.dc_alone ? 1 : kind_.eight ? 64 : 16;
        for (unsigned n = 0; n < 256; n += step)
            values[n] = int16_t(random_() % 201) - 100;
        for (uint32_t y = 0; y < 16; y++)
            std::memset(samples(m) + size_t(y) * stride, 128, 16);
    }

    const Kind &kind_;
    std::mt19937 random_{3};
    Aligned<int16_t> coefficients_{size_t(macroblocks) * 256 + 32};
    Aligned<uint8_t> samples_{size_t(macroblocks) * 256};
};

void record(v3doff_picture *picture, const Kind &kind, uint32_t m, int16_t *coefficients) {
    static const std::vector<uint8_t> nnz(5 * 8, 16);
    const uint32_t x = m % columns * 16, y = m / columns * 16;
    if (kind.macroblock) {
        check(v3doff_h264_record_macroblock(picture, 0, 0, x, y, V3DOFF_H264_FRAME_ROWS,
                                            kind.eight ? V3DOFF_H264_ADD4 : V3DOFF_H264_ADD16,
                                            coefficients, nnz.data()),
              "recording a macroblock");
        return;
    }
    const v3doff_h264_transform transform =
        kind.eight ? (kind.dc_alone ? V3DOFF_H264_DC_8X8 : V3DOFF_H264_IDCT_8X8)
                   : (kind.dc_alone ? V3DOFF_H264_DC_4X4 : V3DOFF_H264_IDCT_4X4);
    for (unsigned n = 0; n < 16; n += kind.eight ? 4 : 1)
        check(v3doff_h264_record_idct(picture, 0, 0, x + block_x(n), y + block_y(n),
                                      V3DOFF_H264_FRAME_ROWS, transform, coefficients + 16 * n),
              "recording a block");
}

void add_by_ffmpeg(const Kind &kind, uint8_t *samples, int16_t *coefficients) {
    static const std::vector<uint8_t> nnz(5 * 8, 16);
    static const FfdspH264 *const functions = ffdsp_h264(8, 1, 1);
    if (kind.macroblock) {
        int offsets[16];
        for (unsigned n = 0; n < 16; n++)
            offsets[n] = int(block_x(n) + block_y(n) * stride);
        auto *function = kind.eight ? functions->idct8_add4 : functions->idct_add16;
        function(samples, offsets, coefficients, stride, nnz.data());
        return;
    }
    auto *function = kind.eight ? (kind.dc_alone ? functions->idct8_dc_add : functions->idct8_add)
                                : (kind.dc_alone ? functions->idct_dc_add : functions->idct_add);
    for (unsigned n = 0; n < 16; n += kind.eight ? 4 : 1)
        function(samples + block_x(n) + size_t(block_y(n)) * stride, coefficients + 16 * n, stride);
}

void measure_kind(const Kind &kind, v3doff_picture *picture, unsigned repeats, Json &result) {
    Luma luma(kind);
    for (bool cold : {false, true}) {
        std::vector<double> ns, simd_ns;
        const unsigned times = cold ? 3 : repeats; // reading other memory takes longest
        for (unsigned i = 0; i <= times; i++) {
            const double took = luma.time(
                [&](uint32_t m, int16_t *block) { record(picture, kind, m, block); }, cold);
            check(v3doff_picture_discard(picture), "discard");
            if (i) ns.push_back(took); // the first one warms up
        }
        result[cold ? "record_ns_cold" : "record_ns"] = spread(ns);
        if (!ffdsp_version()) continue;
        for (unsigned i = 0; i < times; i++)
            simd_ns.push_back(luma.time(
                [&](uint32_t m, int16_t *block) { add_by_ffmpeg(kind, luma.samples(m), block); },
                cold));
        ffdsp_emms();
        result[cold ? "ffmpeg_simd_ns_cold" : "ffmpeg_simd_ns"] = spread(simd_ns);
    }
}

void time_h264_record(const Session &session, Json &results) {
    Pool pool = make_pool(session.cpu, columns * 16, macroblocks / columns * 16);
    Picture picture = open_picture(pool.get());
    const unsigned repeats = std::max(5u, session.repeats / 10);
    for (const Kind &kind : kinds) {
        Json result{{"name", fmt::format("H.264 recording, {}, 8 bit", kind.name)},
                    {"repeats", repeats}};
        measure_kind(kind, picture.get(), repeats, result);
        results.push_back(result);
    }
}

} // namespace

void add_h264_record(Families &families) {
    families.push_back({"h264_record", "CPU time of recording H.264 residuals", time_h264_record});
}

} // namespace tool::bench
