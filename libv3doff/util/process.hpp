// SPDX-License-Identifier: BSD-2-Clause
// The process that the library is a guest of: it may fork, and it may end at any time.
//
// A forked child has its parent's memory, but not the threads that work on it, and it shares the
// parent's devices. So a child of a process that has used a device, or is in the library, leaves everything of the library
// alone: it calls no driver, waits for nothing, locks no mutex and destroys nothing. A mutex may be
// locked for ever, because the thread that held it is the parent's. Drivers do not leave their own
// things alone when such a child ends: some destroy what their parent still uses, join threads that
// are not theirs, or crash. So exit() in the child leaves out the handlers that were registered
// before the fork. A driver that is being loaded or unloaded holds locks that the child needs to end: fork() waits for
// that, for five seconds at most.
//
// At exit() parts of the driver end in handlers of their own, and other threads must not be in the
// driver then. So a handler that is called before those waits for such threads, and none enters the
// driver afterwards.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace v3doff::process {

// Before the process uses a device or a thread of ours for the first time. All children that are forked later are
// marked. Throws OUT_OF_MEMORY if that is not possible.
void uses_device();

namespace detail {
extern std::atomic<bool> is_forked, has_used_device;
extern std::atomic<unsigned> threads_inside;
}
// Whether it has. Before that, the library makes no system calls that the program would not make
// without it: a sandbox may end a program for one.
inline bool has_used_device() {
    return detail::has_used_device.load(std::memory_order_relaxed);
}
// Whether this is such a child. May be called anywhere, also in signal handlers.
inline bool forked() {
    return detail::is_forked.load(std::memory_order_relaxed);
}

// What the classes below are.
class Uncopied {
  public:
    Uncopied() = default;
    Uncopied(const Uncopied &) = delete;
    Uncopied &operator=(const Uncopied &) = delete;
};

// While this exists, a thread is in the library, where it may hold a mutex. A child that is forked meanwhile is marked,
// too.
class Inside : Uncopied {
  public:
    Inside() noexcept { detail::threads_inside++; }
    ~Inside() { detail::threads_inside--; }
};

// While this exists, a thread is in a callback of the program or of the decoder. A fork waits for
// it, but not for long: the child could never lock the mutexes that a callback holds.
class Callback : Uncopied {
  public:
    Callback();
    ~Callback();

    static bool inside(); // whether this thread is in one
};

// exit() waits until every begin_work() has its end_work(), for five seconds at most.
void begin_work() noexcept;
void end_work() noexcept;

class Work : Uncopied {
  public:
    Work() noexcept { begin_work(); }
    ~Work() { end_work(); }
};

// While this exists, the thread loads or unloads a driver, and fork() waits.
class Unforked : Uncopied {
  public:
    Unforked();
    ~Unforked();
};

// While this exists, the thread loads a driver, which registers handlers with exit(). These are
// called before ours, because exit() calls first what was registered last. So ours is registered
// again and again until the driver is loaded.
class Loading {
  public:
    Loading();
    ~Loading();

  private:
    Unforked unforked_;
    std::atomic<bool> done_{false};
    std::thread ticker_;
};

// Called after work that may have made the driver register more handlers, such as a first shader.
void come_first();

// Called on a thread that opens a decoder, which may be the main thread of a program that has loaded
// the library on another one. When the main thread calls exit(), all waiting is done before any handler.
void watch_main_thread();

// A device is given up, because a submit does not end. It may only be slow: the driver's own threads
// are at work then, and must have ended before its handlers are called. So exit() waits, within its five
// seconds, until is_idle() says that the device has done everything. If it really hangs, a
// handler of the driver may wait for it for ever. So after that exit() takes five seconds more at most, and
// then ends the process without the handlers that are left. A software device does not hang: it compiles in
// threads of this process, on cores that may be busy, and exit() waits for it up to 40 seconds longer.
void device_hangs(std::function<bool()> is_idle, bool is_software) noexcept;

// While this exists, a thread that is started blocks all signals: they are the program's.
class SignalsBlocked : Uncopied {
  public:
    SignalsBlocked();
    ~SignalsBlocked();

  private:
    sigset_t before_;
};

// The process ends: nothing enters the driver, and what takes long is skipped.
bool ends();

} // namespace v3doff::process
