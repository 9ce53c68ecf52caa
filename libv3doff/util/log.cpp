// SPDX-License-Identifier: BSD-2-Clause
#include "util/log.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace v3doff::log {
namespace {

struct Sink {
    v3doff_log_callback callback = nullptr;
    void *opaque = nullptr;
};

std::mutex sink_mutex;
Sink sink;
std::atomic<int> threshold{-1}; // no callback: nothing is wanted

} // namespace

void set(v3doff_log_callback callback, void *opaque, v3doff_log_level max_level) {
    std::lock_guard lock(sink_mutex);
    sink = {callback, opaque};
    threshold.store(callback ? int(max_level) : -1, std::memory_order_release);
}

bool wanted(v3doff_log_level level) {
    return int(level) <= threshold.load(std::memory_order_acquire);
}

void write(v3doff_log_level level, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    Sink target;
    {
        std::lock_guard lock(sink_mutex); // not held during the call: a callback may log or set
        target = sink;
    }
    if (target.callback) target.callback(target.opaque, level, line);
}

} // namespace v3doff::log
