// SPDX-License-Identifier: BSD-2-Clause
#include "policy/background_work.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

namespace v3doff {
namespace {

struct Threads {
    std::mutex mutex;
    std::condition_variable changed;
    unsigned busy = 0;
    bool registered = false; // with exit()
    std::atomic<bool> process_ends = false;
    const pid_t process = getpid();
};

Threads &threads() {
    static auto *of_process = new Threads; // outlives every static of the program
    return *of_process;
}

void wait_at_end() {
    Threads &all = threads();
    if (all.process != getpid()) return; // forked off: the threads are the parent's
    all.process_ends = true;
    std::unique_lock lock(all.mutex);
    // Not for ever: it may be one of them that ends the process, from a log function.
    all.changed.wait_for(lock, std::chrono::seconds(5), [&] { return all.busy == 0; });
}

} // namespace

BackgroundWork::BackgroundWork() {
    std::lock_guard lock(threads().mutex);
    threads().busy++;
    // What was registered last is called first: this before what the driver has.
    if (!threads().registered) threads().registered = !std::atexit(wait_at_end);
}

BackgroundWork::~BackgroundWork() {
    std::lock_guard lock(threads().mutex);
    threads().busy--;
    threads().changed.notify_all();
}

bool BackgroundWork::process_ends() {
    return threads().process_ends;
}

} // namespace v3doff
