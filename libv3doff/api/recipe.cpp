// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/recipe.h"

#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "policy/recipe_store.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

std::shared_ptr<vk::Device> vulkan_of(const std::shared_ptr<const OpenDevice> &owner) {
    if (!owner->vulkan) throw Error(V3DOFF_ERROR_UNSUPPORTED, "device: it is the CPU");
    return owner->vulkan;
}

v3doff_choice choice_of(Verdict verdict) {
    return verdict == Verdict::gpu   ? V3DOFF_CHOICE_GPU
           : verdict == Verdict::cpu ? V3DOFF_CHOICE_CPU
                                     : V3DOFF_CHOICE_UNKNOWN;
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
