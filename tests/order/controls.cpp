// SPDX-License-Identifier: BSD-2-Clause
#include "controls.hpp"

#include "arguments.hpp"

#include <cstdio>
#include <string>

namespace v3doff::order {

int run_controls(const char *program, const std::vector<Control> &controls, int argc, char **argv) {
    const std::string chosen = argc > 1 ? argv[1] : "all";
    const Arguments arguments = parse_arguments(argc, argv, 2, 60);
    int run = 0, missed = 0;
    for (const Control &control : controls) {
        if (chosen != "all" && chosen != control.name) continue;
        int noticed = 0;
        for (int frame = 0; frame < arguments.frames; ++frame) {
            Random random(arguments.seed + static_cast<uint64_t>(frame));
            noticed += control.noticed(random);
        }
        const bool enough = noticed && noticed * 100 >= control.least * arguments.frames;
        std::printf("%-26s noticed in %d of %d pictures%s: %s\n", control.name, noticed,
                    arguments.frames, enough ? "" : ", TOO FEW", control.what);
        ++run;
        missed += !enough;
    }
    if (!run) {
        std::fprintf(stderr, "%s: no wrong order is called '%s'\n", program, chosen.c_str());
        return 2;
    }
    std::printf("%s: %d wrong orders, %d noticed\n", program, run, run - missed);
    return missed ? 1 : 0;
}

} // namespace v3doff::order
