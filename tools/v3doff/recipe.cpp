// SPDX-License-Identifier: BSD-2-Clause
// Shows, edits or deletes what is known about which work the GPU should do.
#include "recipe.hpp"

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

struct Class {
    const char *name;
    uint32_t width, height;
};
constexpr Class classes[] = {
    {"360p", 640, 360}, {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};
constexpr std::array<const char *, V3DOFF_FAMILIES> families = {
    "vp9_itx",      "vp9_loopfilter",     "h264_idct",
    "h264_deblock", "vp9_reconstruction", "h264_reconstruction",
    "vp9_intra",    "h264_intra"};
constexpr std::array<const char *, 3> choices = {"unknown", "cpu", "gpu"};

Json answers(v3doff_device *device) {
    Json all = Json::array();
    for (unsigned family = 0; family < V3DOFF_FAMILIES; family++)
        for (const Class &size : classes) {
            v3doff_recipe_answer answer{};
            answer.struct_size = sizeof answer;
            check(
                v3doff_recipe_ask(device, v3doff_family(family), size.width, size.height, &answer),
                "asking the recipe");
            all.push_back({{"family", families[family]},
                           {"size", size.name},
                           {"choice", choices[size_t(answer.choice)]},
                           {"overridden", answer.overridden != 0},
                           {"cpu_us_of_simd", answer.simd_us},
                           {"cpu_us_of_offload", answer.offload_us},
                           {"device_us", answer.device_us},
                           {"reason", answer.reason}});
        }
    return all;
}

void show(v3doff_device *device, const RecipeOptions &options) {
    const Json all = answers(device);
    if (options.json) {
        fmt::print("{}\n", Json{{"path", path_of(device)}, {"answers", all}}.dump(2));
        return;
    }
    fmt::print("{}\n{}\n\n", properties_of(device).name, path_of(device));
    fmt::print("{:<20}{:<7}{:<9}{:>10}{:>12}{:>11}  {}\n", "work", "size", "choice", "CPU us",
               "offload us", "device us", "why");
    for (const Json &answer : all)
        fmt::print("{:<20}{:<7}{:<9}{:>10.0f}{:>12.0f}{:>11.0f}  {}\n",
                   answer["family"].get<std::string>(), answer["size"].get<std::string>(),
                   answer["choice"].get<std::string>() + (answer["overridden"] ? "*" : ""),
                   answer["cpu_us_of_simd"].get<double>(),
                   answer["cpu_us_of_offload"].get<double>(), answer["device_us"].get<double>(),
                   answer["reason"].get<std::string>());
    fmt::print("\nCPU us: CPU time of a picture with the decoder's own functions; offload us: with "
               "the work on the device;\ndevice us: from submit to done. * set by hand.\n");
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
    return answers(device);
}

void add_recipe(CLI::App &app, int &status) {
    auto *command =
        app.add_subcommand("recipe", "show, edit or delete what is known about the device's work");
    auto options = std::make_shared<RecipeOptions>();
    command->add_option("action", options->action, "show (default), edit or reset")
        ->check(one_of({"show", "edit", "reset"}));
    command->add_option("--device", options->device.select,
                        "device: its number, part of its name, or its UUID");
    command->add_flag("--json", options->json, "print JSON");
    command->callback([options, &status] { status = run_recipe(*options); });
}

} // namespace tool
