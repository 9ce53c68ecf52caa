// SPDX-License-Identifier: BSD-2-Clause
// CPU time of FFmpeg's functions for the same work on one core. Hot: samples and coefficients were
// written just before, as in a decoder that works block by block, as far as the caches can hold a
// picture. Cold: other memory was read in between.
#include <algorithm>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

constexpr size_t walked_bytes = size_t(256) << 20; // more than any cache

struct Run {
    const char *name;
    bool simd, cold;
};
constexpr Run runs[] = {{"simd_us_hot", true, false},
                        {"simd_us_cold", true, true},
                        {"c_us_hot", false, false},
                        {"c_us_cold", false, true}};

} // namespace

void walk_other_memory() {
    static std::vector<uint8_t> memory(walked_bytes, 1);
    for (size_t n = 0; n < memory.size(); n += 64)
        memory[n]++;
}

const char *band_of(double ratio) {
    return ratio >= 1 ? "green" : ratio >= .5 ? "yellow" : ratio >= .1 ? "orange" : "red";
}

void measure_ffmpeg(const Session &session, const Work &work, const std::vector<uint8_t> &bits,
                    unsigned repeats, Json &result) {
    if (!work.by_ffmpeg()) {
        result["ffmpeg"] = ffdsp_version() ? "has no function for this" : "not built in";
        return;
    }
    Pool pool = make_pool(session.cpu, work.width, work.height, work.bit_depth, work.chroma);
    Picture picture = open_picture(pool.get());
    work.fill(picture.get());
    const Kept kept(picture.get());
    const v3doff_planes planes = planes_of(picture.get());
    for (const Run &run : runs) {
        std::vector<double> us;
        for (unsigned i = 0; i < std::min(repeats, 10u) + 1; i++) {
            kept.put_back(picture.get());
            if (work.refill) work.refill();
            if (run.cold) walk_other_memory();
            const double start = thread_ns();
            work.ffmpeg(planes, run.simd);
            if (i) us.push_back((thread_ns() - start) / 1000); // the first one warms up
            if (samples_of(picture.get(), work.bit_depth > 8 ? 2 : 1) != bits)
                throw std::runtime_error(work.name + ": FFmpeg's " + (run.simd ? "SIMD" : "C") +
                                         " gives other bits: not reported");
        }
        result[run.name] = spread(us);
    }
    const double gpu_us = result["gpu_us"]["median"].get<double>();
    if (gpu_us <= 0) return; // a device without timestamps
    result["ratio"] = result["simd_us_hot"]["median"].get<double>() / gpu_us;
    result["band"] = band_of(result["ratio"].get<double>());
    result["ratio_cold"] = result["simd_us_cold"]["median"].get<double>() / gpu_us;
    result["band_cold"] = band_of(result["ratio_cold"].get<double>());
}

} // namespace tool::bench
