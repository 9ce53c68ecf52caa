// SPDX-License-Identifier: BSD-2-Clause
// Orders of the VP9 loop filter: README.md, sections 4 to 7.
#include "arguments.hpp"
#include "vp9_cut.hpp"
#include "vp9_runs.hpp"
#include "vp9_tables.hpp"

#include <cstdio>

using namespace v3doff::order;
using namespace v3doff::order::vp9;

namespace {

struct Proof {
    Reach units, cut[2];
    long cut_dispatches[2] = {}, wavefront_dispatches = 0;
    int with_missing_cuts = 0, by_format[4] = {};

    bool wavefronts(const Picture &picture, const Planes &expected, Random &random);
    bool cuts(const Picture &picture, const Planes &expected, Random &random);
    bool picture(Random &random);
};

bool good(const char *what, const Picture &picture, const Outcome &outcome) {
    if (!outcome.good())
        std::printf("%s, %s: %ld samples differ, %ld violations %s%s\n", what,
                    picture.text().c_str(), outcome.differences, outcome.violations,
                    outcome.violation.c_str(), outcome.deadlock ? ", locked up" : "");
    return outcome.good();
}

bool Proof::wavefronts(const Picture &picture, const Planes &expected, Random &random) {
    const Grid units{picture.sb_rows, picture.sb_cols, 1, 1};
    const Outcome by_unit = run_dispatches(picture, expected, random, units, {8, 8, 8});
    this->units.merge(by_unit.reach);
    const Grid tiles{picture.sb_rows, picture.sb_cols, random.between(1, 4), random.between(1, 3)};
    // Any strip from the reach of the widest filter to the whole superblock will do.
    Strips strips;
    for (size_t plane = 0; plane < 3; ++plane)
        strips[plane] = random.percent(40) ? 8 : random.between(8, picture.planes[plane].sb_width);
    const Outcome by_tile = run_dispatches(picture, expected, random, tiles, strips);
    wavefront_dispatches += by_tile.dispatches;
    const bool shapes = by_unit.dispatches == picture.sb_rows + picture.sb_cols - 1 &&
                        by_tile.dispatches == tiles.tiles_down() + tiles.tiles_across() - 1;
    if (!shapes) std::printf("wavefront: an unexpected number of dispatches\n");
    const Grid plain{picture.sb_rows, picture.sb_cols, 1, 1, true};
    return shapes && good("shifted units", picture, by_unit) &&
           good("shifted tiles", picture, by_tile) &&
           good("shifted tiles, any order", picture,
                run_topological(picture, expected, random, tiles, strips)) &&
           good("shifted tiles, flags", picture,
                run_flags(picture, expected, random, tiles, strips, random.between(1, 6))) &&
           good("plain units", picture,
                run_dispatches(picture, expected, random, plain, {0, 0, 0}));
}

bool Proof::cuts(const Picture &picture, const Planes &expected, Random &random) {
    for (const Tails tails : {Tails::stored, Tails::recomputed}) {
        const bool stored = tails == Tails::stored;
        CutPasses passes(picture, random, tails);
        passes.run();
        const long differences = passes.differences(expected);
        const long violations = passes.monitor().violations();
        const int base = picture.sb_cols == 1 ? 2 : stored ? 4 : 3;
        const int dispatches = base + passes.plan().longest_chain;
        if (differences || violations || dispatches != passes.monitor().dispatch()) {
            std::printf("cut passes, tails %s, %s: %ld samples differ, %ld violations %s, %d "
                        "dispatches, expected %d\n",
                        stored ? "stored" : "recomputed", picture.text().c_str(), differences,
                        violations, passes.monitor().first_violation().c_str(),
                        passes.monitor().dispatch(), dispatches);
            return false;
        }
        cut[stored ? 0 : 1].merge(passes.monitor().reach);
        cut_dispatches[stored ? 0 : 1] += dispatches;
        with_missing_cuts += stored && passes.plan().missing_cuts;
    }
    return true;
}

bool Proof::picture(Random &random) {
    const int ss_h = random.below(2), ss_v = random.below(2);
    const Texture texture{random.between(10, 90), random.between(0, 60), random.between(10, 60),
                          random.percent(25)};
    const Picture picture =
        random_picture(random, random.between(1, 330), random.between(1, 270), ss_h, ss_v, texture);
    ++by_format[2 * ss_h + ss_v];
    const Planes expected = raster_order(picture);
    return wavefronts(picture, expected, random) && cuts(picture, expected, random);
}

int report_reach(const Proof &proof, int tight_kinds) {
    std::printf("shifted unit with a strip of 8: reach from the corner of its superblock\n");
    print_reach(proof.units, Schedule::shifted_units);
    std::printf("cut passes, tails stored\n");
    print_reach(proof.cut[0], Schedule::cut_stored);
    std::printf("cut passes, tails recomputed\n");
    print_reach(proof.cut[1], Schedule::cut_recomputed);
    return proof.units.compare(stated_reach(Schedule::shifted_units), tight_kinds) +
           proof.cut[0].compare(stated_reach(Schedule::cut_stored), tight_kinds) +
           proof.cut[1].compare(stated_reach(Schedule::cut_recomputed), tight_kinds);
}

} // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse_arguments(argc, argv, 1, 400);
    Proof proof;
    for (int frame = 0; frame < arguments.frames; ++frame) {
        const uint64_t seed = arguments.seed + static_cast<uint64_t>(frame);
        Random random(seed);
        if (proof.picture(random)) continue;
        std::printf("repeat with: vp9_shifted 1 %llu\n", static_cast<unsigned long long>(seed));
        return 1;
    }
    const bool tight = arguments.frames >= 400;
    const int wrong = report_reach(proof, tight ? border : 0);
    print_wavefront_counts();
    print_cut_counts(arguments.seed);
    std::printf("vp9_shifted: %d random pictures (%d 4:4:4, %d 4:4:0, %d 4:2:2, %d 4:2:0; %d with "
                "missing cuts) identical as wavefront in any order, in one dispatch with flags and "
                "in cut passes; reach tables %s\n",
                arguments.frames, proof.by_format[0], proof.by_format[1], proof.by_format[2],
                proof.by_format[3], proof.with_missing_cuts,
                wrong   ? "WRONG"
                : tight ? "exact"
                        : "not exceeded");
    return wrong ? 1 : 0;
}
