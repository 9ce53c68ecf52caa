// SPDX-License-Identifier: BSD-2-Clause
// Devices that come and go on several threads at once, as decoders of a browser do: the Vulkan
// loader keeps a list of them that it does not guard (KhronosGroup/Vulkan-Loader issue 2018), so
// the library has to.
#include <thread>
#include <vector>

#include "capi_helpers.h"

namespace {

constexpr int threads = 8, rounds = 50;

void come_and_go(int thread) {
    for (int round = 0; round < rounds; round++) {
        v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
        if (round % 8 == thread) { // others meanwhile come and go beside work
            v3doff_pool *pool = open_test_pool(device, 96, 80);
            v3doff_picture *picture = nullptr;
            EXPECT_OK(v3doff_picture_open(&picture, pool, nullptr));
            record_something(picture, 5);
            EXPECT_OK(v3doff_picture_submit(picture, nullptr));
            EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
            EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_GPU);
            EXPECT(checksum_of(picture) == expected_checksum(96, 80, 5));
            v3doff_picture_close(&picture);
            v3doff_pool_destroy(&pool);
        }
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
