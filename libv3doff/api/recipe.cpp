// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/recipe.h"

#include <cstdio>
#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "policy/recipe_store.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

RecipeKey key_of(v3doff_device *device) {
    const auto owner = resolve(device, "device");
    if (!owner->vulkan) throw Error(V3DOFF_ERROR_UNSUPPORTED, "device: it is the CPU");
    return recipe_key(*owner->vulkan);
}

v3doff_choice choice_of(Verdict verdict) {
    return verdict == Verdict::gpu   ? V3DOFF_CHOICE_GPU
           : verdict == Verdict::cpu ? V3DOFF_CHOICE_CPU
                                     : V3DOFF_CHOICE_UNKNOWN;
}

v3doff_recipe_entry to_public(const Recipe &recipe, const RecipeEntry &entry) {
    const auto &[kind, learned, override_with] = entry;
    const Verdict decided = override_of(recipe, kind);
    v3doff_recipe_entry result{};
    result.codec = kind.codec;
    result.scope = kind.scope;
    result.width = size_classes[kind.size].width;
    result.height = size_classes[kind.size].height;
    result.high = kind.high;
    result.threads = kind.threads;
    result.helpers = kind.helpers;
    result.cpu_us_without = learned.cpu.cpu_ns / 1000;
    result.cpu_us_with = learned.device.cpu_ns / 1000;
    result.us_without = learned.cpu.ns / 1000;
    result.us_with = learned.device.ns / 1000;
    result.overridden = decided != Verdict::unknown;
    result.choice = choice_of(result.overridden ? decided : verdict_of(learned));
    std::snprintf(result.reason, sizeof result.reason, "%s",
                  decided != override_with ? "V3DOFF_RECIPE or another entry says so"
                                           : reason_of(entry).c_str());
    return result;
}

} // namespace

v3doff_result v3doff_recipe_get(v3doff_device *device, uint32_t index, v3doff_recipe_entry *entry) {
    return guarded(__func__, [&] {
        require_pointer(entry, "entry");
        read_struct(entry, "entry");
        const Recipe recipe = load_recipe(key_of(device));
        if (index >= recipe.entries.size()) throw Error(V3DOFF_ERROR_LIMIT, "index: no such entry");
        v3doff_recipe_entry result = to_public(recipe, recipe.entries[index]);
        write_struct(entry, result);
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_recipe_path(v3doff_device *device, char *path, size_t bytes) {
    return guarded(__func__, [&] {
        const std::string found = recipe_file(key_of(device)).path;
        require_pointer(path, "path");
        if (found.empty())
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "neither XDG_CACHE_HOME nor HOME is set");
        if (found.size() >= bytes) refuse("bytes: too few for the path");
        std::memcpy(path, found.c_str(), found.size() + 1);
        return V3DOFF_OK;
    });
}
