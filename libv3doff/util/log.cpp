// SPDX-License-Identifier: BSD-2-Clause
#include "util/log.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "util/process.hpp"

namespace v3doff::log {
namespace {

constexpr int unused = -1; // a level that no line has

// Sinks are never freed, only used again. So a thread can go on to the next one after a call.
struct Sink {
    v3doff_log_callback callback = nullptr;
    void *opaque = nullptr;
    int level = unused;
    unsigned uses[2] = {}; // [0] add() without remove(), [1] begin() without end()
    unsigned calls = 0;    // threads that are in the callback
    Sink *next = nullptr;

    bool is(v3doff_log_callback of, void *with) const {
        return level != unused && callback == of && opaque == with;
    }
};

std::atomic<int> threshold{unused}; // the highest level of all sinks
thread_local unsigned callback_depth = 0;
thread_local bool is_quiet = false;
thread_local Later *outermost_later = nullptr;
constexpr auto longest_wait = std::chrono::seconds(1);

class Sinks {
  public:
    void add(v3doff_log_callback callback, void *opaque, v3doff_log_level level, bool counts) {
        std::lock_guard lock(mutex_);
        Sink *sink = find([&](const Sink &each) { return each.is(callback, opaque); });
        if (!sink)
            sink = find([](const Sink &each) { return each.level == unused && !each.calls; });
        if (!sink) first_ = sink = new Sink{.next = first_};
        sink->callback = callback;
        sink->opaque = opaque;
        sink->level = int(level);
        sink->uses[counts] = counts ? sink->uses[counts] + 1 : 1;
        set_threshold();
    }

    void remove(v3doff_log_callback callback, void *opaque, bool counts) {
        std::unique_lock lock(mutex_);
        Sink *const sink = find([&](const Sink &each) { return each.is(callback, opaque); });
        if (!sink) return;
        sink->uses[counts] = counts ? sink->uses[counts] - 1 : 0;
        if (sink->uses[0] || sink->uses[1]) return;
        sink->level = unused;
        set_threshold();
        // A callback that waited for another, which waits for it, would wait for ever. So would a
        // caller that holds a lock which the callback takes, such as an interpreter's.
        if (!callback_depth) left_.wait_for(lock, longest_wait, [&] { return !sink->calls; });
    }

    void send(v3doff_log_level level, const char *line) {
        std::unique_lock lock(mutex_);
        for (Sink *sink = first_; sink; sink = sink->next) {
            if (int(level) > sink->level) continue;
            const auto [callback, opaque] = std::pair(sink->callback, sink->opaque);
            sink->calls++;
            callback_depth++;
            lock.unlock(); // a callback may log, add and remove
            callback(opaque, level, line);
            lock.lock();
            callback_depth--;
            if (!--sink->calls) left_.notify_all();
        }
    }

  private:
    // The functions below need mutex_.
    template <typename Suits>
    Sink *find(Suits suits) const {
        Sink *sink = first_;
        while (sink && !suits(*sink))
            sink = sink->next;
        return sink;
    }

    void set_threshold() const {
        int highest = unused;
        for (const Sink *sink = first_; sink; sink = sink->next)
            highest = std::max(highest, sink->level);
        threshold.store(highest, std::memory_order_release);
    }

    std::mutex mutex_;
    std::condition_variable left_; // a callback
    Sink *first_ = nullptr;
};

// Never destroyed, as the lines below: threads may write lines until the process has ended.
Sinks &sinks() {
    static auto *instance = new Sinks;
    return *instance;
}

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
    try {
        return all.written.size() < most_lines && all.written.insert(line).second;
    } catch (const std::bad_alloc &) { // then it may be written again
        return true;
    }
}

constexpr size_t line_bytes = 1024;

void send(v3doff_log_level level, const char *line) {
    if (is_quiet) level = std::max(level, V3DOFF_LOG_INFO);
    if (!Later::keeps(level, line)) sinks().send(level, line);
}

} // namespace

void add(v3doff_log_callback callback, void *opaque, v3doff_log_level max_level) {
    sinks().add(callback, opaque, max_level, false);
}

void remove(v3doff_log_callback callback, void *opaque) {
    sinks().remove(callback, opaque, false);
}

void begin(v3doff_log_callback callback, void *opaque, v3doff_log_level max_level) {
    sinks().add(callback, opaque, max_level, true);
}

void end(v3doff_log_callback callback, void *opaque) {
    sinks().remove(callback, opaque, true);
}

Quiet::Quiet(bool quiet) {
    is_quiet = quiet;
}
Quiet::~Quiet() {
    is_quiet = false;
}

Later::Later() {
    if (!outermost_later) outermost_later = this;
}

Later::~Later() {
    if (outermost_later != this) return;
    outermost_later = nullptr;
    for (const auto &[level, line] : lines_)
        sinks().send(level, line.c_str());
}

bool Later::keeps(v3doff_log_level level, const char *line) {
    if (!outermost_later) return false;
    try {
        outermost_later->lines_.emplace_back(level, line);
    } catch (const std::bad_alloc &) { // lost
    }
    return true;
}

bool wanted(v3doff_log_level level) {
    return int(level) <= threshold.load(std::memory_order_acquire) && !process::forked();
}

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
