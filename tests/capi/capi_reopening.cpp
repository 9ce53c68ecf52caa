// SPDX-License-Identifier: BSD-2-Clause
// Several threads open and close devices at once, as a browser's decoders do. The Vulkan loader has
// a list of devices without a lock (KhronosGroup/Vulkan-Loader issue 2018), so the library needs
// one.
#include <thread>
#include <vector>

#include "capi_helpers.h"

namespace {

constexpr int threads = 8, rounds = 50;

void come_and_go(int thread) {
    for (int round = 0; round < rounds; round++) {
        v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
        // Others meanwhile come and go beside work.
        if (round % threads == thread) expect_device_works(device);
        v3doff_device_destroy(&device);
    }
}

} // namespace

int main() {
    watch_log();
    std::vector<std::thread> decoders;
    for (int thread = 0; thread < threads; thread++)
        decoders.emplace_back(come_and_go, thread);
    for (auto &decoder : decoders)
        decoder.join();
    return 0;
}
