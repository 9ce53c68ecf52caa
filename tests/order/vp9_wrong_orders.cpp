// SPDX-License-Identifier: BSD-2-Clause
// Orders of the VP9 loop filter that are wrong in one point, each of which must be noticed.
#include "controls.hpp"
#include "vp9_cut.hpp"
#include "vp9_runs.hpp"

using namespace v3doff::order;
using namespace v3doff::order::vp9;

static Picture some_picture(Random &random) {
    const Texture texture{random.between(30, 70), random.between(10, 40), 33, random.percent(30)};
    return random_picture(random, random.between(65, 330), random.between(65, 270), random.below(2),
                          random.below(2), texture);
}

static Grid units(const Picture &picture) {
    return {picture.sb_rows, picture.sb_cols, 1, 1};
}

static bool vertical_first(Random &random) {
    const Picture picture = some_picture(random);
    return vertical_then_horizontal(picture) != raster_order(picture);
}

// Plain superblocks that wait as shifted ones may.
static bool plain_units(Random &random) {
    const Picture picture = some_picture(random);
    return !run_dispatches(picture, raster_order(picture), random, units(picture), {0, 0, 0})
                .good();
}

static bool narrow_strip(Random &random) {
    const Picture picture = some_picture(random);
    return run_dispatches(picture, raster_order(picture), random, units(picture), {7, 7, 7})
               .differences > 0;
}

static bool forgotten(Random &random, Forget forget) {
    const Picture picture = some_picture(random);
    return run_topological(picture, raster_order(picture), random, units(picture), {8, 8, 8},
                           forget)
               .differences > 0;
}

static bool descending_flags(Random &random) {
    const Picture picture = some_picture(random);
    return run_flags(picture, raster_order(picture), random, units(picture), {8, 8, 8}, 2, true)
        .deadlock;
}

static Control wrong_cut(const char *name, const char *what, WrongCut wrong, bool by_monitor,
                         int least) {
    const auto noticed = [=](Random &random) {
        const Picture picture = some_picture(random);
        const Tails tails = random.percent(50) ? Tails::stored : Tails::recomputed;
        CutPasses passes(picture, random, tails, wrong);
        passes.run();
        return by_monitor ? passes.monitor().violations() > 0
                          : passes.differences(raster_order(picture)) > 0;
    };
    return {name, what, noticed, least};
}

int main(int argc, char **argv) {
    const std::vector<Control> controls = {
        {"vertical-then-horizontal", "all vertical edges of the picture, then all horizontal ones",
         vertical_first, 90},
        {"plain-units", "unshifted superblocks that wait for left and above only", plain_units, 90},
        {"strip-of-seven", "shifted by the columns that are written, not by those that are read",
         narrow_strip, 50},
        {"no-wait-left", "shifted units that do not wait for the one to the left",
         [](Random &random) { return forgotten(random, Forget::left); }, 50},
        {"no-wait-above", "shifted units that do not wait for the one above",
         [](Random &random) { return forgotten(random, Forget::above); }, 50},
        {"descending-flags", "one dispatch whose workgroups start with the last", descending_flags,
         90},
        wrong_cut("ignore-cuts", "every strip from R alone, whether the masks cut it or not",
                  WrongCut::ignore_cuts, false, 15),
        wrong_cut("one-less", "the last two strip dispatches in one", WrongCut::one_less, true, 30),
        wrong_cut("lines-too-early", "all vertical edges together with the last strips",
                  WrongCut::lines_too_early, true, 90),
    };
    return run_controls("vp9_wrong_orders", controls, argc, argv);
}
