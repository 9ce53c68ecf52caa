// SPDX-License-Identifier: BSD-2-Clause
#include "policy/recipe_store.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <thread>
#include <unistd.h>

#include "util/cache_dir.hpp"
#include "util/cache_file.hpp"
#include "util/env.hpp"
#include "util/log.hpp"
#include "v3doff/version.h"
#include "vk/device.hpp"

namespace v3doff {
namespace {

constexpr size_t most_bytes = 1u << 20;

std::string uuid_text(const vk::Facts &facts) {
    std::string text;
    char hex[4];
    for (uint8_t byte : facts.uuid) {
        std::snprintf(hex, sizeof hex, "%02x", byte);
        text += hex;
    }
    return text;
}

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

} // namespace

RecipeKey recipe_key(const vk::Device &device) {
    return {uuid_text(device.facts()),
            device.facts().name,
            device.facts().driver,
            cpu_name(),
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
    Recipe fresh{key, {}};
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
            if (entry.override_with != Verdict::unknown) {
                RecipeEntry kept{entry.family,     entry.size,         {},
                                 Verdict::unknown, "not measured yet", entry.override_with};
                fresh.entries.push_back(kept);
            }
        return fresh;
    }
    return *recipe;
}

RecipeAnswer answer_of(const Recipe &recipe, v3doff_family family, unsigned size) {
    if (auto forced = env::text("V3DOFF_RECIPE"); forced && (*forced == "gpu" || *forced == "cpu"))
        return {
            *forced == "gpu" ? Verdict::gpu : Verdict::cpu, true, {}, "V3DOFF_RECIPE=" + *forced};
    const RecipeEntry *entry = recipe.find(family, size);
    if (!entry) return {Verdict::unknown, false, {}, "not measured yet"};
    if (entry->override_with != Verdict::unknown)
        return {entry->override_with, true, entry->timing, "the recipe's file says so"};
    return {entry->verdict, false, entry->timing, entry->reason};
}

bool can_save_recipe(const RecipeKey &key) {
    std::string folder = recipe_file(key).path;
    if (folder.empty()) return false;
    // The first folder that is there is the one in which the others are made.
    do {
        const size_t slash = folder.rfind('/');
        if (slash == folder.npos)
            folder = ".";
        else
            folder.resize(std::max(slash, size_t(1)));
    } while (access(folder.c_str(), F_OK) != 0 && errno == ENOENT && folder != "/" &&
             folder != ".");
    return faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
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
    if (!problem.empty()) LOG_WARNING_ONCE("recipe %s: %s", path.c_str(), problem.c_str());
}

} // namespace v3doff
