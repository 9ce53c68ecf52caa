// SPDX-License-Identifier: BSD-2-Clause
// Small files on disk: read whole, written atomically.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace v3doff::file {

// $XDG_CACHE_HOME/v3doff, else $HOME/.cache/v3doff; nothing where neither is set.
std::optional<std::string> cache_dir();

// Nothing when the file is absent, unreadable or larger than max_bytes.
std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes);

// What a crash of the machine soon after a write may do to the file.
enum class Crash {
    keeps_it_whole,  // the write waits for the disk: on a memory card a tenth of a second
    may_cut_it_short // for what has a checksum and can be made again
};

// Writes to a temporary file beside it and renames: a reader sees the old file or the new one.
// Makes the folder. An empty string, or why it failed (read-only, full, ...).
std::string write_atomically(const std::string &path, std::span<const uint8_t> bytes,
                             Crash crash = Crash::keeps_it_whole);

// FNV-1a, to tell a damaged file from a whole one.
uint64_t checksum(std::span<const uint8_t> bytes);

} // namespace v3doff::file
