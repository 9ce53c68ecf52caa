// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace v3doff::order {

// PROGRAM [frames] [seed]
struct Arguments {
    int frames;
    uint64_t seed;
};

// Ends the process with status 2 and a usage line when an argument is no number.
Arguments parse_arguments(int argc, char **argv, int first, int default_frames);

} // namespace v3doff::order
