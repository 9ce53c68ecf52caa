// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>

namespace v3doff {

// $XDG_CACHE_HOME/v3doff, else $HOME/.cache/v3doff; nothing where neither is set.
std::optional<std::string> cache_dir();

} // namespace v3doff
