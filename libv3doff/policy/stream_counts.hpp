// SPDX-License-Identifier: BSD-2-Clause
// A stream counts who did its pictures, and why, and writes lines about it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>

#include "v3doff/stream.h"

namespace v3doff {

class StreamCounts {
  public:
    using Write = std::function<void(const char *line)>;

    // Returns whether it is the first picture that the CPU does.
    bool count(v3doff_event event, const char *reason);
    void count_done(const v3doff_picture_report &report, bool whole);

    // The lines are written without a mutex, because their writer may count, too.
    void write_lines(const Write &write) const;
    // For tests of programs, with the numbers that scripts read at the end of the first line.
    void write_report(const char *beginning, const Write &write) const;

  private:
    struct Reason {
        char text[128];
        uint64_t pictures;
    };
    struct Counts {
        uint64_t gpu = 0, cpu = 0;
        uint64_t whole_gpu = 0, whole_cpu = 0; // those of them that the decoder only parsed
        uint64_t submits = 0;
        std::array<uint64_t, V3DOFF_EVENTS> events = {};
        std::array<Reason, 6> reasons = {}; // why the CPU did pictures
        uint64_t other_reasons = 0;         // pictures with a reason that has no place there

        void count_cpu(const char *reason, bool whole);
        void write_reasons(const Write &write) const;
    };
    Counts counts_so_far() const;

    mutable std::mutex mutex_;
    Counts counts_; // needs mutex_
};

} // namespace v3doff
