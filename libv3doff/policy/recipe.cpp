// SPDX-License-Identifier: BSD-2-Clause
#include "policy/recipe.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

#include "policy/families.hpp"

namespace v3doff {
namespace {

using Json = nlohmann::ordered_json;

constexpr int file_version = 2; // 1 was measured under other conditions

Verdict verdict_from(const std::string &name) {
    for (Verdict verdict : {Verdict::unknown, Verdict::cpu, Verdict::gpu})
        if (name == verdict_name(verdict)) return verdict;
    throw std::runtime_error("'" + name + "' is not cpu, gpu or unknown");
}

v3doff_family family_from(const std::string &name) {
    const auto family = find_family(name);
    if (!family) throw std::runtime_error("unknown family '" + name + "'");
    return *family;
}

unsigned size_from(const std::string &name) {
    for (unsigned i = 0; i < std::size(size_classes); i++)
        if (name == size_classes[i].name) return i;
    throw std::runtime_error("unknown size '" + name + "'");
}

// A recipe's values are in objects in an array in an object. Deeper nesting is refused while the
// text is parsed. The parser itself needs no stack for it, but the functions that use its result
// are recursive.
Json parse(const std::string &json_text) {
    constexpr int most_depth = 4;
    return Json::parse(json_text, [](int depth, Json::parse_event_t, const Json &) {
        if (depth > most_depth) throw std::runtime_error("nested too deeply");
        return true;
    });
}

uint32_t whole_number(const Json &json) {
    if (!json.is_number_unsigned() || json.get<uint64_t>() > UINT32_MAX)
        throw std::runtime_error("a number is not whole, negative or too large");
    return json.get<uint32_t>();
}

RecipeEntry entry_from(const Json &json) {
    RecipeEntry entry;
    entry.family = family_from(json.at("family"));
    entry.size = size_from(json.at("size"));
    entry.verdict = verdict_from(json.at("choice"));
    entry.reason = json.at("reason");
    entry.timing = {json.at("cpu_us_of_simd"), json.at("cpu_us_of_offload"), json.at("device_us")};
    if (json.contains("override")) entry.override_with = verdict_from(json.at("override"));
    return entry;
}

} // namespace

const char *verdict_name(Verdict verdict) {
    return verdict == Verdict::cpu ? "cpu" : verdict == Verdict::gpu ? "gpu" : "unknown";
}

unsigned size_class_of(uint32_t width, uint32_t height) {
    const uint64_t samples = uint64_t(width) * height;
    unsigned size = 0;
    // The border between two classes is their geometric mean.
    while (size + 1 < std::size(size_classes)) {
        auto of = [](const SizeClass &c) { return uint64_t(c.width) * c.height; };
        if (samples * samples < of(size_classes[size]) * of(size_classes[size + 1])) break;
        size++;
    }
    return size;
}

const RecipeEntry *Recipe::find(v3doff_family family, unsigned size) const {
    for (const RecipeEntry &entry : entries)
        if (entry.family == family && entry.size == size) return &entry;
    return nullptr;
}

RecipeEntry *Recipe::find(v3doff_family family, unsigned size) {
    return const_cast<RecipeEntry *>(std::as_const(*this).find(family, size));
}

void Recipe::put(const RecipeEntry &entry) {
    RecipeEntry *at = find(entry.family, entry.size);
    if (!at) {
        entries.push_back(entry);
        return;
    }
    const Verdict kept = at->override_with;
    *at = entry;
    at->override_with = kept;
}

std::string recipe_to_json(const Recipe &recipe) {
    Json json{{"v3doff_recipe", file_version},
              {"device", recipe.key.device},
              {"device_uuid", recipe.key.device_uuid},
              {"driver", recipe.key.driver},
              {"cpu", recipe.key.cpu},
              {"cpus", recipe.key.cpus},
              {"library", recipe.key.library},
              {"entries", Json::array()}};
    for (const RecipeEntry &entry : recipe.entries) {
        Json item{{"family", family_of(entry.family).name},
                  {"size", size_classes[entry.size].name},
                  {"choice", verdict_name(entry.verdict)},
                  {"reason", entry.reason},
                  {"cpu_us_of_simd", entry.timing.simd_us},
                  {"cpu_us_of_offload", entry.timing.offload_us},
                  {"device_us", entry.timing.device_us}};
        if (entry.override_with != Verdict::unknown)
            item["override"] = verdict_name(entry.override_with);
        json["entries"].push_back(std::move(item));
    }
    return json.dump(2) + "\n";
}

std::optional<Recipe> recipe_from_json(const std::string &json_text, std::string &problem) {
    try {
        const Json json = parse(json_text);
        if (json.at("v3doff_recipe") != file_version) {
            problem = "of another version";
            return std::nullopt;
        }
        Recipe recipe;
        recipe.key = {json.at("device_uuid"),
                      json.at("device"),
                      json.at("driver"),
                      json.at("cpu"),
                      whole_number(json.at("library")),
                      whole_number(json.at("cpus"))};
        for (const Json &item : json.at("entries"))
            recipe.put(entry_from(item));
        return recipe;
    } catch (const std::exception &what) {
        problem = what.what();
        return std::nullopt;
    }
}

} // namespace v3doff
