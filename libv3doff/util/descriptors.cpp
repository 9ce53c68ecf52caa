// SPDX-License-Identifier: BSD-2-Clause
#include "util/descriptors.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace v3doff::descriptors {
namespace {

constexpr int fewest_free = 32;

int ask_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return INT_MAX;
    return int(std::min<rlim_t>(limit.rlim_cur, INT_MAX));
}

int ask_filter() {
    return prctl(PR_GET_SECCOMP);
}

// When this library was loaded.
const int first_limit = ask_limit(), first_filter = ask_filter();

// Descriptors have numbers below this one. A sandbox that began after libraries were loaded, as a browser's
// does, may end the process for asking.
int soft_limit() {
    return ask_filter() == first_filter ? ask_limit() : first_limit;
}

} // namespace

// Counts from the top, where nearly all numbers are free. Only EBADF means that one is: a sandbox
// may refuse the call.
bool are_scarce() {
    int free = 0;
    for (int number = soft_limit(); number-- > 0 && free < fewest_free;)
        free += fcntl(number, F_GETFD) < 0 && errno == EBADF;
    return free < fewest_free;
}

bool is_high(int descriptor) {
    return descriptor >= soft_limit() / 2;
}

} // namespace v3doff::descriptors
