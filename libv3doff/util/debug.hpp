// SPDX-License-Identifier: BSD-2-Clause
// What tests and measurements change and users do not: keys of V3DOFF_DEBUG="key=value,key=value".
// docs/testing.md describes them. The last value of a key counts.
//
// Each text that the variable has had is parsed once. What is unknown in it is logged once, as soon
// as a key is asked for while a program takes warnings.
#pragma once

#include <optional>
#include <string_view>

namespace v3doff::debug {

enum class Key {
    copy_out,       // all, changed
    dsp,            // auto, force, cpu
    dump_pictures,  // a number
    local_memory,   // off, on
    merge_submits,  // off, on
    piece_bytes,    // a number
    submit_thread,  // off, on
    uncached_reads, // off, on
    vp9_loopfilter, // fewest, wave, cuts, cuts-phased
    // Of the FFmpeg patches, which ask v3doff_debug().
    band_rows,      // a number
    open,           // wait
    vp9_passes,     // 1, 2
    vp9_transforms, // none, large, all
    count
};

// Null where the key is not set, or to a value that it does not have. It stays until the process
// ends.
const char *text(Key key);
const char *text(std::string_view key); // also where there is no such key

// The index of the value in the order of the list above.
std::optional<unsigned> choice(Key key);
bool switched(Key key, bool otherwise);
std::optional<unsigned> number(Key key);

} // namespace v3doff::debug
