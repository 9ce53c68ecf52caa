// SPDX-License-Identifier: BSD-2-Clause
#include "h264_proof.hpp"

#include "h264_passes.hpp"
#include "h264_raster.hpp"
#include "h264_tables.hpp"

#include <cstdio>

namespace v3doff::order::h264 {
namespace {

struct Size {
    const char *name;
    int cols, rows; // macroblocks
};
constexpr Size sizes[] = {{"1280x720", 80, 45}, {"1920x1080", 120, 68}, {"3840x2160", 240, 135}};

// MBAFF frames have an even number of macroblock rows.
int unit_rows(const Size &size, bool mbaff) {
    return mbaff ? (size.rows + 1) / 2 : size.rows;
}

struct Proof {
    const char *program;
    bool mbaff;
    Reach reach;
    long samples = 0, changed = 0;
    long by_format[4] = {};

    bool picture(Random &random, uint64_t seed);
    int compare_reach(bool tight) const;
    bool costs(uint64_t seed) const;
    void items() const;
};

bool check(FourPasses &run, const Picture &picture, const Planes &expected) {
    run.run();
    const long differences = run.differences(expected), violations = run.monitor().violations();
    if (!differences && !violations && run.dispatches() == 4) return true;
    std::printf("%s %dx%d units: %ld samples differ, %ld violations %s, %d dispatches\n",
                name(picture.format), picture.cols, picture.rows, differences, violations,
                run.monitor().first_violation().c_str(), run.dispatches());
    return false;
}

bool Proof::picture(Random &random, uint64_t seed) {
    const Picture picture = random_picture(random, {mbaff, 8, 6});
    const Planes expected = raster_order(picture);
    ++by_format[static_cast<size_t>(picture.format)];
    for (size_t plane = 0; plane < expected.size(); ++plane) {
        samples += static_cast<long>(expected[plane].size());
        for (size_t i = 0; i < expected[plane].size(); ++i)
            changed += expected[plane][i] != picture.planes[plane][i];
    }
    FourPasses passes(picture, random);
    const bool good = check(passes, picture, expected);
    reach.merge(passes.monitor().reach);
    if (!good)
        std::printf("repeat with: %s 1 %llu\n", program, static_cast<unsigned long long>(seed));
    return good;
}

int Proof::compare_reach(bool tight) const {
    std::printf("reach from the corner of the unit\n");
    print_reach(reach);
    return reach.compare(stated_reach(mbaff), tight ? Reach::kinds : 0);
}

// What the strips cost, which are filtered twice, on a picture of real size.
bool Proof::costs(uint64_t seed) const {
    Random random(seed);
    const Picture picture =
        random_picture(random, {mbaff, sizes[0].cols, unit_rows(sizes[0], mbaff), true});
    const Planes expected = raster_order(picture);
    const auto raster_lines = static_cast<double>(picture.filter.lines);
    long samples_of_picture = 0;
    for (const auto &plane : expected)
        samples_of_picture += static_cast<long>(plane.size());
    std::printf("%s, 4:2:0: lines filtered by those of raster order, loads and stores by samples\n",
                sizes[0].name);
    FourPasses passes(picture, random);
    picture.filter.lines = 0;
    if (!check(passes, picture, expected)) return false;
    const auto per_sample = [&](long n) {
        return static_cast<double>(n) / static_cast<double>(samples_of_picture);
    };
    std::printf("  lines %.2f, loads %.2f, stores %.2f\n",
                static_cast<double>(picture.filter.lines) / raster_lines,
                per_sample(passes.monitor().loads), per_sample(passes.monitor().stores));
    return true;
}

void Proof::items() const {
    std::printf("4:2:0: items of each dispatch\n");
    for (const Size &size : sizes) {
        const Picture picture =
            empty_picture(size.cols, unit_rows(size, mbaff), mbaff, Format::yuv420);
        std::printf("  %-10s", size.name);
        for (int pass = 1; pass <= 4; ++pass)
            std::printf(" %zu", FourPasses::items(picture, pass).size());
        std::printf("\n");
    }
}

} // namespace

int prove(const char *program, bool mbaff, const Arguments &arguments) {
    Proof proof{program, mbaff, {}};
    for (int frame = 0; frame < arguments.frames; ++frame) {
        const uint64_t seed = arguments.seed + static_cast<uint64_t>(frame);
        Random random(seed);
        if (!proof.picture(random, seed)) return 1;
    }
    // Rare combinations need some pictures before each bound has been reached.
    const bool tight = arguments.frames >= 1000;
    const int wrong = proof.compare_reach(tight);
    if (!proof.costs(arguments.seed)) return 1;
    proof.items();
    std::printf(
        "%s: %d random pictures (%ld 4:0:0, %ld 4:2:0, %ld 4:2:2, %ld 4:4:4) identical in four "
        "dispatches, %.1f %% of samples modified; reach tables %s\n",
        program, arguments.frames, proof.by_format[0], proof.by_format[1], proof.by_format[2],
        proof.by_format[3],
        100.0 * static_cast<double>(proof.changed) / static_cast<double>(proof.samples),
        wrong   ? "WRONG"
        : tight ? "exact"
                : "not exceeded");
    return wrong ? 1 : 0;
}

} // namespace v3doff::order::h264
