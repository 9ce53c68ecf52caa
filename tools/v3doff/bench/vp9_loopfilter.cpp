// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

// Every 8x8 block with filters of 8 samples at its edges and 4 inside: more than any stream has.
std::vector<v3doff_vp9_superblock> all_edges(uint32_t width, uint32_t height) {
    const uint32_t cols = (width + 63) / 64, rows = (height + 63) / 64;
    std::vector<v3doff_vp9_superblock> superblocks(size_t(cols) * rows);
    for (uint32_t i = 0; i < superblocks.size(); i++) {
        v3doff_vp9_superblock &superblock = superblocks[i];
        std::memset(superblock.level, 32, sizeof superblock.level);
        uint32_t blocks_x = std::min(8u, (width + 7) / 8 - i % cols * 8);
        uint32_t blocks_y = std::min(8u, (height + 7) / 8 - i / cols * 8);
        const uint8_t bits = uint8_t((1u << blocks_x) - 1);
        for (uint32_t y = 0; y < blocks_y; y++)
            for (auto &direction : superblock.mask[0])
                direction[y][1] = direction[y][3] = bits;
        for (uint32_t y = 0; y < blocks_y; y += 2)
            for (auto &direction : superblock.mask[1])
                direction[y][1] = bits & 0x55;
    }
    return superblocks;
}

void run(const Session &session, Json &results) {
    for (auto [width, height] : {std::pair{1920u, 1080u}, {3840u, 2160u}}) {
        Work work;
        work.name = fmt::format("VP9 loop filter, 8 bit 4:2:0, every edge of {}x{}", width, height);
        work.width = width;
        work.height = height;
        const auto superblocks = all_edges(width, height);
        work.record = [&](v3doff_picture *picture) {
            fill_samples(picture, 8, 100, 16);
            check(v3doff_vp9_record_loopfilter(picture, 0, superblocks.data(), superblocks.size()),
                  "recording the loop filter");
        };
        results.push_back(measure(session, work));
    }
}

} // namespace

void add_vp9_loopfilter(Families &families) {
    families.push_back({"vp9_loopfilter", "loop filter of whole pictures, every edge on", run});
}

} // namespace tool::bench
