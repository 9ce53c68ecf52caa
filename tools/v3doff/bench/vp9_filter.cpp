// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>

#include "bench/works.hpp"
#include "generators/vp9_filter.hpp"

namespace tool::bench {
namespace {

using v3doff::PictureFormat;
using v3doff::check::FilterMix;
using Superblocks = std::vector<v3doff::vp9::FilterSuperblock>;

// Kinds of pictures that VP9 streams can have, and the parameters of their random blocks.
struct Content {
    const char *name;
    FilterMix mix;
};

// split, smaller, tx4, skipped, unfiltered: in percent; lowest and highest level.
constexpr Content contents[] = {
    // Transforms of 4x4 throughout: every edge there is, and no line that can be cut.
    {"4x4 transforms", {100, 100, 100, 0, 0, 32, 32, true}},
    {"8x8 transforms", {100, 100, 0, 0, 0, 32, 32, true}},
    {"32x32 transforms", {0, 0, 0, 0, 0, 32, 32, true}},
    // Like inter frames of natural clips: large blocks, many of them without coefficients.
    {"mixed blocks", {40, 20, 5, 60, 0, 20, 20, true}},
};

std::string order_taken(const Json &result) {
    if (!result.contains("passes_us")) return "none";
    for (const auto &pass : result["passes_us"].items())
        if (pass.key().find("_wave_") != std::string::npos) return "wavefront";
    return "cut passes";
}

void run(uint32_t width, uint32_t height, const Session &session, Json &results) {
    for (Vp9Mix mix : {Vp9Mix::tx4, Vp9Mix::tx8, Vp9Mix::tx32, Vp9Mix::mixed}) {
        Json result = measure(session, vp9_filter(width, height, mix));
        result["order"] = order_taken(result);
        results.push_back(result);
    }
}

void run_1080p(const Session &session, Json &results) {
    run(1920, 1080, session, results);
}
void run_2160p(const Session &session, Json &results) {
    run(3840, 2160, session, results);
}

} // namespace

Work vp9_filter(uint32_t width, uint32_t height, Vp9Mix mix) {
    const Content &content = contents[size_t(mix)];
    std::mt19937 random(1);
    auto superblocks = std::make_shared<Superblocks>(v3doff::check::random_superblocks(
        PictureFormat{width, height, 8, V3DOFF_CHROMA_420}, content.mix, random));
    Work work;
    work.name = fmt::format("VP9 loop filter, 8 bit 4:2:0, {}x{}, {}", width, height, content.name);
    work.width = width;
    work.height = height;
    work.record_bytes = superblocks->size() * sizeof superblocks->front();
    work.fill = [](v3doff_picture *picture) { fill_samples(picture, 8, 100, 16); };
    work.record = [superblocks](v3doff_picture *picture) {
        check(v3doff_vp9_record_loopfilter(
                  picture, 0, reinterpret_cast<const v3doff_vp9_superblock *>(superblocks->data()),
                  superblocks->size()),
              "recording the loop filter");
    };
    work.ffmpeg = [superblocks](const v3doff_planes &planes, bool simd) {
        vp9_filter_by_ffmpeg(planes, *superblocks, simd);
    };
    work.remake = [=] { return vp9_filter(width, height, mix); };
    return work;
}

void vp9_filter_by_ffmpeg(const v3doff_planes &planes, const Superblocks &superblocks, bool simd) {
    const std::unique_ptr<FfdspVp9Filter, void (*)(FfdspVp9Filter *)> filter(
        ffdsp_vp9_filter_open(8, simd, 1, 1, 0), ffdsp_vp9_filter_close);
    uint8_t *data[3];
    for (int p = 0; p < 3; p++)
        data[p] = static_cast<uint8_t *>(planes.data[p]);
    const ptrdiff_t strides[2] = {planes.stride[0], planes.stride[1]};
    const size_t columns = (planes.width[0] + 63) / 64;
    static_assert(sizeof superblocks[0] == 192);
    for (size_t n = 0; n < superblocks.size(); n++) {
        uint8_t superblock[192];
        std::memcpy(superblock, &superblocks[n], sizeof superblock);
        ffdsp_vp9_filter_superblock(filter.get(), data, strides, superblock, int(n / columns),
                                    int(n % columns));
    }
    ffdsp_emms();
}

void add_vp9_filter(Families &families) {
    families.push_back(
        {"vp9_loopfilter", "whole pictures of 1920x1080, and the order taken", run_1080p});
    families.push_back({"vp9_loopfilter_2160p", "the same of 3840x2160", run_2160p});
}

} // namespace tool::bench
