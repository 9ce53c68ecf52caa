// SPDX-License-Identifier: BSD-2-Clause
// Shows, edits or deletes what is known about which work the GPU should do.
#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "names.hpp"
#include "session.hpp"
#include "util/file.hpp"
#include "v3doff/recipe.h"

namespace tool {
namespace {

using Json = nlohmann::ordered_json;

struct RecipeOptions {
    DeviceChoice device;
    std::string action = "show";
    bool json = false;
};

std::string path_of(v3doff_device *device) {
    char path[4096];
    check(v3doff_recipe_path(device, path, sizeof path), "where the recipe is kept");
    return path;
}

Json entries(v3doff_device *device) {
    constexpr std::array codecs = {"vp9", "h264"};
    constexpr std::array scopes = {"auto", "filters", "reconstruction"};
    constexpr std::array choices = {"unknown", "cpu", "gpu"};
    Json all = Json::array();
    for (uint32_t i = 0;; i++) {
        v3doff_recipe_entry entry{};
        entry.struct_size = sizeof entry;
        const v3doff_result result = v3doff_recipe_get(device, i, &entry);
        if (result == V3DOFF_ERROR_LIMIT) return all;
        check(result, "reading the recipe");
        all.push_back({{"codec", codecs[size_t(entry.codec)]},
                       {"scope", scopes[size_t(entry.scope)]},
                       {"size", fmt::format("{}p", entry.height)},
                       {"bits", entry.high ? "more" : "8"},
                       {"threads", entry.threads},
                       {"helpers", entry.helpers},
                       {"choice", choices[size_t(entry.choice)]},
                       {"overridden", entry.overridden != 0},
                       {"cpu_us_without", entry.cpu_us_without},
                       {"cpu_us_with", entry.cpu_us_with},
                       {"us_without", entry.us_without},
                       {"us_with", entry.us_with},
                       {"reason", entry.reason}});
    }
}

std::string stream_of(const Json &entry) {
    const unsigned helpers = entry["helpers"];
    return fmt::format("{} {} {}{}", entry["codec"].get<std::string>(),
                       entry["size"].get<std::string>(), entry["scope"].get<std::string>(),
                       entry["bits"] == "8" ? "" : ", more than 8 bits") +
           (helpers ? fmt::format(", {} threads a picture", helpers + 1)
                    : fmt::format(", {} at once", entry["threads"].get<unsigned>()));
}

void show(v3doff_device *device, const RecipeOptions &options) {
    const Json all = entries(device);
    if (options.json) {
        fmt::print("{}\n", Json{{"path", path_of(device)}, {"entries", all}}.dump(2));
        return;
    }
    fmt::print("{}\n{}\n\n", properties_of(device).name, path_of(device));
    if (all.empty()) {
        fmt::print(
            "No stream has been decoded yet. A decoder measures its own pictures, and what it "
            "learns is kept here.\n");
        return;
    }
    fmt::print("{:<48}{:<9}{:>12}{:>10}  {}\n", "streams", "choice", "CPU us", "with GPU", "why");
    for (const Json &entry : all)
        fmt::print("{:<48}{:<9}{:>12.0f}{:>10.0f}  {}\n", stream_of(entry),
                   entry["choice"].get<std::string>() + (entry["overridden"] ? "*" : ""),
                   entry["cpu_us_without"].get<double>(), entry["cpu_us_with"].get<double>(),
                   entry["reason"].get<std::string>());
    fmt::print("\nCPU us: CPU time of a picture without the device, and with it. * set by hand.\n");
}

int edit(v3doff_device *device) {
    const std::string path = path_of(device);
    if (!std::filesystem::exists(path)) {
        fmt::print(stderr, "v3doff: there is no recipe yet: {}\n", path);
        return 1;
    }
    const char *editor = std::getenv("VISUAL");
    if (!editor || !*editor) editor = std::getenv("EDITOR");
    if (!editor || !*editor) {
        fmt::print("{}\nNeither VISUAL nor EDITOR is set. In an entry of that file, "
                   "\"override\": \"cpu\" or \"gpu\" counts more than what was measured.\n",
                   path);
        return 0;
    }
    std::string quoted = "'";
    for (char c : path)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    if (std::system((std::string(editor) + " " + quoted + "'").c_str()) != 0) return 1;
    constexpr size_t most_bytes = 1u << 20;
    const auto text = v3doff::file::read(path, most_bytes);
    if (text && Json::accept(*text)) return 0;
    fmt::print(stderr,
               "v3doff: {} is no longer valid JSON: the library will ignore it and measure again\n",
               path);
    return 1;
}

int run_recipe(const RecipeOptions &options) {
    Device device = open_device(options.device);
    if (options.action == "edit") return edit(device.get());
    if (options.action == "reset") {
        std::filesystem::remove(path_of(device.get()));
        return 0;
    }
    show(device.get(), options);
    return 0;
}

} // namespace

Json recipe_json(v3doff_device *device) {
    return entries(device);
}

void add_recipe(CLI::App &app, int &status) {
    auto *command =
        app.add_subcommand("recipe", "show, edit or delete what is known about the device's work");
    auto options = std::make_shared<RecipeOptions>();
    command->add_option("action", options->action, "show (default), edit or reset")
        ->check(one_of({"show", "edit", "reset"}));
    add_device_option(command, options->device);
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options, &status] { status = run_recipe(*options); });
}

} // namespace tool
