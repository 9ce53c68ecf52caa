// SPDX-License-Identifier: BSD-2-Clause
// Prints the variable V3DOFF_TEST as the library sees it.
#include <cstdio>

#include "util/env.hpp"

int main() {
    std::puts(v3doff::env::text("V3DOFF_TEST").value_or("nothing").c_str());
}
