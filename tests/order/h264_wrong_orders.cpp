// SPDX-License-Identifier: BSD-2-Clause
// Orders of H.264 deblocking that are wrong in one point, each of which must be noticed.
#include "controls.hpp"
#include "h264_passes.hpp"
#include "h264_raster.hpp"

using namespace v3doff::order;
using namespace v3doff::order::h264;

// by_monitor: the access itself is the fault, whatever samples come out of it.
static Control wrong_pass(const char *name, const char *what, Wrong wrong, bool mbaff_only,
                          bool by_monitor, int least) {
    const auto noticed = [=](Random &random) {
        const bool mbaff = mbaff_only || random.percent(50);
        const Picture picture = random_picture(random, {mbaff, 8, 6});
        FourPasses passes(picture, random, wrong);
        passes.run();
        return by_monitor ? passes.monitor().violations() > 0
                          : passes.differences(raster_order(picture)) > 0;
    };
    return {name, what, noticed, least};
}

static bool vertical_first(Random &random) {
    const Picture picture = random_picture(random, {random.percent(50), 8, 6});
    return vertical_then_horizontal(picture) != raster_order(picture);
}

int main(int argc, char **argv) {
    const std::vector<Control> controls = {
        {"vertical-then-horizontal", "all vertical edges of the picture, then all horizontal ones",
         vertical_first, 60},
        wrong_pass("no-q1", "the edge at 12 without the q1 of the edge at 8", Wrong::no_q1, false,
                   false, 50),
        wrong_pass("no-up-right-edge", "rows above without the left edge of the unit up-right",
                   Wrong::no_up_right_edge, false, false, 40),
        wrong_pass("unfiltered-strip", "left edges before the neighbour's horizontal edges",
                   Wrong::unfiltered_strip, false, false, 50),
        wrong_pass("no-tail", "rows above without their own last horizontal edges", Wrong::no_tail,
                   false, false, 50),
        wrong_pass("frame-mode-top", "MBAFF: a frame pair under a field pair in frame mode",
                   Wrong::frame_mode_top, true, false, 40),
        wrong_pass("four-rows-above", "MBAFF: field mode with four finished rows above, not six",
                   Wrong::four_rows_above, true, false, 40),
        wrong_pass("swapped-passes", "the third pass before the second", Wrong::swapped_passes,
                   false, true, 70),
        wrong_pass("fused-strips", "passes 1 and 2 in one dispatch, nothing recomputed",
                   Wrong::fused_strips, false, true, 70),
        wrong_pass("fused-lines", "passes 3 and 4 in one dispatch, nothing recomputed",
                   Wrong::fused_lines, false, true, 90),
        wrong_pass("in-place", "pass 4 writes to the buffer it reads", Wrong::in_place, false, true,
                   70),
    };
    return run_controls("h264_wrong_orders", controls, argc, argv);
}
