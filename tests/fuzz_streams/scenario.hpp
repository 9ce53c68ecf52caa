// SPDX-License-Identifier: BSD-2-Clause
// How a stream is decoded. What the environment says holds for a process, so for a batch of
// streams; the rest is of one decode.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "random.hpp"
#include "stream.hpp"

namespace fuzz {

struct Environment {
    std::vector<std::pair<std::string, std::string>> variables;
    bool automatic = false; // mode auto has a device
    bool dump = false;      // pictures are written to a folder
    bool plain_cpu = false; // -cpuflags 0

    std::string describe() const;
};

Environment pick_environment(Random &random);

enum class Buffers { decoder, one_aligned, planes_apart, misaligned };
enum class Packets { access_units, units, groups };
enum class Stop { none, flush, drain }; // in mid-stream, with what follows decoded from elsewhere

struct Settings {
    const char *mode = "force";
    int threads = 1;
    bool slices = false; // threads of slices, not of frames
    Buffers buffers = Buffers::decoder;
    Packets packets = Packets::access_units;
    int held = 0; // so many frames are kept for a while, and looked at again
    Stop stop = Stop::none;
    size_t stop_after = 0, restart_at = 0; // packets, of which there may be fewer
    size_t close_after = 0;                // without being drained; 0: the whole stream
    int filter_left_out = 0;               // AVDiscard of skip_loop_filter
    bool low_delay = false, explode = false, conceal = true, fast = false, reorder = false;
    enum class Scope { automatic, filters, reconstruction } scope = Scope::filters;

    // Frames that are reconstructed on the device come one later.
    bool delays() const {
        return scope != Scope::filters && !low_delay && (threads == 1 || slices);
    }
    const char *scope_name() const {
        return scope == Scope::automatic ? "auto"
               : scope == Scope::filters ? "filters"
                                         : "reconstruction";
    }

    std::string describe() const;
};

Settings pick_settings(Random &random, const Environment &environment);

} // namespace fuzz
