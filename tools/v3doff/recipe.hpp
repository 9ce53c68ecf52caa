// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "v3doff/v3doff.h"

namespace CLI {
class App;
}

namespace tool {
void add_recipe(CLI::App &app, int &status);

// Every answer of the recipe, without the path of its file.
nlohmann::ordered_json recipe_json(v3doff_device *device);
} // namespace tool
