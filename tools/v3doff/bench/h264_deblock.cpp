// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "v3doff/h264.h"

namespace tool::bench {
namespace {

// Every edge there is, intra macroblocks among others: more than any stream has.
std::vector<v3doff_h264_deblock_mb> all_edges(uint32_t count) {
    std::vector<v3doff_h264_deblock_mb> macroblocks(count);
    for (uint32_t i = 0; i < count; i++) {
        v3doff_h264_deblock_mb &mb = macroblocks[i];
        std::memset(mb.strength, 1 + i % 3, sizeof mb.strength);
        if (i % 5 == 0)
            for (auto &direction : mb.strength)
                std::memset(direction[0], 4, sizeof direction[0]);
        for (int8_t &qp : mb.qp)
            qp = int8_t(30 + i % 7);
        mb.flags = V3DOFF_H264_DEBLOCK | V3DOFF_H264_DEBLOCK_LEFT | V3DOFF_H264_DEBLOCK_TOP;
    }
    return macroblocks;
}

void run(const Session &session, Json &results) {
    for (auto [width, height] : {std::pair{1920u, 1080u}, {3840u, 2160u}}) {
        Work work;
        work.name =
            fmt::format("H.264 deblocking, 8 bit 4:2:0, every edge of {}x{}", width, height);
        work.width = width;
        work.height = height;
        const auto macroblocks = all_edges((width + 15) / 16 * ((height + 15) / 16));
        work.record = [&](v3doff_picture *picture) {
            fill_samples(picture, 8, 100, 16);
            check(v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, macroblocks.data(),
                                             macroblocks.size()),
                  "recording the deblocking");
        };
        results.push_back(measure(session, work));
    }
}

} // namespace

void add_h264_deblock(Families &families) {
    families.push_back({"h264_deblock", "H.264 deblocking of whole pictures, every edge on", run});
}

} // namespace tool::bench
