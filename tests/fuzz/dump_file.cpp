// SPDX-License-Identifier: BSD-2-Clause
// A dump of any bytes, with the right checksum behind them.
#include "replay.hpp"
#include "target.hpp"
#include "util/file.hpp"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    std::vector<uint8_t> file(bytes, bytes + count);
    // A whole dump's own checksum is replaced.
    const size_t end = count < 8 ? count : count - 8;
    const uint64_t sum = v3doff::file::checksum(std::span(file).first(end));
    file.resize(end + sizeof sum);
    std::memcpy(file.data() + end, &sum, sizeof sum);
    fuzz::replay(file);
    return 0;
}
