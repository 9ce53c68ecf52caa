// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "session.hpp"

namespace CLI {
class App;
}

namespace tool {
void add_info(CLI::App &app, int &status);

// Without identities, it leaves out what distinguishes a device from others of the same model.
nlohmann::ordered_json info_json(const DeviceChoice &choice, bool identities);
} // namespace tool
