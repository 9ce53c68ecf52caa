// SPDX-License-Identifier: BSD-2-Clause
#include "util/process.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <pthread.h>
#include <shared_mutex>
#include <unistd.h>
#include <utility>
#include <vector>

#include "util/error.hpp"
#include "util/first_at_exit.hpp"

namespace v3doff::process {

std::atomic<bool> detail::is_forked{false}, detail::has_used_device{false};
std::atomic<unsigned> detail::threads_inside{0};

namespace {

using Clock = std::chrono::steady_clock;

// ---- fork() --------------------------------------------------------------------------------

// A callback may wait for something that the forking thread holds.
constexpr auto longest_callback = std::chrono::milliseconds(50);
constexpr auto longest_loading = std::chrono::seconds(5); // for which fork() waits
constexpr auto longest_wait = std::chrono::seconds(5); // of exit()
constexpr auto longest_wait_for_software = std::chrono::seconds(40);
constexpr auto longest_handlers = std::chrono::seconds(5); // of a driver whose device hangs, after that wait

// Outlives every static of the program, and cannot fail for lack of memory.
template <typename T>
T &immortal() {
    alignas(T) static std::byte memory[sizeof(T)];
    static T *const object = new (memory) T;
    return *object;
}

std::shared_timed_mutex &callbacks() {
    return immortal<std::shared_timed_mutex>();
}
thread_local int callback_depth = 0;
thread_local bool callbacks_stopped = false;

// ---- exit() --------------------------------------------------------------------------------

void wait_at_end();
void be_called_at_exit(int status);
void limit_exit(int status, void *);

struct GivenUp {
    std::function<bool()> is_idle;
    bool is_software;
};

// In a thread, because what a driver or a layer has for this one may have been destroyed already.
void wait_for_idle(const std::vector<GivenUp> &devices, Clock::time_point until) noexcept {
    SignalsBlocked blocked;
    try {
        std::thread([&] {
            for (const GivenUp &device : devices) {
                const auto end = device.is_software ? until + longest_wait_for_software : until;
                while (!device.is_idle() && Clock::now() < end)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }).join();
    } catch (const std::exception &) { // no thread, or no memory for one
    }
}

class Threads {
  public:
    void begin() {
        std::lock_guard lock(mutex_);
        busy_++;
    }

    void end() {
        std::lock_guard lock(mutex_);
        if (!--busy_) changed_.notify_all();
    }

    void begin_loading() {
        std::lock_guard lock(mutex_);
        loading_++;
        loading_here++;
        at_exit_.come_first();
    }

    void end_loading() {
        std::lock_guard lock(mutex_);
        at_exit_.come_first();
        loading_here--;
        if (!--loading_) changed_.notify_all();
    }

    // exit() and atexit() have a lock. If another thread held it at the fork, the child could never end: so none of
    // ours does, and no driver is being loaded, which registers handlers. The child's mutex_ stays locked.
    void stop_for_fork() {
        std::unique_lock lock(mutex_);
        if (!loading_here) changed_.wait_for(lock, longest_loading, [this] { return loading_ == 0; });
        at_exit_.come_first();
        lock.release();
    }

    void go_on_after_fork() { mutex_.unlock(); }

    void come_first() {
        std::lock_guard lock(mutex_);
        at_exit_.come_first();
    }

    void wait_at_end() {
        std::unique_lock lock(mutex_);
        // Not for ever: it may be one of them that ends the process, from a log function.
        if (!process_ends.exchange(true)) until_ = Clock::now() + longest_wait;
        changed_.wait_until(lock, until_, [this] { return busy_ == 0; });
        const auto devices = std::exchange(given_up_, {});
        const auto until = until_;
        lock.unlock();
        if (!devices.empty()) wait_for_idle(devices, until);
    }

    void give_up(GivenUp device) {
        std::lock_guard lock(mutex_);
        // It cannot be taken back, but the library stays loaded (meson.build).
        if (!limited_) limited_ = !on_exit(limit_exit, nullptr);
        given_up_.push_back(std::move(device));
    }

    std::atomic<bool> process_ends = false;

  private:
    static inline thread_local unsigned loading_here = 0;

    std::mutex mutex_;
    std::condition_variable changed_;
    FirstAtExit at_exit_{be_called_at_exit}; // needs mutex_
    unsigned busy_ = 0, loading_ = 0;
    bool limited_ = false;
    Clock::time_point until_;              // when the process has waited long enough
    std::vector<GivenUp> given_up_;
};

Threads &threads() {
    return immortal<Threads>();
}

void wait_at_end() {
    if (!forked()) threads().wait_at_end();
}

// A child calls the handlers that it has registered itself, which come before this one, and none of those behind it.
void be_called_at_exit(int status) {
    wait_at_end();
    if (!forked()) return;
    std::fflush(nullptr);
    _exit(status);
}

thread_local bool stopped_for_fork = false;

void before_fork() {
    if (forked() || !has_used_device()) return;
    stopped_for_fork = true;
    callbacks_stopped = !callback_depth && callbacks().try_lock_for(longest_callback);
    threads().stop_for_fork();
}

void be_child() {
    if (detail::threads_inside || has_used_device()) detail::is_forked = true;
}

void after_fork() {
    if (!std::exchange(stopped_for_fork, false)) return;
    threads().go_on_after_fork();
    if (callbacks_stopped) callbacks().unlock();
    callbacks_stopped = false;
}

// What the program has written is not lost, and its own handlers have had time.
void limit_exit(int status, void *) {
    if (forked()) return;
    SignalsBlocked blocked;
    try {
        std::thread([status] {
            std::this_thread::sleep_for(longest_handlers);
            std::fflush(nullptr);
            _exit(status);
        }).detach();
    } catch (const std::exception &) { // no thread: it takes as long as the driver wants
    }
}

// exit() destroys what is local to its thread before it calls any handler. The main thread, which
// is the one that usually calls exit(), waits there, and from then on no device is used. Handlers of
// ours are not enough: while exit() calls those of a program, another thread may load a driver, whose
// handlers come next. (A main thread that ends without its process takes the device from the others.)
class MainThread {
  public:
    ~MainThread() {
        if (is_main()) wait_at_end();
    }
    void exist() {}

    static inline pthread_t loaded_by{}; // if that is the main thread

  private:
    // A sandbox may forbid system calls that the program does not make itself. So they are made when
    // the library is loaded, and otherwise only after a device has been used.
    static bool is_main() {
        return pthread_equal(loaded_by, pthread_self()) ||
               (has_used_device() && getpid() == gettid());
    }
};
thread_local MainThread main_thread;

bool watches_forks = false;

[[gnu::constructor]] void be_loaded() {
    watches_forks = !pthread_atfork(before_fork, after_fork, be_child);
    if (getpid() != gettid()) return;
    MainThread::loaded_by = pthread_self();
    main_thread.exist();
}

} // namespace

void uses_device() {
    if (has_used_device()) return;
    if (!watches_forks) throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "no memory for a handler of fork()");
    // exit() may be called before the thread that opens the device has begun to load the driver.
    threads().come_first();
    detail::has_used_device = true;
}

Callback::Callback() {
    if (!callback_depth++) callbacks().lock_shared();
}

Callback::~Callback() {
    if (!--callback_depth) callbacks().unlock_shared();
}

bool Callback::inside() {
    return callback_depth > 0;
}

void begin_work() noexcept {
    threads().begin();
}

void end_work() noexcept {
    threads().end();
}

Unforked::Unforked() {
    threads().begin_loading();
}

Unforked::~Unforked() {
    threads().end_loading();
}

Loading::Loading() {
    SignalsBlocked blocked;
    try {
        ticker_ = std::thread([this] {
            for (; !done_; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
                threads().come_first();
        });
    } catch (const std::exception &) { // no thread, or no memory for one
    }
}

Loading::~Loading() {
    done_ = true;
    if (ticker_.joinable()) ticker_.join();
}

void come_first() {
    threads().come_first();
}

void watch_main_thread() {
    main_thread.exist();
}

void device_hangs(std::function<bool()> is_idle, bool is_software) noexcept {
    try {
        threads().give_up({std::move(is_idle), is_software});
    } catch (const std::exception &) { // no memory: it is not waited for
    }
}

SignalsBlocked::SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool ends() {
    return threads().process_ends;
}

} // namespace v3doff::process
