// SPDX-License-Identifier: BSD-2-Clause
// The dumps in the program: a frame of a real stream for each codec, as V3DOFF_DUMP wrote it.
#pragma once

#include <array>
#include <cstdint>

namespace tool::report {

struct StoredData {
    const char *codec;
    const uint8_t *begin, *end;
};
std::array<StoredData, 2> stored_data();

} // namespace tool::report
