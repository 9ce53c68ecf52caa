// SPDX-License-Identifier: BSD-2-Clause
// Wrong orders as tests: a proof that cannot fail proves nothing.
#pragma once

#include "random.hpp"

#include <functional>
#include <vector>

namespace v3doff::order {

struct Control {
    const char *name;
    const char *what;
    // Runs the wrong order on one random picture; true: it was noticed.
    std::function<bool(Random &)> noticed;
    // Least share of pictures, in per cent, that must show it.
    int least;
};

// PROGRAM [name|all] [frames] [seed]: 0 when each chosen control was noticed often enough.
int run_controls(const char *program, const std::vector<Control> &controls, int argc, char **argv);

} // namespace v3doff::order
