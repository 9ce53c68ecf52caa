// SPDX-License-Identifier: BSD-2-Clause
// Files of the cache: only this user's (file::Trust::owned). What refuses a file once, such as a
// sandbox or a read-only disk, refuses it again: the folder of that file is then not used any more.
// The first refusal has a reason, later calls do nothing and have none.
#pragma once

#include "util/file.hpp"

namespace v3doff {

// The folder: $XDG_CACHE_HOME/v3doff, else $HOME/.cache/v3doff; nothing where neither is set.
std::optional<std::string> cache_dir();

namespace cache_file {

// As file::read().
std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes,
                                         std::string &problem);

// As file::write_atomically().
std::string write(const std::string &path, std::span<const uint8_t> bytes, file::Crash crash);

} // namespace cache_file
} // namespace v3doff
