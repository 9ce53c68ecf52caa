// SPDX-License-Identifier: BSD-2-Clause
#include "policy/measure.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

#include "util/background_work.hpp"
#include "policy/recipe_store.hpp"
#include "policy/tune.hpp"
#include "util/log.hpp"

namespace v3doff {
namespace {

// The families with the most gain for the time come first, so that a short budget gives an answer
// for each codec. To measure the reconstruction takes several times as long as a filter.
constexpr v3doff_family most_wanted_first[] = {V3DOFF_FAMILY_VP9_LOOPFILTER,
                                               V3DOFF_FAMILY_H264_DEBLOCK,
                                               V3DOFF_FAMILY_VP9_RECONSTRUCTION,
                                               V3DOFF_FAMILY_H264_RECONSTRUCTION,
                                               V3DOFF_FAMILY_VP9_INTRA,
                                               V3DOFF_FAMILY_H264_INTRA,
                                               V3DOFF_FAMILY_VP9_ITX,
                                               V3DOFF_FAMILY_H264_IDCT};

// False: the device cannot be used any more.
bool run_one(const Measuring &order, const TuneLimits &limits, const Trial &trial, Recipe &recipe) {
    RecipeEntry entry;
    const char *family = family_of(trial.family).name, *size = size_classes[trial.size].name;
    switch (run_trial(order.device, order.memory, trial, limits, entry)) {
    case TrialResult::measured:
        decide(entry);
        recipe.put(entry);
        LOG_INFO("recipe: %s at %s on the %s: %s", family, size, verdict_name(entry.verdict),
                 entry.reason.c_str());
        return true;
    case TrialResult::out_of_time:
        LOG_INFO("recipe: no time left to measure %s at %s", family, size);
        return true;
    case TrialResult::not_on_device:
        LOG_WARNING("recipe: the device refused %s at %s", family, size);
        return !order.device->bad();
    case TrialResult::wrong_bits:
        order.device->mark_bad((std::string("self-test: ") + family + " gives other bits").c_str());
        return false;
    }
    return false;
}

bool run_all(const Measuring &order, const TuneLimits &limits, Recipe &recipe) {
    const Functions simd = order.simd.pointers();
    for (unsigned size = order.first_size; size < order.end_size; size++)
        for (const v3doff_family family : most_wanted_first) {
            // Making a large picture's work takes time, too.
            if (limits.over()) return true;
            const auto trial = family_of(family).trial(size, simd);
            if (trial && !run_one(order, limits, *trial, recipe)) return false;
        }
    return true;
}

// One measurement in the background.
struct Running {
    Measuring order;
    std::vector<std::string> names; // of the device with each codec
    Permission permission;
};

// Never destroyed: threads may be running when the process ends.
struct Background {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::shared_ptr<Running>> running;
    std::set<std::string> begun; // names
};
Background &background_measuring() {
    static auto *instance = new Background;
    return *instance;
}

void measure(const Measuring &order, Permission &permission) {
    // One at a time: two would slow each other down, and overwrite each other's results.
    static std::mutex one_at_a_time;
    std::lock_guard lock(one_at_a_time);
    const TuneLimits limits{steady_ns() + order.budget_ns, permission, order.whole_process};
    Recipe recipe = load_recipe(recipe_key(*order.device));
    if (run_all(order, limits, recipe) && !recipe.entries.empty()) save_recipe(recipe);
}

void measure_in_background(const std::shared_ptr<Running> &running) noexcept {
    try {
        measure(running->order, running->permission);
    } catch (const std::exception &problem) {
        LOG_ERROR("recipe: %s", problem.what());
    }
    Background &all = background_measuring();
    std::lock_guard lock(all.mutex);
    if (running->permission.withdrawn()) // it was not completed, so it may begin again
        for (const std::string &name : running->names)
            all.begun.erase(name);
    std::erase(all.running, running);
    all.changed.notify_all();
}

} // namespace

Functions OwnFunctions::pointers() const {
    Functions all;
    if (vp9) all.vp9 = &*vp9;
    if (vp9_intra) all.vp9_intra = vp9_intra->of;
    if (h264) all.h264 = &*h264;
    if (h264_predictors) all.h264_predictors = &*h264_predictors;
    return all;
}

void measure(const Measuring &order) {
    Permission permission;
    measure(order, permission);
}

void begin_measuring(Measuring order) {
    order.whole_process = false;
    auto running = std::make_shared<Running>();
    Background &all = background_measuring();
    std::lock_guard lock(all.mutex);
    const RecipeKey key = recipe_key(*order.device);
    if (!can_save_recipe(key)) {
        LOG_INFO("recipe: nothing is measured, because the result could not be stored");
        return;
    }
    const auto begins = [&](const char *codec) {
        const std::string &name = running->names.emplace_back(key.device_uuid + codec);
        if (all.begun.insert(name).second) return true;
        running->names.pop_back();
        return false;
    };
    if (order.simd.vp9 && !begins(" vp9")) order.simd.vp9.reset();
    if (order.simd.h264 && !begins(" h264")) order.simd.h264.reset();
    if (running->names.empty()) return;
    running->order = std::move(order);
    all.running.push_back(running);
    try {
        background::run("v3doff-tune", [running] { measure_in_background(running); });
    } catch (...) {
        all.running.pop_back();
        throw;
    }
}

void end_measuring(uint64_t timeout_ns) {
    Background &all = background_measuring();
    std::unique_lock lock(all.mutex);
    const auto done = [&] { return all.running.empty(); };
    // A timeout that would overflow the clock means for ever.
    if (timeout_ns > uint64_t(INT64_MAX) / 4)
        all.changed.wait(lock, done);
    else
        all.changed.wait_for(lock, std::chrono::nanoseconds(timeout_ns), done);
    for (const auto &running : all.running)
        running->permission.withdraw();
}

} // namespace v3doff
