// SPDX-License-Identifier: BSD-2-Clause
#include "util/log.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

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

namespace {

constexpr size_t line_bytes = 1024;

void send(v3doff_log_level level, const char *line) {
    Sink target;
    {
        std::lock_guard lock(sink_mutex); // not held during the call: a callback may log or set
        target = sink;
    }
    if (target.callback) target.callback(target.opaque, level, line);
}

// Never destroyed: threads may write lines until the process has ended.
struct Lines {
    std::mutex mutex;
    std::set<std::string> written;
};
Lines &lines() {
    static auto *instance = new Lines;
    return *instance;
}

// A fault writes a few different lines. More lines than this are not worth the memory.
constexpr size_t most_lines = 256;

bool is_new(const char *line) {
    Lines &all = lines();
    std::lock_guard lock(all.mutex);
    return all.written.size() < most_lines && all.written.insert(line).second;
}

} // namespace

void write(v3doff_log_level level, const char *format, ...) {
    char line[line_bytes];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    send(level, line);
}

void write_once(v3doff_log_level level, const char *format, ...) {
    char line[line_bytes];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (is_new(line))
        send(level, line);
    else if (wanted(V3DOFF_LOG_DEBUG))
        send(V3DOFF_LOG_DEBUG, line);
}

void forget_lines() {
    std::lock_guard lock(lines().mutex);
    lines().written.clear();
}

} // namespace v3doff::log
