// SPDX-License-Identifier: BSD-2-Clause
#include "util/cache_dir.hpp"

#include "util/env.hpp"

namespace v3doff {

std::optional<std::string> cache_dir() {
    if (auto base = env::text("XDG_CACHE_HOME")) {
        // The base directory specification: a relative path is invalid and ignored.
        if (base->front() == '/') return *base + "/v3doff";
    }
    if (auto home = env::text("HOME")) return *home + "/.cache/v3doff";
    return std::nullopt;
}

} // namespace v3doff
