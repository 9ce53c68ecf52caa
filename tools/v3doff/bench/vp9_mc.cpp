// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <random>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

// A picture full of blocks of one size in luma, half of it in chroma, each from about its own place
// in the reference.
struct Blocks {
    const char *what;
    uint32_t edge;
    bool across, down, compound;
    uint32_t step; // 0: not scaled
};

constexpr Blocks all_blocks[] = {
    {"both filters", 8, true, true, false, 0},
    {"both filters", 16, true, true, false, 0},
    {"both filters", 64, true, true, false, 0},
    {"filter across", 8, true, false, false, 0},
    {"whole samples", 16, false, false, false, 0},
    {"both filters, compound", 16, true, true, true, 0},
    {"scaled 3:2", 16, true, true, false, 24},
};

void record(v3doff_picture *picture, v3doff_picture *reference, const Blocks &blocks) {
    v3doff_planes planes = planes_of(picture);
    std::mt19937 random(7);
    for (uint32_t p = 0; p < planes.count; p++) {
        v3doff_vp9_mc block{};
        block.struct_size = sizeof block;
        block.reference = reference;
        block.plane = p;
        block.width = block.height = p ? blocks.edge / 2 : blocks.edge;
        block.filter = V3DOFF_VP9_FILTER_REGULAR;
        block.step_x = block.step_y = blocks.step;
        const uint32_t scale = blocks.step ? blocks.step : 16;
        for (block.y = 0; block.y < planes.height[p]; block.y += block.height)
            for (block.x = 0; block.x < planes.width[p]; block.x += block.width)
                for (block.average = 0; block.average <= int32_t(blocks.compound);
                     block.average++) {
                    block.ref_x = int32_t(block.x * scale / 16) + int32_t(random() % 33) - 16;
                    block.ref_y = int32_t(block.y * scale / 16) + int32_t(random() % 33) - 16;
                    block.mx = blocks.across ? 1 + random() % 15 : 0;
                    block.my = blocks.down ? 1 + random() % 15 : 0;
                    check(v3doff_vp9_record_mc(picture, 0, &block), "recording a block");
                }
    }
}

void run(const Session &session, Json &results) {
    for (const Blocks &blocks : all_blocks) {
        Work work;
        work.name =
            fmt::format("VP9 motion compensation, 8 bit, {}x{} blocks of 1920x1080 4:2:0, {}",
                        blocks.edge, blocks.edge, blocks.what);
        const uint32_t scale = blocks.step ? blocks.step : 16;
        Picture reference;
        work.prepare = [&](v3doff_device *device) {
            Pool pool = make_pool(device, work.width * scale / 16, work.height * scale / 16);
            reference = open_picture(pool.get());
            fill_samples(reference.get(), 8, 0, 256);
            check(v3doff_picture_submit(reference.get(), nullptr), "submitting the reference");
            check(v3doff_picture_wait(reference.get(), UINT64_MAX), "waiting for the reference");
        };
        work.fill = [](v3doff_picture *) {}; // predictions need no samples
        work.record = [&](v3doff_picture *picture) { record(picture, reference.get(), blocks); };
        results.push_back(measure(session, work));
    }
}

} // namespace

void add_vp9_mc(Families &families) {
    families.push_back({"vp9_mc", "motion compensation of a whole 1080p picture", run});
}

} // namespace tool::bench
