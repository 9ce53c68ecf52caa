// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace CLI {
class App;
}

namespace tool {
void add_info(CLI::App &app, int &status);
}
