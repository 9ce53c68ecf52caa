// SPDX-License-Identifier: BSD-2-Clause
#include "trial.hpp"

#include <cstdio>

#include "child.hpp"
#include "decoder.hpp"
#include "mutate.hpp"

namespace fuzz {
namespace {

// A decode without libv3doff that differs from the first one, of so many.
bool unsteady(const Stream &stream, const Settings &settings, const Decoded &first, int times,
              Progress &progress) {
    for (int i = 0; i < times; i++) {
        Decoded again = decode(stream, settings, false);
        progress.decodes++;
        if (difference(first, again, false)) return true;
    }
    return false;
}

std::optional<std::string> difference_of_either(const Decoded &without, const Decoded &with,
                                                bool delay) {
    auto wrong = difference(without, with, delay);
    if (!wrong && with.child_differs) wrong = "a child process decodes other frames";
    return wrong;
}

void fail(Progress &progress, const std::string &text) {
    if (progress.failed == std::size(progress.failures)) return;
    Progress::Failure &failure = progress.failures[progress.failed++];
    failure.number = progress.number;
    std::snprintf(failure.text, sizeof failure.text, "%s", text.c_str());
}

} // namespace

Environment Plan::environment(uint64_t number) const {
    Random random(seed, 'e', batch_of(number));
    return pick_environment(random);
}

Settings Plan::settings(uint64_t number) const {
    Random random(seed, 's', number);
    return pick_settings(random, environment(number), delay_can_be_chosen());
}

Stream Plan::stream(uint64_t number) const {
    if (!given.units.empty()) return given;
    Random random(seed, 'm', number);
    return mutate(random, sources);
}

void run_trial(const Plan &plan, uint64_t number, Progress &progress, bool only_off) {
    const Stream stream = plan.stream(number);
    const Settings settings = plan.settings(number);
    progress.number = number;
    progress.phase = Phase::off;
    const Decoded without = decode(stream, settings, false);
    progress.trials++;
    progress.decodes++;
    progress.frames += without.frames.size();
    if (!only_off) progress.phase = Phase::on;
    const Decoded with = decode(stream, settings, !only_off, &without);
    progress.decodes++;
    if (with.child) return fail(progress, *with.child);
    if (only_off) return;
    progress.phase = Phase::again;
    auto wrong = difference_of_either(without, with, settings.delays());
    if (!wrong) return;
    const bool frame_threads = settings.frame_threads();
    if (unsteady(stream, settings, without, frame_threads ? 12 : 4, progress)) {
        progress.unsteady++;
        return;
    }
    int times = 0;
    for (int i = 0; i < 4; i++)
        times += difference_of_either(without, decode(stream, settings, true, &without),
                                      settings.delays())
                     .has_value();
    progress.decodes += 4;
    // What happens now and then only may be FFmpeg's, and rare. With frame threads libv3doff can
    // make the rare case the usual one, because it changes which thread is first.
    if ((times < 4 || frame_threads) && unsteady(stream, settings, without, 60, progress)) {
        progress.unsteady++;
        return;
    }
    fail(progress, *wrong + ", and in " + std::to_string(times) + " of 4 further decodes");
}

void run_early_exit(const Plan &plan, uint64_t number, Progress &progress, bool only_off) {
    const Settings settings = plan.settings(number);
    if (!settings.exit_after) return;
    const Stream stream = plan.stream(number);
    progress.number = number;
    Child child([&]() -> Child::Status { decode_and_exit(stream, settings, !only_off); }, true);
    progress.decodes++;
    if (auto wrong = child.wait()) fail(progress, *wrong + " (exit() in mid-stream)");
}

} // namespace fuzz
