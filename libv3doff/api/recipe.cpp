// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/recipe.h"

#include <mutex>
#include <set>
#include <thread>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "h264/trial.hpp"
#include "policy/background_work.hpp"
#include "policy/families.hpp"
#include "policy/recipe_store.hpp"
#include "policy/tune.hpp"
#include "util/env.hpp"
#include "vk/device.hpp"
#include "vp9/trial.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr uint32_t default_budget_ms = 1000;

std::shared_ptr<vk::Device> vulkan_of(const std::shared_ptr<const DeviceObject> &owner) {
    if (!owner->vulkan) throw Error(V3DOFF_ERROR_UNSUPPORTED, "device: it is the CPU");
    return owner->vulkan;
}

void answer_with(v3doff_recipe_answer &answer, Verdict verdict, const std::string &reason) {
    answer.choice = verdict == Verdict::gpu   ? V3DOFF_CHOICE_GPU
                    : verdict == Verdict::cpu ? V3DOFF_CHOICE_CPU
                                              : V3DOFF_CHOICE_UNKNOWN;
    std::snprintf(answer.reason, sizeof answer.reason, "%s", reason.c_str());
}

v3doff_recipe_answer answer_for(const vk::Device &device, v3doff_family family, unsigned size) {
    v3doff_recipe_answer answer{};
    if (auto forced = env::text("V3DOFF_RECIPE");
        forced && (*forced == "gpu" || *forced == "cpu")) {
        answer.overridden = 1;
        answer_with(answer, *forced == "gpu" ? Verdict::gpu : Verdict::cpu,
                    "V3DOFF_RECIPE=" + *forced);
        return answer;
    }
    const Recipe recipe = load_recipe(recipe_key(device));
    const RecipeEntry *entry = recipe.find(family, size);
    if (!entry) {
        answer_with(answer, Verdict::unknown, "not measured yet");
        return answer;
    }
    answer.simd_us = entry->timing.simd_us;
    answer.offload_us = entry->timing.offload_us;
    answer.device_us = entry->timing.device_us;
    answer.overridden = entry->override_with != Verdict::unknown;
    if (answer.overridden)
        answer_with(answer, entry->override_with, "the recipe's file says so");
    else
        answer_with(answer, entry->verdict, entry->reason);
    return answer;
}

bool complete(const v3doff_vp9dsp &table) {
    bool all = table.loop_filter_8[0][0] && table.loop_filter_8[0][1] &&
               table.loop_filter_8[1][0] && table.loop_filter_8[1][1] &&
               table.loop_filter_8[2][0] && table.loop_filter_8[2][1];
    for (auto &pair : table.loop_filter_mix2)
        for (auto &functions : pair)
            all = all && functions[0] && functions[1];
    return all && table.loop_filter_16[0] && table.loop_filter_16[1] && table.itxfm_add[0][0] &&
           table.itxfm_add[1][0];
}

bool complete(const v3doff_h264dsp &table) {
    return table.h264_v_loop_filter_luma && table.h264_h_loop_filter_luma &&
           table.h264_v_loop_filter_luma_intra && table.h264_h_loop_filter_luma_intra &&
           table.h264_v_loop_filter_chroma && table.h264_h_loop_filter_chroma &&
           table.h264_v_loop_filter_chroma_intra && table.h264_h_loop_filter_chroma_intra &&
           table.h264_idct_add16 && table.h264_idct8_add4 && table.h264_idct_add8;
}

struct Order {
    std::shared_ptr<vk::Device> device;
    v3doff_memory_path memory;
    std::optional<v3doff_vp9dsp> vp9;
    std::optional<v3doff_h264dsp> h264;
    unsigned first_size = 0, end_size = std::size(size_classes);
    uint64_t budget_ns = 0;
    bool whole_process = true;
};

Order read_order(v3doff_device *device, const v3doff_tune_info *from) {
    v3doff_tune_info info = read_struct(from, "info");
    auto owner = resolve(device, "device");
    Order order;
    order.device = vulkan_of(owner);
    order.memory = owner->memory;
    if (info.vp9) {
        order.vp9 = read_struct(info.vp9, "info->vp9");
        if (!complete(*order.vp9)) refuse("info->vp9: functions are missing");
    }
    if (info.h264) {
        order.h264 = read_struct(info.h264, "info->h264");
        if (!complete(*order.h264)) refuse("info->h264: functions are missing");
    }
    if (!order.vp9 && !order.h264) refuse("info: no functions to compare with");
    if (!info.width != !info.height) refuse("info->width, height: one of them is 0");
    if (info.width) {
        order.first_size = size_class_of(info.width, info.height);
        order.end_size = order.first_size + 1;
    }
    order.budget_ns = uint64_t(info.budget_ms ? info.budget_ms : default_budget_ms) * 1000000;
    return order;
}

// False: the device cannot be used any more.
bool run_one(const Order &order, const TuneLimits &limits, const Trial &trial, Recipe &recipe) {
    RecipeEntry entry;
    const char *family = family_names[size_t(trial.family)], *size = size_classes[trial.size].name;
    switch (run_trial(order.device, order.memory, trial, limits, entry)) {
    case TrialResult::measured:
        decide(entry);
        recipe.put(entry);
        LOG_INFO("recipe: %s at %s on the %s: %s", family, size, verdict_name(entry.verdict),
                 entry.reason.c_str());
        return true;
    case TrialResult::out_of_time:
        LOG_INFO("recipe: no time left for %s at %s", family, size);
        return true;
    case TrialResult::not_on_device:
        LOG_WARNING("recipe: the device did not do %s at %s", family, size);
        return !order.device->bad();
    case TrialResult::wrong_bits:
        order.device->mark_bad(std::string("self-test: ") + family + " gives other bits");
        return false;
    }
    return false;
}

// The families in turn, the one that has most to gain first, so that little time still gives each
// its most wanted answer.
bool run_all(const Order &order, const TuneLimits &limits, Recipe &recipe) {
    for (unsigned size = order.first_size; size < order.end_size; size++) {
        // Making a large picture's work takes time, too.
        const auto run = [&](auto make, const auto &simd) {
            return !simd || steady_ns() > limits.end_ns || BackgroundWork::process_ends() ||
                   run_one(order, limits, make(size, *simd), recipe);
        };
        if (!run(vp9::loopfilter_trial, order.vp9) || !run(h264::deblock_trial, order.h264) ||
            !run(vp9::itx_trial, order.vp9) || !run(h264::idct_trial, order.h264))
            return false;
    }
    return true;
}

void measure(const Order &order) {
    // One at a time: two would slow each other down, and forget what the other has found.
    static std::mutex one_at_a_time;
    std::lock_guard lock(one_at_a_time);
    const TuneLimits limits{steady_ns() + order.budget_ns, order.whole_process};
    Recipe recipe = load_recipe(recipe_key(*order.device));
    if (run_all(order, limits, recipe) && !recipe.entries.empty()) save_recipe(recipe);
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

} // namespace

v3doff_result v3doff_recipe_ask(v3doff_device *device, v3doff_family family, uint32_t width,
                                uint32_t height, v3doff_recipe_answer *answer) {
    return guarded(__func__, [&] {
        auto owner = resolve(device, "device");
        if (family < 0 || family >= V3DOFF_FAMILIES) refuse("family: unknown");
        require_pointer(answer, "answer");
        v3doff_recipe_answer found =
            answer_for(*vulkan_of(owner), family, size_class_of(width, height));
        write_struct(answer, found);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes) {
    return guarded(__func__, [&] {
        auto owner = resolve(device, "device");
        require_pointer(path, "path");
        const std::string found = recipe_file(recipe_key(*vulkan_of(owner))).path;
        if (found.empty())
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "neither XDG_CACHE_HOME nor HOME is set");
        if (found.size() >= bytes) refuse("bytes: too few for the path");
        std::memcpy(path, found.c_str(), found.size() + 1);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_tune(v3doff_device *device, const v3doff_tune_info *info) {
    return guarded(__func__, [&] {
        refuse_in_callback();
        Order order = read_order(device, info);
        measure(order);
        return order.device->bad() ? V3DOFF_ERROR_DEVICE_BAD : V3DOFF_OK;
    });
}

v3doff_result v3doff_tune_begin(v3doff_device *device, const v3doff_tune_info *info) {
    return guarded(__func__, [&] {
        Order order = read_order(device, info);
        order.whole_process = false;
        Background &all = background();
        std::lock_guard lock(all.mutex);
        const std::string device = recipe_key(*order.device).device_uuid;
        if (order.vp9 && !all.begun.insert(device + " vp9").second) order.vp9.reset();
        if (order.h264 && !all.begun.insert(device + " h264").second) order.h264.reset();
        if (!order.vp9 && !order.h264) return V3DOFF_OK;
        all.threads.emplace_back([order = std::move(order)] {
            guarded("tune", [&] {
                BackgroundWork busy;
                measure(order);
                return V3DOFF_OK;
            });
        });
        return V3DOFF_OK;
    });
}

void v3doff_tune_wait(void) {
    std::vector<std::thread> threads;
    {
        std::lock_guard lock(background().mutex);
        threads.swap(background().threads);
    }
    for (std::thread &thread : threads)
        thread.join();
}
