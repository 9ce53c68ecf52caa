// SPDX-License-Identifier: BSD-2-Clause
// The orders of the VP9 loop filter on random pictures: README.md, sections 3 to 5.
#include "vp9_orders.hpp"

#include "arguments.hpp"

#include <cstdio>

using namespace v3doff::order;
using namespace v3doff::order::vp9;

namespace {

bool good(const char *what, const Picture &picture, const Outcome &outcome) {
    if (!outcome.good())
        std::printf("%s, %s: %ld samples differ, %ld violations %s\n", what, picture.text().c_str(),
                    outcome.differences, outcome.violations, outcome.violation.c_str());
    return outcome.good();
}

struct Counts {
    long wave = 0, cuts = 0; // dispatches
    int format[4] = {};
};

bool prove(Random &random, Counts &counts) {
    const int ss_h = random.below(2), ss_v = random.below(2);
    const Texture texture{random.between(10, 90), random.between(0, 60), random.between(10, 60),
                          random.percent(25)};
    const Picture picture =
        random_picture(random, random.between(1, 330), random.between(1, 270), ss_h, ss_v, texture);
    ++counts.format[2 * ss_h + ss_v];
    const Planes expected = raster_order(picture);
    const int group_rows = random.between(1, 4), steps = random.between(1, 5);
    const Outcome wave = run_wave(picture, expected, random, Wave::of(group_rows, steps));
    const Outcome phases =
        run_wave(picture, expected, random, Wave::of_phases(picture.sb_rows), true);
    const Outcome cuts = run_cuts(picture, expected, random);
    counts.wave += wave.dispatches;
    counts.cuts += cuts.dispatches;
    return good("wavefront", picture, wave) && good("wavefront, its phases", picture, phases) &&
           good("cut passes", picture, cuts);
}

} // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse_arguments(argc, argv, 1, 400);
    Counts counts;
    for (int frame = 0; frame < arguments.frames; ++frame) {
        const uint64_t seed = arguments.seed + static_cast<uint64_t>(frame);
        Random random(seed);
        if (prove(random, counts)) continue;
        std::printf("repeat with: vp9_orders 1 %llu\n", static_cast<unsigned long long>(seed));
        return 1;
    }
    std::printf(
        "vp9_orders: %d random pictures (%d 4:4:4, %d 4:4:0, %d 4:2:2, %d 4:2:0) identical as "
        "wavefront in %ld dispatches and in cut passes in %ld\n",
        arguments.frames, counts.format[0], counts.format[1], counts.format[2], counts.format[3],
        counts.wave, counts.cuts);
    return 0;
}
