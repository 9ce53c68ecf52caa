// SPDX-License-Identifier: BSD-2-Clause
#include "policy/recipe.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

namespace v3doff {
namespace {

using Json = nlohmann::ordered_json;

constexpr int file_version = 3; // 2 was measured with made-up pictures
constexpr size_t most_entries = 1000;

constexpr std::array verdicts = {"unknown", "cpu", "gpu"};
constexpr std::array shares = {"none", "others", "all"};
constexpr std::array codecs = {"vp9", "h264"};
constexpr std::array scopes = {"auto", "filters", "reconstruction"};
constexpr std::array bits = {"8", "more"};

std::vector<const char *> size_names() {
    std::vector<const char *> names;
    for (const SizeClass &size : size_classes)
        names.push_back(size.name);
    return names;
}

size_t number_of(const Json &json, std::span<const char *const> names) {
    const std::string name = json;
    for (size_t i = 0; i < names.size(); i++)
        if (name == names[i]) return i;
    throw std::runtime_error("unknown: '" + name + "'");
}

template <typename... Values>
std::string text(const char *format, Values... values) {
    char line[256];
    std::snprintf(line, sizeof line, format, values...);
    return line;
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

double ns_from(const Json &us) {
    const double value = us;
    if (!std::isfinite(value) || value < 0 || value > 1e12)
        throw std::runtime_error("not a time: " + us.dump());
    return value * 1000;
}

double us_of(double ns) {
    return std::round(ns / 100) / 10;
}

Json to_json(const RecipeEntry &entry) {
    const auto &[kind, learned, override_with] = entry;
    Json json{{"codec", codecs[size_t(kind.codec)]},
              {"scope", scopes[size_t(kind.scope)]},
              {"size", size_classes[kind.size].name},
              {"bits", bits[kind.high]},
              {"threads", kind.threads},
              {"helpers", kind.helpers},
              {"choice", verdict_name(verdict_of(learned))},
              {"reason", reason_of(entry)},
              {"cpu_us_without", us_of(learned.cpu.cpu_ns)},
              {"cpu_us_with", us_of(learned.device.cpu_ns)},
              {"us_without", us_of(learned.cpu.ns)},
              {"us_with", us_of(learned.device.ns)},
              {"compared", learned.compared},
              {"if_waited_for", share_name(learned.if_crowded)}};
    if (override_with != Verdict::unknown) json["override"] = verdict_name(override_with);
    return json;
}

RecipeEntry entry_from(const Json &json) {
    RecipeEntry entry;
    entry.kind = {v3doff_codec(number_of(json.at("codec"), codecs)),
                  v3doff_scope(number_of(json.at("scope"), scopes)),
                  unsigned(number_of(json.at("size"), size_names())),
                  number_of(json.at("bits"), bits) == 1,
                  whole_number(json.at("threads")),
                  whole_number(json.at("helpers"))};
    entry.learned = {{ns_from(json.at("us_without")), ns_from(json.at("cpu_us_without"))},
                     {ns_from(json.at("us_with")), ns_from(json.at("cpu_us_with"))},
                     Share(number_of(json.at("if_waited_for"), shares)),
                     json.at("compared")};
    if (json.contains("override"))
        entry.override_with = Verdict(number_of(json.at("override"), verdicts));
    return entry;
}

} // namespace

const char *verdict_name(Verdict verdict) {
    return verdicts[size_t(verdict)];
}

const char *share_name(Share share) {
    return shares[size_t(share)];
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

const RecipeEntry *Recipe::find(const StreamKind &kind) const {
    for (const RecipeEntry &entry : entries)
        if (entry.kind == kind) return &entry;
    return nullptr;
}

void Recipe::put(const StreamKind &kind, const Learned &learned) {
    if (const RecipeEntry *entry = find(kind))
        entries[size_t(entry - entries.data())].learned = learned;
    else if (entries.size() < most_entries)
        entries.push_back({kind, learned});
}

Verdict verdict_of(const Learned &learned) {
    if (!learned.cpu.cpu_ns || !learned.device.cpu_ns) return Verdict::unknown;
    return learned.device.cpu_ns <= learned.cpu.cpu_ns ? Verdict::gpu : Verdict::cpu;
}

std::string reason_of(const RecipeEntry &entry) {
    const auto &[cpu, device, if_crowded, compared] = entry.learned;
    if (entry.override_with != Verdict::unknown) return "the recipe's file says so";
    const Verdict verdict = verdict_of(entry.learned);
    if (verdict == Verdict::unknown) return "not measured both ways yet";
    const double saved = (cpu.cpu_ns - device.cpu_ns) / 1000;
    std::string reason = verdict == Verdict::gpu
                             ? text("the device saves %.0f of %.0f us of CPU time a picture", saved,
                                    cpu.cpu_ns / 1000)
                             : text("the device costs %.0f us more CPU time a picture", -saved);
    if (verdict == Verdict::gpu && compared && if_crowded != Share::all)
        reason +=
            text("; a program that waits gets pictures every %.0f instead of %.0f us without it, "
                 "so the device then gets %s",
                 cpu.ns / 1000, device.ns / 1000,
                 if_crowded == Share::none ? "none" : "only those that no other waits for");
    return reason;
}

std::string recipe_to_json(const Recipe &recipe) {
    Json json{{"v3doff_recipe", file_version},
              {"device", recipe.key.device},
              {"device_uuid", recipe.key.device_uuid},
              {"driver", recipe.key.driver},
              {"cpu", recipe.key.cpu},
              {"cpus", recipe.key.cpus},
              {"library", recipe.key.library},
              {"checked", recipe.checked},
              {"entries", Json::array()}};
    for (const RecipeEntry &entry : recipe.entries)
        json["entries"].push_back(to_json(entry));
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
        recipe.checked = whole_number(json.at("checked"));
        for (const Json &item : json.at("entries")) {
            const RecipeEntry entry = entry_from(item);
            if (!recipe.find(entry.kind) && recipe.entries.size() < most_entries)
                recipe.entries.push_back(entry);
        }
        return recipe;
    } catch (const std::exception &what) {
        problem = what.what();
        return std::nullopt;
    }
}

} // namespace v3doff
