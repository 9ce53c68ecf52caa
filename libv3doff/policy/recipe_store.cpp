// SPDX-License-Identifier: BSD-2-Clause
#include "policy/recipe_store.hpp"

#include <fstream>
#include <mutex>
#include <thread>

#include "util/cache_file.hpp"
#include "util/env.hpp"
#include "util/log.hpp"
#include "v3doff/version.h"
#include "vk/device.hpp"

namespace v3doff {
namespace {

constexpr size_t most_bytes = 1u << 20;

// This CPU's name for people.
std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    std::string line, part;
    while (std::getline(info, line)) {
        const size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;
        if (line.starts_with("model name")) return line.substr(colon + 2);
        // Arm has numbers: of who made the core, and of the core.
        if (line.starts_with("CPU implementer") && part.empty()) part = line.substr(colon + 2);
        if (line.starts_with("CPU part")) return "Arm " + part + " " + line.substr(colon + 2);
    }
    return "unknown";
}

void save_recipe(const Recipe &recipe) {
    const auto [path, trust] = recipe_file(recipe.key);
    if (path.empty()) return;
    const std::string text = recipe_to_json(recipe);
    const std::span bytes(reinterpret_cast<const uint8_t *>(text.data()), text.size());
    const auto crash = file::Crash::keeps_it_whole;
    const std::string problem = trust == file::Trust::owned
                                    ? cache_file::write(path, bytes, crash)
                                    : file::write_atomically(path, bytes, crash, trust);
    if (!problem.empty()) LOG_INFO("recipe %s: %s", path.c_str(), problem.c_str());
}

} // namespace

RecipeKey recipe_key(const vk::Device &device) {
    static const auto &cpu = *new std::string(cpu_name()); // read until exit() has ended
    return {device.facts().uuid_text(),
            device.facts().name,
            device.facts().driver,
            cpu,
            V3DOFF_VERSION,
            std::thread::hardware_concurrency()};
}

RecipeFile recipe_file(const RecipeKey &key) {
    // cpu and gpu are answers, not files.
    if (auto file = env::text("V3DOFF_RECIPE"); file && *file != "cpu" && *file != "gpu")
        return {*file, file::Trust::named};
    auto folder = cache_dir();
    return {folder ? *folder + "/recipe-" + key.device_uuid + ".json" : "", file::Trust::owned};
}

Recipe load_recipe(const RecipeKey &key) {
    Recipe fresh;
    fresh.key = key;
    const auto [path, trust] = recipe_file(key);
    if (path.empty()) return fresh;
    std::string problem;
    const auto bytes = trust == file::Trust::owned ? cache_file::read(path, most_bytes, problem)
                                                   : file::read(path, most_bytes, trust, &problem);
    std::optional<Recipe> recipe;
    if (bytes) recipe = recipe_from_json({bytes->begin(), bytes->end()}, problem);
    if (!problem.empty())
        LOG_WARNING_ONCE("recipe %s is not used: %s", path.c_str(), problem.c_str());
    if (!recipe) return fresh; // no problem text: there is no file yet
    if (recipe->key != key) {
        LOG_INFO("recipe %s was measured with another device, driver, CPU or library",
                 path.c_str());
        // Overrides by a person stay, measurements do not.
        for (const RecipeEntry &entry : recipe->entries)
            if (entry.override_with != Verdict::unknown)
                fresh.entries.push_back({entry.kind, {}, entry.override_with});
        return fresh;
    }
    return *recipe;
}

Verdict override_of(const Recipe &recipe, const StreamKind &kind) {
    if (const auto forced = env::text("V3DOFF_RECIPE"); forced && *forced == "gpu")
        return Verdict::gpu;
    else if (forced && *forced == "cpu")
        return Verdict::cpu;
    for (const auto &[of, learned, verdict] : recipe.entries)
        if (of.codec == kind.codec && of.scope == kind.scope && of.size == kind.size &&
            of.high == kind.high && verdict != Verdict::unknown)
            return verdict;
    return Verdict::unknown;
}

void change_recipe(const RecipeKey &key, const std::function<void(Recipe &)> &change) {
    static std::mutex one_at_a_time;
    const log::Later later;
    std::lock_guard lock(one_at_a_time);
    Recipe recipe = load_recipe(key);
    change(recipe);
    save_recipe(recipe);
}

} // namespace v3doff
