// SPDX-License-Identifier: BSD-2-Clause
#include "util/descriptors.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/resource.h>

namespace v3doff::descriptors {
namespace {

constexpr int fewest_free = 32;

// Descriptors have numbers below this one.
int soft_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return INT_MAX;
    return int(std::min<rlim_t>(limit.rlim_cur, INT_MAX));
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
