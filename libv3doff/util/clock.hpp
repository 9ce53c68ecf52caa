// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <ctime>

namespace v3doff {

inline uint64_t clock_ns(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return uint64_t(time.tv_sec) * 1000000000u + uint64_t(time.tv_nsec);
}

inline uint64_t steady_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}
// CPU time of the calling thread, and of all threads.
inline uint64_t thread_cpu_ns() {
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}
inline uint64_t process_cpu_ns() {
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

} // namespace v3doff
