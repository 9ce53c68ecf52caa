// SPDX-License-Identifier: BSD-2-Clause
// One numbered trial: a mutated stream and its settings, decoded without and with libv3doff.
#pragma once

#include <string>
#include <vector>

#include "decode.hpp"

namespace fuzz {

// Everything follows from the seed, the trial's number and the sources.
struct Plan {
    uint64_t seed = 1;
    unsigned batch_size = 16; // trials of one process
    std::vector<Stream> sources;
    Stream given; // instead of a mutated one, if it has units

    uint64_t batch_of(uint64_t number) const { return number / batch_size; }
    Environment environment(uint64_t number) const;
    Settings settings(uint64_t number) const;
    Stream stream(uint64_t number) const;
};

enum class Phase : int { none, off, on, again };

// In memory that a batch's process shares with the one that started it.
struct Progress {
    uint64_t number; // of the trial under way
    Phase phase;
    uint64_t trials, decodes, frames;
    Pictures pictures;
    uint64_t unsteady; // without libv3doff it is not the same every time, so nothing is compared
    struct Failure {
        uint64_t number;
        char text[2000];
    } failures[32];
    unsigned failed;
};

// One trial, in this process; only_off: without libv3doff.
void run_trial(const Plan &plan, uint64_t number, Progress &progress, bool only_off);

// The process of a trial that ends early, which begins in one that has not decoded anything: the
// child of a process with a device would have none.
void run_early_exit(const Plan &plan, uint64_t number, Progress &progress, bool only_off);

} // namespace fuzz
