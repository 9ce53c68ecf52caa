// SPDX-License-Identifier: BSD-2-Clause
// The process's log callbacks. Lines are built only when somebody wants them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "v3doff/v3doff.h"

namespace v3doff::log {

void add(v3doff_log_callback callback, void *opaque, v3doff_log_level max_level);
void remove(v3doff_log_callback callback, void *opaque);
// As add(), until it has as many ends.
void begin(v3doff_log_callback callback, void *opaque, v3doff_log_level max_level);
void end(v3doff_log_callback callback, void *opaque);
bool wanted(v3doff_log_level level);
// At `level` if this process has not written the same line before, otherwise at level debug.
void write_once(v3doff_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Forgets which lines were written; only tests need it.
void forget_lines();
void write(v3doff_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

// While this exists, this thread's errors and warnings have the level INFO, unless it is false.
class Quiet {
  public:
    explicit Quiet(bool quiet);
    ~Quiet();
    Quiet(const Quiet &) = delete;
    Quiet &operator=(const Quiet &) = delete;
};

// While this exists, this thread's lines wait. A callback may call the library, so a function that
// may write a line while it holds a mutex has one of these, and makes it before it takes the mutex.
class Later {
  public:
    Later();
    ~Later();
    Later(const Later &) = delete;
    Later &operator=(const Later &) = delete;

    // Whether the line waits. Without memory for it, it is lost.
    static bool keeps(v3doff_log_level level, const char *line);

  private:
    std::vector<std::pair<v3doff_log_level, std::string>> lines_; // of the outermost one
};

} // namespace v3doff::log

// The arguments are evaluated only when the level is wanted.
#define V3DOFF_LOG_AT(level, ...)                                                                  \
    do {                                                                                           \
        if (::v3doff::log::wanted(level)) ::v3doff::log::write(level, __VA_ARGS__);                \
    } while (0)
#define LOG_ERROR(...) V3DOFF_LOG_AT(V3DOFF_LOG_ERROR, __VA_ARGS__)
#define LOG_WARNING(...) V3DOFF_LOG_AT(V3DOFF_LOG_WARNING, __VA_ARGS__)
// For a problem that can occur again with every picture or decoder.
#define LOG_WARNING_ONCE(...)                                                                      \
    do {                                                                                           \
        if (::v3doff::log::wanted(V3DOFF_LOG_WARNING))                                             \
            ::v3doff::log::write_once(V3DOFF_LOG_WARNING, __VA_ARGS__);                            \
    } while (0)
#define LOG_INFO(...) V3DOFF_LOG_AT(V3DOFF_LOG_INFO, __VA_ARGS__)
#define LOG_DEBUG(...) V3DOFF_LOG_AT(V3DOFF_LOG_DEBUG, __VA_ARGS__)
