// SPDX-License-Identifier: BSD-2-Clause
// Orders of the VP9 loop filter that are wrong in one point, each of which must be noticed.
#include "controls.hpp"
#include "vp9_orders.hpp"

using namespace v3doff::order;
using namespace v3doff::order::vp9;

static Picture some_picture(Random &random) {
    const Texture texture{random.between(30, 70), random.between(10, 40), 33, random.percent(30)};
    return random_picture(random, random.between(65, 330), random.between(129, 270),
                          random.below(2), random.below(2), texture);
}

static bool vertical_first(Random &random) {
    const Picture picture = some_picture(random);
    return vertical_then_horizontal(picture) != raster_order(picture);
}

// by_monitor: the access itself is the fault, whatever samples come out of it.
static bool is_noticed(const Outcome &outcome, bool by_monitor) {
    return by_monitor ? outcome.violations > 0 : outcome.differences > 0;
}

static Control wrong_wave(const char *name, const char *what, const Wave &wave, bool by_monitor) {
    const auto noticed = [=](Random &random) {
        const Picture picture = some_picture(random);
        return is_noticed(run_wave(picture, raster_order(picture), random, wave), by_monitor);
    };
    return {name, what, noticed, 50};
}

static Control wrong_cut(const char *name, const char *what, WrongCut wrong, bool by_monitor,
                         int least) {
    const auto noticed = [=](Random &random) {
        const Picture picture = some_picture(random);
        return is_noticed(run_cuts(picture, raster_order(picture), random, wrong), by_monitor);
    };
    return {name, what, noticed, least};
}

int main(int argc, char **argv) {
    const std::vector<Control> controls = {
        {"vertical-then-horizontal", "all vertical edges of the picture, then all horizontal ones",
         vertical_first, 90},
        wrong_wave("no-skew", "rows of a group side by side", {4, 2, 0, 6}, false),
        wrong_wave("short-lag", "a group one column closer to the one above", {1, 2, 1, 2}, true),
        wrong_cut("ignore-cuts", "every strip as if it had both cuts", WrongCut::ignore_cuts, false,
                  15),
        wrong_cut("one-less", "the last two levels of strips in one dispatch", WrongCut::one_less,
                  true, 30),
        wrong_cut("no-second", "edges above a strip's cut left out", WrongCut::no_second, false,
                  50),
        wrong_cut("lines-too-early", "all vertical edges together with the last strips",
                  WrongCut::lines_too_early, true, 90),
    };
    return run_controls("vp9_wrong_orders", controls, argc, argv);
}
