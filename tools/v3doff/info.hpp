// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "session.hpp"

namespace CLI {
class App;
}

namespace tool {
void add_info(CLI::App &app, int &status);

// Without identities: what tells one device from another of its kind is left out.
nlohmann::ordered_json info_json(const DeviceChoice &choice, bool identities);
} // namespace tool
