// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv_module.hpp"

namespace v3doff::v3d71 {

struct Options {
    bool help = false;
    bool info = false;
    bool qpu = false;
    bool nir = false;
    bool robust = false;
    bool verbose = false;
    uint32_t device = 0;
    std::array<uint32_t, 3> dispatch{0, 0, 0};        // none if the first is zero
    bool again = false, again_behind_barrier = false; // a second dispatch
    SpecConstants spec;
    std::vector<std::string> files;
};

extern const char usage_text[];

// Throws std::invalid_argument with a text for the user.
Options parse_options(int argc, char **argv);

} // namespace v3doff::v3d71
