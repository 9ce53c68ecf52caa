// SPDX-License-Identifier: BSD-2-Clause
#include <chrono>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "check/h264_strength_gen.hpp"
#include "v3doff/h264.h"

namespace tool::bench {
namespace {

using v3doff::check::H264Arrays;
using v3doff::check::H264ArraysShape;
using v3doff::check::H264Slices;

// Random macroblocks: more partitions and vectors than streams have.
H264Arrays random_arrays(uint32_t width, uint32_t height, H264Slices slices) {
    H264ArraysShape shape;
    shape.mb_width = (width + 15) / 16;
    shape.mb_height = (height + 15) / 16;
    shape.slices = slices;
    shape.one_slice = true;
    H264Arrays::Random random(1);
    return {shape, random};
}

void run(const Session &session, Json &results) {
    for (auto [width, height] : {std::pair{1920u, 1080u}, {3840u, 2160u}})
        for (auto [slices, name] : {std::pair{H264Slices::p, "P"}, {H264Slices::b, "B"}}) {
            const H264Arrays from = random_arrays(width, height, slices);
            const v3doff_h264_arrays arrays = from.arrays();
            std::vector<double> record_us;
            Work work;
            work.name = fmt::format("H.264 strengths and deblocking, 8 bit 4:2:0, {}x{}, {} slices",
                                    width, height, name);
            work.width = width;
            work.height = height;
            work.record = [&](v3doff_picture *picture) {
                fill_samples(picture, 8, 100, 16);
                const auto start = std::chrono::steady_clock::now();
                check(v3doff_h264_record_deblock_arrays(picture, V3DOFF_H264_FRAME, &arrays),
                      "recording the deblocking");
                const std::chrono::duration<double, std::micro> took =
                    std::chrono::steady_clock::now() - start;
                record_us.push_back(took.count());
            };
            Json result = measure(session, work);
            result["record_us"] = spread(record_us); // packing on the calling thread
            results.push_back(std::move(result));
        }
}

} // namespace

void add_h264_strength(Families &families) {
    families.push_back(
        {"h264_strength", "H.264 deblocking with strengths derived from motion, random", run});
}

} // namespace tool::bench
