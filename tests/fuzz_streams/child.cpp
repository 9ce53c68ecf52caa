// SPDX-License-Identifier: BSD-2-Clause
#include "child.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
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
constexpr unsigned work_limit = 60; // seconds
#else
constexpr bool sanitized = false;
constexpr unsigned work_limit = 30;
#endif
// With a device that hangs, exit() takes up to ten seconds. The work may end with it, too.
constexpr unsigned end_limit = 20;

[[noreturn]] void be_child(const std::function<Child::Status()> &work, bool by_exit, int said) {
    is_child = true;
    if (said >= 0) dup2(said, STDERR_FILENO);
    alarm(work_limit); // its default action ends a process that hangs
    const Child::Status status = work();
    alarm(end_limit);
    if (by_exit) std::exit(status);
    _exit(status);
}

std::string contents(int file) {
    std::string text;
    char part[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t bytes; (bytes = read(file, part, sizeof part)) > 0;)
        text.append(part, size_t(bytes));
    return text;
}

// The first lines of a sanitizer's report, without the process's number.
std::string reported(const std::string &said) {
    for (const char *kind : {"ERROR: ", "runtime error: "}) {
        const size_t at = said.find(kind);
        if (at != said.npos)
            return ", " + said.substr(at, 1600);
    }
    return "";
}

} // namespace

Child::Child(const std::function<Status()> &work, bool by_exit)
    : said_(memfd_create("child", MFD_CLOEXEC)) {
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0) std::abort();
    if (!process_) be_child(work, by_exit, said_);
}

std::optional<std::string> Child::wait() {
    if (!process_) return std::nullopt;
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    const std::string said = contents(said_);
    close(said_);
    std::fwrite(said.data(), 1, said.size(), stderr);
    auto wrong = judge(status);
    if (wrong) *wrong += reported(said);
    return wrong;
}

std::optional<std::string> Child::judge(int status) {
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
