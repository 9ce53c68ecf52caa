// SPDX-License-Identifier: BSD-2-Clause
#include "util/background_work.hpp"

#include <pthread.h>

#include <string>
#include <system_error>
#include <thread>

#include "util/error.hpp"
#include "util/process.hpp"

namespace v3doff::background {

void run(const char *name, std::function<void()> work) {
    process::uses_device(); // a child that is forked would wait for the thread's mutexes
    process::begin_work();
    process::SignalsBlocked blocked;
    try {
        std::thread([name, work = std::move(work)]() mutable {
            pthread_setname_np(pthread_self(), name);
            work();
            work = nullptr;
            process::end_work();
        }).detach();
    } catch (const std::system_error &problem) {
        process::end_work();
        throw Error(V3DOFF_ERROR_OUT_OF_MEMORY,
                    std::string("a thread cannot be started: ") + problem.what());
    } catch (...) {
        process::end_work();
        throw;
    }
}

} // namespace v3doff::background
