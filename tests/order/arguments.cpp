// SPDX-License-Identifier: BSD-2-Clause
#include "arguments.hpp"

#include <cstdio>
#include <cstdlib>

namespace v3doff::order {

static uint64_t number(const char *text, const char *program) {
    char *end = nullptr;
    const uint64_t value = std::strtoull(text, &end, 0);
    if (end == text || *end) {
        std::fprintf(stderr, "%s: '%s' is no number; the arguments end in [frames] [seed]\n",
                     program, text);
        std::exit(2);
    }
    return value;
}

Arguments parse_arguments(int argc, char **argv, int first, int default_frames) {
    Arguments arguments{default_frames, 1};
    if (argc > first) arguments.frames = static_cast<int>(number(argv[first], argv[0]));
    if (argc > first + 1) arguments.seed = number(argv[first + 1], argv[0]);
    if (argc > first + 2 || arguments.frames < 1) {
        std::fprintf(stderr, "%s: wants [frames] [seed] with at least one frame\n", argv[0]);
        std::exit(2);
    }
    return arguments;
}

} // namespace v3doff::order
