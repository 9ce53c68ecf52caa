// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>
#include <fmt/format.h>

#include "bench/bench.hpp"
#include "check/vp9_loopfilter_gen.hpp"

namespace tool::bench {
namespace {

using v3doff::PictureFormat;
using v3doff::check::LoopfilterMix;

// Pictures as VP9 can make them, by what is random about them.
struct Content {
    const char *name;
    LoopfilterMix mix;
};

// split, smaller, tx4, skipped, unfiltered: in percent; lowest and highest level.
constexpr Content contents[] = {
    // Transforms of 4x4 throughout: every edge there is, and no line that can be cut.
    {"4x4 transforms", {100, 100, 100, 0, 0, 32, 32, true}},
    {"8x8 transforms", {100, 100, 0, 0, 0, 32, 32, true}},
    {"32x32 transforms", {0, 0, 0, 0, 0, 32, 32, true}},
    // As inter frames of natural clips: large blocks, many of them without coefficients.
    {"mixed blocks", {40, 20, 5, 60, 0, 20, 20, true}},
};

std::string order_taken(const Json &result) {
    if (!result.contains("passes_us")) return "none";
    for (const auto &pass : result["passes_us"].items())
        if (pass.key().find("_wave_") != std::string::npos) return "wavefront";
    return "cut passes";
}

void run(uint32_t width, uint32_t height, const Session &session, Json &results) {
    for (const Content &content : contents) {
        Work work;
        work.name =
            fmt::format("VP9 loop filter, 8 bit 4:2:0, {}x{}, {}", width, height, content.name);
        work.width = width;
        work.height = height;
        std::mt19937 random(1);
        const auto superblocks = v3doff::check::random_superblocks(
            PictureFormat{width, height, 8, V3DOFF_CHROMA_420}, content.mix, random);
        work.record = [&](v3doff_picture *picture) {
            fill_samples(picture, 8, 100, 16);
            check(v3doff_vp9_record_loopfilter(
                      picture, 0,
                      reinterpret_cast<const v3doff_vp9_superblock *>(superblocks.data()),
                      superblocks.size()),
                  "recording the loop filter");
        };
        Json result = measure(session, work);
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

void add_vp9_loopfilter(Families &families) {
    families.push_back(
        {"vp9_loopfilter", "whole pictures of 1920x1080, and the order taken", run_1080p});
    families.push_back({"vp9_loopfilter_2160p", "the same of 3840x2160", run_2160p});
}

} // namespace tool::bench
