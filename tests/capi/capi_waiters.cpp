// SPDX-License-Identifier: BSD-2-Clause
// Several threads wait for a picture, and the first that notices its end opens it again at once.
// All of them must notice it. V3DOFF_FAULT=late makes them wait.
#include <atomic>
#include <thread>
#include <unistd.h>
#include <vector>

#include "capi_helpers.h"

int main() {
    constexpr int rounds = 60, waiters = 3;
    alarm(60);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *picture = open_test_picture(pool);
    for (int round = 0; round < rounds; round++) {
        record_something(picture, unsigned(round));
        EXPECT_OK(v3doff_picture_submit(picture, nullptr));
        std::atomic<int> begun{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < waiters; i++)
            threads.emplace_back([&] {
                begun++;
                EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
            });
        while (begun < waiters)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(1)); // of the five that it is late
        EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
        EXPECT_OK(v3doff_picture_reopen(picture));
        for (std::thread &thread : threads)
            thread.join();
    }
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return 0;
}
