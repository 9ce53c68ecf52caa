// SPDX-License-Identifier: BSD-2-Clause
// A child process without exec, as a program that forks has it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>

namespace fuzz {

class Child {
  public:
    enum Status : int { well = 0, other_frames = 41 };

    // The child ends with the status that work returns, by exit() or by _exit().
    Child(const std::function<Status()> &work, bool by_exit);
    ~Child() { wait(); }
    Child(const Child &) = delete;
    Child &operator=(const Child &) = delete;

    // Waits for its end, which has a time limit. Returns what was wrong with it.
    std::optional<std::string> wait();
    // The same for a fork beside other threads: the address sanitizer's allocator does not survive
    // it while one of them uses it, so that the child may then hang.
    std::optional<std::string> wait_beside_threads();
    bool differs() const { return differs_; } // decoded other frames, and nothing else was wrong

  private:
    std::optional<std::string> judge(int status);

    int said_; // what it writes to stderr
    pid_t process_;
    bool hung_ = false, differs_ = false;
};

} // namespace fuzz
