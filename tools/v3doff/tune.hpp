// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace CLI {
class App;
}

namespace tool {
void add_tune(CLI::App &app, int &status);
}
