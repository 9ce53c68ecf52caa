// SPDX-License-Identifier: BSD-2-Clause
#include "child.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace fuzz {
namespace {

bool is_child;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 // as g++ has it
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;
constexpr unsigned work_limit = 60, end_limit = 20; // seconds
#else
constexpr bool sanitized = false;
constexpr unsigned work_limit = 15, end_limit = 4;
#endif

[[noreturn]] void be_child(const std::function<Child::Status()> &work, bool by_exit) {
    is_child = true;
    alarm(work_limit); // its default action ends a process that hangs
    const Child::Status status = work();
    alarm(end_limit);
    if (by_exit) std::exit(status);
    _exit(status);
}

} // namespace

Child::Child(const std::function<Status()> &work, bool by_exit) {
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) std::abort();
    if (!process_) be_child(work, by_exit);
}

std::optional<std::string> Child::wait() {
    if (!process_) return std::nullopt;
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    if (!status) return std::nullopt;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        hung_ = true;
        return "a child process does not end";
    }
    if (WIFSIGNALED(status))
        return "a child process crashes: " + std::string(strsignal(WTERMSIG(status)));
    differs_ = WEXITSTATUS(status) == other_frames;
    if (differs_) return std::nullopt;
    return "a child process ends with status " + std::to_string(WEXITSTATUS(status));
}

std::optional<std::string> Child::wait_beside_threads() {
    auto wrong = wait();
    return sanitized && hung_ ? std::nullopt : wrong;
}

} // namespace fuzz

// Asked by the leak sanitizer at the end of a process: what other threads had is not found in a
// child, nor where a process ends in the middle of its work.
extern "C" int __lsan_is_turned_off() {
    return fuzz::is_child;
}
