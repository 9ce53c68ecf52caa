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
// In mid-stream, with what follows decoded from elsewhere; reopen: by a new decoder with one
// thread.
enum class Stop { none, flush, drain, reopen };
enum class Write { none, when_writable, copies };
enum class Receive { behind, before, one }; // before: until the next packet is sent

struct Fork {
    enum Action { nothing, decode, close, go_on, free_frames };
    size_t after = 0; // packets; 0: no fork
    Action child = nothing;
    bool exits = true; // by exit(), not by _exit()
};

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

    bool delay = false; // frames may come one later, for speed
    Write write = Write::none;
    Receive receive = Receive::behind;
    size_t late_after = 0;      // packets; then parts are left out, as a player that is late does
    size_t refused_buffer = 0;  // the caller's buffer of this number is not to be had; 0: none
    bool empty_packets = false; // some between the others, and more than one at the end
    bool corrupt = false;       // frames of which parts are missing are returned, too
    Fork fork;
    size_t exit_after = 0; // packets: a process of its own calls exit() then; 0: there is none

    bool frame_threads() const { return threads > 1 && !slices; }
    bool delays() const {
        return delay && !low_delay && (!frame_threads() || stop == Stop::reopen);
    }
    const char *scope_name() const {
        return scope == Scope::automatic ? "auto"
               : scope == Scope::filters ? "filters"
                                         : "reconstruction";
    }

    std::string describe() const;
};

Settings pick_settings(Random &random, const Environment &environment, bool can_choose_delay);

} // namespace fuzz
