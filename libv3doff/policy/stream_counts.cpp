// SPDX-License-Identifier: BSD-2-Clause
#include "policy/stream_counts.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace v3doff {

void StreamCounts::count_cpu(const char *reason, bool whole) {
    cpu_++;
    whole_cpu_ += whole;
    for (Reason &known : reasons_) {
        if (!known.pictures) std::snprintf(known.text, sizeof known.text, "%s", reason);
        if (std::strncmp(known.text, reason, sizeof known.text - 1)) continue;
        known.pictures++;
        return;
    }
    other_reasons_++;
}

bool StreamCounts::count(v3doff_event event, const char *reason) {
    std::lock_guard lock(mutex_);
    events_[event]++;
    if (event > V3DOFF_EVENT_CPU_WHOLE) return false;
    count_cpu(reason, event == V3DOFF_EVENT_CPU_WHOLE);
    return cpu_ == 1;
}

void StreamCounts::count_done(const v3doff_picture_report &report, bool whole) {
    std::lock_guard lock(mutex_);
    if (report.executor != V3DOFF_EXECUTOR_GPU) return count_cpu(report.reason, whole);
    gpu_++;
    whole_gpu_ += whole;
    submits_ += whole ? 1 : report.bands; // the report is about both fields
}

void StreamCounts::write_reasons(const Write &write) const {
    char line[192];
    for (const Reason &reason : reasons_) {
        if (!reason.pictures) return;
        std::snprintf(line, sizeof line, "on the CPU, %" PRIu64 " pictures: %.127s",
                      reason.pictures, reason.text);
        write(line);
    }
    if (!other_reasons_) return;
    std::snprintf(line, sizeof line, "on the CPU, %" PRIu64 " pictures: other", other_reasons_);
    write(line);
}

void StreamCounts::write_lines(const Write &write) {
    std::lock_guard lock(mutex_);
    const uint64_t idle = events_[V3DOFF_EVENT_IDLE], copied = events_[V3DOFF_EVENT_COPIED];
    char whole[80] = "", copies[48] = "", line[320];
    if (!gpu_ && !cpu_ && !idle) return;
    if (whole_gpu_ || whole_cpu_)
        std::snprintf(whole, sizeof whole, "; reconstructed: GPU %" PRIu64 ", CPU %" PRIu64,
                      whole_gpu_, whole_cpu_);
    if (copied) std::snprintf(copies, sizeof copies, "; copied references: %" PRIu64, copied);
    // In one line, because other threads write to the log, too.
    std::snprintf(line, sizeof line,
                  "pictures: GPU %" PRIu64 ", CPU %" PRIu64 ", nothing to do %" PRIu64
                  "%s%s; awaited: %" PRIu64 "; submits: %" PRIu64,
                  gpu_, cpu_, idle, whole, copies, events_[V3DOFF_EVENT_AWAITED], submits_);
    write(line);
    write_reasons(write);
}

void StreamCounts::write_report(const char *beginning, const Write &write) {
    std::lock_guard lock(mutex_);
    char line[512];
    std::snprintf(line, sizeof line,
                  "%s idle=%" PRIu64 " held=%" PRIu64 " gpu=%" PRIu64 " cpu=%" PRIu64, beginning,
                  events_[V3DOFF_EVENT_IDLE], events_[V3DOFF_EVENT_HELD_BACK], gpu_, cpu_);
    write(line);
    write_reasons(write);
}

} // namespace v3doff
