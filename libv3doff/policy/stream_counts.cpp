// SPDX-License-Identifier: BSD-2-Clause
#include "policy/stream_counts.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace v3doff {

void StreamCounts::Counts::count_cpu(const char *reason, bool whole) {
    cpu++;
    whole_cpu += whole;
    for (Reason &known : reasons) {
        if (!known.pictures) std::snprintf(known.text, sizeof known.text, "%s", reason);
        if (std::strncmp(known.text, reason, sizeof known.text - 1)) continue;
        known.pictures++;
        return;
    }
    other_reasons++;
}

bool StreamCounts::count(v3doff_event event, const char *reason) {
    std::lock_guard lock(mutex_);
    counts_.events[event]++;
    if (event > V3DOFF_EVENT_CPU_WHOLE) return false;
    counts_.count_cpu(reason, event == V3DOFF_EVENT_CPU_WHOLE);
    return counts_.cpu == 1;
}

void StreamCounts::count_done(const v3doff_picture_report &report, bool whole) {
    std::lock_guard lock(mutex_);
    if (report.executor != V3DOFF_EXECUTOR_GPU) return counts_.count_cpu(report.reason, whole);
    counts_.gpu++;
    counts_.whole_gpu += whole;
    counts_.submits += whole ? 1 : report.bands; // the report is about both fields
}

void StreamCounts::Counts::write_reasons(const Write &write) const {
    char line[192];
    for (const Reason &reason : reasons) {
        if (!reason.pictures) return;
        std::snprintf(line, sizeof line, "on the CPU, %" PRIu64 " pictures: %.127s",
                      reason.pictures, reason.text);
        write(line);
    }
    if (!other_reasons) return;
    std::snprintf(line, sizeof line, "on the CPU, %" PRIu64 " pictures: other", other_reasons);
    write(line);
}

StreamCounts::Counts StreamCounts::counts_so_far() const {
    std::lock_guard lock(mutex_);
    return counts_;
}

void StreamCounts::write_lines(const Write &write) const {
    const Counts counts = counts_so_far();
    const uint64_t idle = counts.events[V3DOFF_EVENT_IDLE],
                   copied = counts.events[V3DOFF_EVENT_COPIED];
    char whole[80] = "", copies[48] = "", line[320];
    if (!counts.gpu && !counts.cpu && !idle) return;
    if (counts.whole_gpu || counts.whole_cpu)
        std::snprintf(whole, sizeof whole, "; reconstructed: GPU %" PRIu64 ", CPU %" PRIu64,
                      counts.whole_gpu, counts.whole_cpu);
    if (copied) std::snprintf(copies, sizeof copies, "; copied references: %" PRIu64, copied);
    // In one line, because other threads write to the log, too.
    std::snprintf(line, sizeof line,
                  "pictures: GPU %" PRIu64 ", CPU %" PRIu64 ", nothing to do %" PRIu64
                  "%s%s; awaited: %" PRIu64 "; submits: %" PRIu64,
                  counts.gpu, counts.cpu, idle, whole, copies, counts.events[V3DOFF_EVENT_AWAITED],
                  counts.submits);
    write(line);
    counts.write_reasons(write);
}

void StreamCounts::write_report(const char *beginning, const Write &write) const {
    const Counts counts = counts_so_far();
    char line[512];
    std::snprintf(line, sizeof line,
                  "%s idle=%" PRIu64 " held=%" PRIu64 " gpu=%" PRIu64 " cpu=%" PRIu64, beginning,
                  counts.events[V3DOFF_EVENT_IDLE], counts.events[V3DOFF_EVENT_HELD_BACK],
                  counts.gpu, counts.cpu);
    write(line);
    counts.write_reasons(write);
}

} // namespace v3doff
