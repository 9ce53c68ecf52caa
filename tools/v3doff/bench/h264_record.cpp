// SPDX-License-Identifier: BSD-2-Clause
// What recording residuals costs the decoder's thread, beside FFmpeg's SIMD adding them at once.
#include <ctime>
#include <fmt/format.h>
#include <random>

#include "bench/bench.hpp"
#include "v3doff/h264.h"

#ifdef V3DOFF_HAVE_FFDSP
#include "ffdsp.h"
#endif

namespace tool::bench {
namespace {

constexpr uint32_t columns = 120, macroblocks = columns * 68; // 1920x1088

// Every block of a luma picture, every coefficient coded.
struct Luma {
    std::vector<int16_t> coefficients = std::vector<int16_t>(size_t(macroblocks) * 256 + 32);
    uint8_t nnz[5 * 8];

    Luma() { std::fill(std::begin(nnz), std::end(nnz), uint8_t(16)); }
    int16_t *aligned() {
        const auto address = reinterpret_cast<uintptr_t>(coefficients.data());
        return coefficients.data() + (64 - address % 64) % 64 / 2;
    }
    void fill() {
        std::mt19937 random(3);
        for (int16_t &value : coefficients)
            value = int16_t(random() % 201) - 100;
    }
    template <typename Do>
    double time(Do each) {
        fill();
        const double start = thread_ns();
        for (uint32_t m = 0; m < macroblocks; m++)
            each(m, aligned() + size_t(m) * 256);
        return (thread_ns() - start) / macroblocks;
    }
};

#ifdef V3DOFF_HAVE_FFDSP
std::vector<double> time_ffmpeg(Luma &luma, bool eight, unsigned repeats) {
    alignas(64) static uint8_t samples[16 * 64];
    int offsets[16];
    for (int n = 0; n < 16; n++)
        offsets[n] = ((n & 1) + (n >> 2 & 1) * 2) * 4 + ((n >> 1 & 1) + (n >> 3 & 1) * 2) * 4 * 64;
    const FfdspH264 *functions = ffdsp_h264(8, 1, 1);
    auto *function = eight ? functions->idct8_add4 : functions->idct_add16;
    std::vector<double> ns;
    for (unsigned i = 0; i < repeats; i++)
        ns.push_back(luma.time(
            [&](uint32_t, int16_t *block) { function(samples, offsets, block, 64, luma.nnz); }));
    ffdsp_emms();
    return ns;
}
#endif

void time_h264_record(const Session &session, Json &results) {
    Pool pool = make_pool(session.cpu, columns * 16, macroblocks / columns * 16);
    Picture picture = open_picture(pool.get());
    const unsigned repeats = std::max(5u, session.repeats / 10);
    Luma luma;
    for (bool eight : {false, true}) {
        std::vector<double> ns;
        for (unsigned i = 0; i < repeats; i++) {
            ns.push_back(luma.time([&](uint32_t m, int16_t *block) {
                check(v3doff_h264_record_macroblock(picture.get(), 0, 0, m % columns * 16,
                                                    m / columns * 16, V3DOFF_H264_FRAME_ROWS,
                                                    eight ? V3DOFF_H264_ADD4 : V3DOFF_H264_ADD16,
                                                    block, luma.nnz),
                      "recording a macroblock");
            }));
            check(v3doff_picture_discard(picture.get()), "discard");
        }
        Json result{{"name", fmt::format("H.264 recording, a macroblock of {} blocks, 8 bit",
                                         eight ? "4 8x8" : "16 4x4")},
                    {"repeats", repeats},
                    {"record_ns", spread(ns)}};
#ifdef V3DOFF_HAVE_FFDSP
        result["ffmpeg_simd_ns"] = spread(time_ffmpeg(luma, eight, repeats));
#endif
        results.push_back(result);
    }
}

} // namespace

void add_h264_record(Families &families) {
    families.push_back({"h264_record", "CPU time of recording H.264 residuals", time_h264_record});
}

} // namespace tool::bench
