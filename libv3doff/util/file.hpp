// SPDX-License-Identifier: BSD-2-Clause
// Small files on disk: read whole, written atomically.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace v3doff::file {

// Who may have put a file where it is.
enum class Trust {
    named, // the user of the program named the file: it may belong to anybody
    owned  // the folder and the file must belong to this user, and no other user may write to
           // them: a driver gets the pipeline cache unchecked
};

// Only regular files: reading a pipe would block, and a device may have no end. Returns nothing if
// the file is absent (then problem is empty), unreadable, not trusted, or larger than max_bytes.
std::optional<std::vector<uint8_t>> read(const std::string &path, size_t max_bytes,
                                         Trust trust = Trust::named,
                                         std::string *problem = nullptr);

// What a crash of the machine soon after a write may do to the file.
enum class Crash {
    keeps_it_whole,  // the write waits for the disk: a tenth of a second on a memory card
    may_cut_it_short // for a file that has a checksum and can be made again
};

// Writes a temporary file beside it and renames that, so a reader sees either the old or the new
// file. Makes the folder, for this user alone, and removes temporary files of writers that were
// killed. Returns an empty text, or why it failed (read-only, full, a folder not trusted, ...).
std::string write_atomically(const std::string &path, std::span<const uint8_t> bytes,
                             Crash crash = Crash::keeps_it_whole, Trust trust = Trust::named);

// FNV-1a, to tell a damaged file from a whole one.
uint64_t checksum(std::span<const uint8_t> bytes);

} // namespace v3doff::file
