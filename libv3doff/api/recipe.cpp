// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/recipe.h"

#include <algorithm>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "policy/measure.hpp"
#include "policy/recipe_store.hpp"
#include "v3doff/vp9.h"

using namespace v3doff;
using namespace v3doff::api;

namespace {

constexpr uint32_t default_budget_ms = 1000;

std::shared_ptr<vk::Device> vulkan_of(const std::shared_ptr<const OpenDevice> &owner) {
    if (!owner->vulkan) throw Error(V3DOFF_ERROR_UNSUPPORTED, "device: it is the CPU");
    return owner->vulkan;
}

v3doff_choice choice_of(Verdict verdict) {
    return verdict == Verdict::gpu   ? V3DOFF_CHOICE_GPU
           : verdict == Verdict::cpu ? V3DOFF_CHOICE_CPU
                                     : V3DOFF_CHOICE_UNKNOWN;
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

// What only the reconstruction of whole pictures needs.
bool complete_for_reconstruction(const v3doff_vp9dsp &table) {
    bool all = table.itxfm_add[2][0] && table.itxfm_add[3][0];
    for (const auto &size : table.mc)
        for (const auto &average : size[V3DOFF_VP9_FILTER_REGULAR])
            for (const auto &across : average)
                all = all && across[0] && across[1];
    return all;
}

bool complete(const OwnFunctions::Vp9Intra &table) {
    return std::all_of(std::begin(table.of), std::end(table.of), [](const auto &modes) {
        return modes[0] && modes[1] && modes[2] && modes[9];
    });
}

bool complete(const v3doff_h264dsp &table) {
    return table.h264_v_loop_filter_luma && table.h264_h_loop_filter_luma &&
           table.h264_v_loop_filter_luma_intra && table.h264_h_loop_filter_luma_intra &&
           table.h264_v_loop_filter_chroma && table.h264_h_loop_filter_chroma &&
           table.h264_v_loop_filter_chroma_intra && table.h264_h_loop_filter_chroma_intra &&
           table.h264_idct_add16 && table.h264_idct8_add4 && table.h264_idct_add8;
}

bool complete_for_reconstruction(const v3doff_h264dsp &table) {
    return table.h264_idct_add != nullptr;
}

bool complete(const v3doff_h264_predictors &table) {
    const auto all = [](const auto &functions) {
        return std::all_of(std::begin(functions), std::end(functions),
                           [](const auto &function) { return function != nullptr; });
    };
    return all(table.luma[0]) && all(table.luma[1]) && all(table.chroma) && all(table.luma_intra) &&
           all(table.chroma_intra) && all(table.block_intra);
}

OwnFunctions read_functions(const v3doff_tune_info &info) {
    OwnFunctions own;
    if (info.vp9) {
        own.vp9 = read_struct(info.vp9, "info->vp9");
        if (!complete(*own.vp9)) refuse("info->vp9: functions are missing");
    }
    if (info.vp9_intra) {
        if (!info.vp9 || !complete_for_reconstruction(*own.vp9))
            refuse("info->vp9: functions are missing that go with info->vp9_intra");
        own.vp9_intra.emplace();
        std::memcpy(own.vp9_intra->of, info.vp9_intra, sizeof own.vp9_intra->of);
        if (!complete(*own.vp9_intra)) refuse("info->vp9_intra: functions are missing");
    }
    if (info.h264) {
        own.h264 = read_struct(info.h264, "info->h264");
        if (!complete(*own.h264)) refuse("info->h264: functions are missing");
    }
    if (info.h264_predictors) {
        if (!info.h264 || !complete_for_reconstruction(*own.h264))
            refuse("info->h264: functions are missing that go with h264_predictors");
        own.h264_predictors = read_struct(info.h264_predictors, "info->h264_predictors");
        if (!complete(*own.h264_predictors)) refuse("info->h264_predictors: functions are missing");
    }
    if (!own.vp9 && !own.h264) refuse("info: no functions to compare with");
    return own;
}

Measuring read_order(v3doff_device *device, const v3doff_tune_info *from) {
    const v3doff_tune_info info = read_struct(from, "info");
    auto owner = resolve(device, "device");
    Measuring order;
    order.device = vulkan_of(owner);
    order.memory = owner->memory;
    order.simd = read_functions(info);
    if (!info.width != !info.height) refuse("info->width, height: one of them is 0");
    if (info.width) {
        order.first_size = size_class_of(info.width, info.height);
        order.end_size = order.first_size + 1;
    }
    order.budget_ns = uint64_t(info.budget_ms ? info.budget_ms : default_budget_ms) * 1000000;
    return order;
}

} // namespace

v3doff_result v3doff_recipe_ask(v3doff_device *device, v3doff_family family, uint32_t width,
                                uint32_t height, v3doff_recipe_answer *answer) {
    return guarded(__func__, [&] {
        auto owner = resolve(device, "device");
        if (family < 0 || family >= V3DOFF_FAMILIES) refuse("family: unknown");
        require_pointer(answer, "answer");
        const RecipeAnswer found = answer_of(load_recipe(recipe_key(*vulkan_of(owner))), family,
                                             size_class_of(width, height));
        v3doff_recipe_answer result{};
        result.choice = choice_of(found.verdict);
        result.overridden = found.overridden;
        result.simd_us = found.timing.simd_us;
        result.offload_us = found.timing.offload_us;
        result.device_us = found.timing.device_us;
        std::snprintf(result.reason, sizeof result.reason, "%s", found.reason.c_str());
        write_struct(answer, result);
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
        const Measuring order = read_order(device, info);
        measure(order);
        return order.device->bad() ? V3DOFF_ERROR_DEVICE_BAD : V3DOFF_OK;
    });
}

v3doff_result v3doff_tune_begin(v3doff_device *device, const v3doff_tune_info *info) {
    return guarded(__func__, [&] {
        begin_measuring(read_order(device, info));
        return V3DOFF_OK;
    });
}

void v3doff_tune_end(uint64_t timeout_ns) {
    guarded(__func__, [&] {
        end_measuring(timeout_ns);
        return V3DOFF_OK;
    });
}
