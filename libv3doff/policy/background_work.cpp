// SPDX-License-Identifier: BSD-2-Clause
#include "policy/background_work.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "util/error.hpp"
#include "util/process.hpp"

namespace v3doff::background {
namespace {

using Clock = std::chrono::steady_clock;

void wait_at_end();

class Threads {
  public:
    void begin() {
        std::lock_guard lock(mutex_);
        if (!registered_) register_with_exit();
        busy_++;
    }

    void end() {
        std::lock_guard lock(mutex_);
        busy_--;
        changed_.notify_all();
    }

    void driver_is_open() {
        std::lock_guard lock(mutex_);
        register_with_exit();
    }

    void wait_at_end() {
        std::unique_lock lock(mutex_);
        // Not for ever: it may be one of them that ends the process, from a log function.
        if (!process_ends.exchange(true)) until_ = Clock::now() + std::chrono::seconds(5);
        changed_.wait_until(lock, until_, [this] { return busy_ == 0; });
    }

    std::atomic<bool> process_ends = false;

  private:
    // Needs mutex_. exit() has memory for each entry, and a program may open devices for years. The
    // first times matter, when drivers are loaded.
    void register_with_exit() {
        constexpr unsigned most = 64;
        if (registered_ < most && !std::atexit(background::wait_at_end)) registered_++;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned busy_ = 0;
    unsigned registered_ = 0; // how often
    Clock::time_point until_; // when the process has waited long enough
};

Threads &threads() {
    static auto *of_process = new Threads; // outlives every static of the program
    return *of_process;
}

void wait_at_end() {
    if (!process::forked()) threads().wait_at_end();
}

} // namespace

void run(const char *name, std::function<void()> work) {
    threads().begin();
    try {
        std::thread([name, work = std::move(work)]() mutable {
            pthread_setname_np(pthread_self(), name);
            work();
            work = nullptr;
            threads().end();
        }).detach();
    } catch (const std::system_error &problem) {
        threads().end();
        throw Error(V3DOFF_ERROR_OUT_OF_MEMORY,
                    std::string("a thread cannot be started: ") + problem.what());
    } catch (...) {
        threads().end();
        throw;
    }
}

void driver_is_open() {
    threads().driver_is_open();
}

bool process_ends() {
    return threads().process_ends;
}

} // namespace v3doff::background
