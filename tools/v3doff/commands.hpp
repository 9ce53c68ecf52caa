// SPDX-License-Identifier: BSD-2-Clause
// The subcommands. status: what the program ends with.
#pragma once

#include <nlohmann/json.hpp>

#include "session.hpp"

namespace CLI {
class App;
}

namespace tool {

void add_bench(CLI::App &app, int &status);
void add_check(CLI::App &app, int &status);
void add_info(CLI::App &app, int &status);
void add_recipe(CLI::App &app, int &status);
void add_replay(CLI::App &app, int &status);
void add_report(CLI::App &app, int &status);
void add_score(CLI::App &app, int &status);
void add_tune(CLI::App &app, int &status);

void add_device_option(CLI::App *command, DeviceChoice &choice);

// What info prints. Without identities, it leaves out what distinguishes a device from others of
// the same model.
nlohmann::ordered_json info_json(const DeviceChoice &choice, bool identities);

// Every answer of the recipe, without the path of its file.
nlohmann::ordered_json recipe_json(v3doff_device *device);

} // namespace tool
