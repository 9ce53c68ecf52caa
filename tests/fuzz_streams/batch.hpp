// SPDX-License-Identifier: BSD-2-Clause
// Batches of trials, each in a process of its own, several at once.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <sys/types.h>

#include "trial.hpp"

namespace fuzz {

struct Options {
    unsigned jobs = 1;
    uint64_t first = 0;       // trial
    uint64_t trials = 0;      // 0: until the time is over
    unsigned seconds = 0;     // 0: no end
    unsigned time_limit = 60; // of a trial, in seconds
    std::string keep = "fuzz-found", scratch;
    bool wrong = false;         // dispatches do nothing, which must be noticed
    std::string command;        // that repeats a trial, but for its number
    uint64_t from = UINT64_MAX; // repeats this one and those up to the other first
};

struct Totals {
    uint64_t trials = 0, decodes = 0, frames = 0, unsteady = 0;
    Pictures pictures;
    uint64_t of_ffmpeg = 0; // crashes without libv3doff
    std::set<uint64_t> failed;
};

class Batches {
  public:
    Batches(const Plan &plan, const Options &options) : plan_(plan), options_(options) {}
    Totals run();
    // One trial, or those before it, too; the log goes to standard error.
    Totals repeat(uint64_t number);

  private:
    struct Child {
        Progress *progress = nullptr;
        uint64_t first = 0, end = 0;
        std::string log;
    };
    enum class Look { whole, off, leaks };

    pid_t start(Child &child, Look look);
    [[noreturn]] void work(const Child &child, Look look);
    void set_environment(uint64_t number);
    bool next_batch(Child &child); // false: there is none
    // Counts what it did and reports what it found.
    void finish(Child &child, int status);
    void attribute(const Child &child, int status);
    int run_alone(Child &child, Look look);
    void report(uint64_t number, uint64_t batch_begin, const std::string &what,
                const std::string &log, bool alone);
    bool fails_alone(uint64_t number, Look look);
    bool time_is_over() const;

    const Plan &plan_;
    const Options &options_;
    Totals totals_;
    std::map<pid_t, Child> children_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    unsigned started_ = 0;
    uint64_t next_ = 0;
    std::vector<Child> broken_off_;
};

} // namespace fuzz
