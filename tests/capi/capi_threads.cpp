// SPDX-License-Identifier: BSD-2-Clause
// Several decoders at once, on one device and on several: each thread has its own pool, and two
// threads share one picture's lanes. Run under the thread sanitizer too.
#include <atomic>
#include <thread>
#include <vector>

#include "capi_helpers.h"

namespace {

constexpr uint32_t width = 96, height = 80;
constexpr int rounds = 12, in_flight = 4;

void decode(v3doff_device *device, const std::vector<uint64_t> &expected) {
    v3doff_pool *pool = open_test_pool(device, width, height);
    for (int round = 0; round < rounds; round++) {
        v3doff_picture *pictures[in_flight] = {};
        for (int i = 0; i < in_flight; i++) {
            EXPECT_OK(v3doff_picture_open(&pictures[i], pool, nullptr));
            record_something(pictures[i], unsigned(i));
            EXPECT_OK(v3doff_picture_submit(pictures[i], nullptr));
        }
        for (int i = 0; i < in_flight; i++) {
            EXPECT_OK(v3doff_picture_wait(pictures[i], UINT64_MAX));
            EXPECT(report_of(pictures[i]).executor == V3DOFF_EXECUTOR_GPU);
            EXPECT(checksum_of(pictures[i]) == expected[size_t(i)]);
            v3doff_picture_close(&pictures[i]);
        }
    }
    v3doff_pool_destroy(&pool);
}

// Lanes of one picture from several threads: all blocks arrive.
void share_lanes(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 256, 64);
    v3doff_picture *picture = open_test_picture(pool);
    std::vector<std::thread> threads;
    for (uint32_t lane = 0; lane < 4; lane++)
        threads.emplace_back([=] {
            for (uint32_t i = 0; i < 64; i++) {
                int16_t coefficients[64] = {int16_t(i)};
                EXPECT_OK(v3doff_vp9_record_itx(picture, lane, 0, lane * 64 + i % 8 * 8, i / 8 * 8,
                                                V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT, 1,
                                                coefficients));
            }
        });
    for (auto &thread : threads)
        thread.join();
    submit_and_wait(picture);
    EXPECT(report_of(picture).records == 256);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

// Two threads in one lane: each call is taken whole or refused, and nothing breaks.
void fight_for_a_lane(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 256, 256);
    v3doff_picture *picture = open_test_picture(pool);
    std::atomic<uint64_t> taken{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 2000; i++) {
                int16_t coefficients[64] = {3};
                v3doff_result result = v3doff_vp9_record_itx(picture, 0, 0, 0, 0, V3DOFF_VP9_TX_8X8,
                                                             V3DOFF_VP9_DCT_DCT, 1, coefficients);
                EXPECT(result == V3DOFF_OK || result == V3DOFF_ERROR_WRONG_THREAD);
                EXPECT(coefficients[0] == (result == V3DOFF_OK ? 0 : 3));
                taken += result == V3DOFF_OK;
            }
        });
    for (auto &thread : threads)
        thread.join();
    submit_and_wait(picture);
    EXPECT(report_of(picture).records == taken);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

} // namespace

int main() {
    std::vector<uint64_t> expected;
    for (unsigned i = 0; i < in_flight; i++)
        expected.push_back(expected_checksum(width, height, i));
    v3doff_device *devices[2] = {open_test_device(V3DOFF_MODE_FORCE),
                                 open_test_device(V3DOFF_MODE_FORCE)};
    std::vector<std::thread> decoders;
    for (int i = 0; i < 4; i++)
        decoders.emplace_back([&, i] { decode(devices[i % 2], expected); });
    for (auto &decoder : decoders)
        decoder.join();
    share_lanes(devices[0]);
    fight_for_a_lane(devices[1]);
    for (auto &device : devices)
        v3doff_device_destroy(&device);
    std::printf("4 decoders on 2 devices: same bits\n");
}
