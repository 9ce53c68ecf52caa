// SPDX-License-Identifier: BSD-2-Clause
#include "policy/measure.hpp"

#include <mutex>
#include <set>
#include <thread>

#include "policy/background_work.hpp"
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
        order.device->mark_bad(std::string("self-test: ") + family + " gives other bits");
        return false;
    }
    return false;
}

bool run_all(const Measuring &order, const TuneLimits &limits, Recipe &recipe) {
    const Functions simd = order.simd.pointers();
    for (unsigned size = order.first_size; size < order.end_size; size++)
        for (const v3doff_family family : most_wanted_first) {
            // Making a large picture's work takes time, too.
            if (steady_ns() > limits.end_ns || BackgroundWork::process_ends()) return true;
            const auto trial = family_of(family).trial(size, simd);
            if (trial && !run_one(order, limits, *trial, recipe)) return false;
        }
    return true;
}

// Threads in the background. Never destroyed: see v3doff_tune_wait.
struct Background {
    std::mutex mutex;
    std::vector<std::thread> threads;
    std::set<std::string> begun; // devices, with a codec
};
Background &background() {
    static auto *instance = new Background;
    return *instance;
}

void measure_in_background(const Measuring &order) noexcept {
    try {
        BackgroundWork busy;
        measure(order);
    } catch (const std::exception &problem) {
        LOG_ERROR("recipe: %s", problem.what());
    }
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
    // One at a time: two would slow each other down, and overwrite each other's results.
    static std::mutex one_at_a_time;
    std::lock_guard lock(one_at_a_time);
    const TuneLimits limits{steady_ns() + order.budget_ns, order.whole_process};
    Recipe recipe = load_recipe(recipe_key(*order.device));
    if (run_all(order, limits, recipe) && !recipe.entries.empty()) save_recipe(recipe);
}

void begin_measuring(Measuring order) {
    order.whole_process = false;
    Background &all = background();
    std::lock_guard lock(all.mutex);
    const std::string device = recipe_key(*order.device).device_uuid;
    if (order.simd.vp9 && !all.begun.insert(device + " vp9").second) order.simd.vp9.reset();
    if (order.simd.h264 && !all.begun.insert(device + " h264").second) order.simd.h264.reset();
    if (!order.simd.vp9 && !order.simd.h264) return;
    all.threads.emplace_back([order = std::move(order)] { measure_in_background(order); });
}

void wait_for_measuring() {
    std::vector<std::thread> threads;
    {
        std::lock_guard lock(background().mutex);
        threads.swap(background().threads);
    }
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace v3doff
