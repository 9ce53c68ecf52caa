// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <random>

#include "bench/bench.hpp"

namespace tool::bench {
namespace {

// A picture full of blocks of one size in luma, half that size in chroma. Each is predicted from
// near its own position in the reference.
struct InterBlocks {
    const char *what;
    uint32_t edge;
    bool across, down, compound;
    uint32_t step; // 0: not scaled

    uint32_t scale() const { return step ? step : 16; }
};

constexpr InterBlocks all_blocks[] = {
    {"both filters", 8, true, true, false, 0},
    {"both filters", 16, true, true, false, 0},
    {"both filters", 64, true, true, false, 0},
    {"filter across", 8, true, false, false, 0},
    {"whole samples", 16, false, false, false, 0},
    {"both filters, compound", 16, true, true, true, 0},
    {"scaled 3:2", 16, true, true, false, 24},
};

std::vector<v3doff_vp9_mc> blocks_of(uint32_t width, uint32_t height, const InterBlocks &blocks) {
    std::vector<v3doff_vp9_mc> all;
    std::mt19937 random(7);
    for (uint32_t p = 0; p < 3; p++) {
        v3doff_vp9_mc block{};
        block.struct_size = sizeof block;
        block.plane = p;
        block.width = block.height = p ? blocks.edge / 2 : blocks.edge;
        block.filter = V3DOFF_VP9_FILTER_REGULAR;
        block.step_x = block.step_y = blocks.step;
        const uint32_t scale = blocks.scale();
        for (block.y = 0; block.y < (p ? (height + 1) / 2 : height); block.y += block.height)
            for (block.x = 0; block.x < (p ? (width + 1) / 2 : width); block.x += block.width)
                for (block.average = 0; block.average <= int32_t(blocks.compound);
                     block.average++) {
                    block.ref_x = int32_t(block.x * scale / 16) + int32_t(random() % 33) - 16;
                    block.ref_y = int32_t(block.y * scale / 16) + int32_t(random() % 33) - 16;
                    block.mx = blocks.across ? 1 + random() % 15 : 0;
                    block.my = blocks.down ? 1 + random() % 15 : 0;
                    all.push_back(block);
                }
    }
    return all;
}

// A reference whose border repeats the nearest samples, as in FFmpeg's decoder.
class Bordered {
  public:
    explicit Bordered(v3doff_picture *picture) {
        const v3doff_planes planes = planes_of(picture);
        for (uint32_t p = 0; p < 3; p++) {
            const int32_t width = int32_t(planes.width[p]), height = int32_t(planes.height[p]);
            stride_[p] = (width + 2 * border + 63) / 64 * 64;
            samples_[p].resize(size_t(stride_[p]) * size_t(height + 2 * border));
            for (int32_t y = -border; y < height + border; y++) {
                const auto *from = static_cast<const uint8_t *>(planes.data[p]) +
                                   std::clamp(y, 0, height - 1) * planes.stride[p];
                for (int32_t x = -border; x < width + border; x++)
                    at(p, x, y)[0] = from[std::clamp(x, 0, width - 1)];
            }
        }
    }
    uint8_t *at(uint32_t p, int32_t x, int32_t y) {
        return samples_[p].data() + ptrdiff_t(y + border) * stride_[p] + x + border;
    }
    ptrdiff_t stride(uint32_t p) const { return stride_[p]; }

  private:
    static constexpr int32_t border = 160; // blocks end up to 63 outside, and filters read more
    std::vector<uint8_t> samples_[3];
    ptrdiff_t stride_[3];
};

void predict_by_ffmpeg(const v3doff_planes &planes, const std::vector<v3doff_vp9_mc> &blocks,
                       Bordered &reference, bool simd) {
    const FfdspVp9 &functions = *ffdsp_vp9(8, simd);
    for (const v3doff_vp9_mc &block : blocks) {
        size_t size = 0; // 64 first
        while (64u >> size > block.width)
            size++;
        uint8_t *to = static_cast<uint8_t *>(planes.data[block.plane]) +
                      block.y * planes.stride[block.plane] + block.x;
        const uint8_t *from = reference.at(block.plane, block.ref_x, block.ref_y);
        const ptrdiff_t to_stride = planes.stride[block.plane];
        const ptrdiff_t from_stride = reference.stride(block.plane);
        const int h = int(block.height), mx = int(block.mx), my = int(block.my);
        if (block.step_x)
            functions.smc[size][block.filter][block.average](
                to, to_stride, from, from_stride, h, mx, my, int(block.step_x), int(block.step_y));
        else
            functions.mc[size][block.filter][block.average][mx != 0][my != 0](
                to, to_stride, from, from_stride, h, mx, my);
    }
    ffdsp_emms();
}

Json run_blocks(const Session &session, const InterBlocks &blocks) {
    Work work;
    work.name = fmt::format("VP9 motion compensation, 8 bit, {}x{} blocks of 1920x1080 4:2:0, {}",
                            blocks.edge, blocks.edge, blocks.what);
    const std::vector<v3doff_vp9_mc> all = blocks_of(work.width, work.height, blocks);
    Picture reference;
    work.prepare = [&](v3doff_device *device) {
        Pool pool =
            make_pool(device, work.width * blocks.scale() / 16, work.height * blocks.scale() / 16);
        reference = open_picture(pool.get());
        fill_samples(reference.get(), 8, 0, 256);
        check(v3doff_picture_submit(reference.get(), nullptr), "submitting the reference");
        check(v3doff_picture_wait(reference.get(), UINT64_MAX), "waiting for the reference");
    };
    work.fill = [](v3doff_picture *) {}; // predictions need no samples
    work.record = [&](v3doff_picture *picture) {
        for (v3doff_vp9_mc block : all) {
            block.reference = reference.get();
            check(v3doff_vp9_record_mc(picture, 0, &block), "recording a block");
        }
    };
    work.record_bytes = all.size() * sizeof(v3doff_vp9_mc);
    std::unique_ptr<Bordered> bordered;
    work.refill = [&] {
        if (!bordered) bordered = std::make_unique<Bordered>(reference.get());
    };
    work.ffmpeg = [&](const v3doff_planes &planes, bool simd) {
        predict_by_ffmpeg(planes, all, *bordered, simd);
    };
    return measure(session, work);
}

void time_vp9_inter(const Session &session, Json &results) {
    for (const InterBlocks &blocks : all_blocks)
        results.push_back(run_blocks(session, blocks));
}

} // namespace

void add_vp9_inter(Families &families) {
    families.push_back({"vp9_mc", "motion compensation of a whole 1080p picture", time_vp9_inter});
}

} // namespace tool::bench
