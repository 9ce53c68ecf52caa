// SPDX-License-Identifier: BSD-2-Clause
// capi_hung_close [TIMES [slow]]: closes a device that hangs, with pictures in progress, in every
// order, from two threads, and at every moment between the submit and the time limit. Each time in
// a process of its own: a process does not open a second time what failed once. The number of the
// time is the seed. slow: the device does not hang, but a software device that compiles its shaders
// takes longer than the limit; the process ends while the driver's threads do that.
#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "capi_helpers.h"

namespace {

using Random = std::minstd_rand;

int below(Random &random, int end) {
    return std::uniform_int_distribution<int>(0, end - 1)(random);
}

void pause_below(Random &random, int microseconds) {
    std::this_thread::sleep_for(std::chrono::microseconds(below(random, microseconds)));
}

void wait_and_close(v3doff_picture *picture, Random random, uint64_t limit_us) {
    if (below(random, 2)) v3doff_picture_wait(picture, below(random, 2) ? UINT64_MAX : 1000000);
    pause_below(random, int(limit_us));
    v3doff_picture_close(&picture);
}

// The library looks at the environment when the child uses it for the first time.
[[noreturn]] void be_child(unsigned seed) {
    alarm(60); // ends it if it hangs
    Random random(seed);
    const int limit_ms = 2 + below(random, 30), pictures = 1 + below(random, 4);
    setenv("V3DOFF_FAULT", ("hang:" + std::to_string(1 + below(random, pictures))).c_str(), 1);
    setenv("V3DOFF_TIME_LIMIT", std::to_string(limit_ms).c_str(), 1);
    const int longest_pause = 2500 * limit_ms; // the limit is granted twice
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    std::vector<std::thread> threads;
    std::vector<v3doff_picture *> ours;
    for (int i = 0; i < pictures; i++) {
        v3doff_picture *picture = nullptr;
        if (v3doff_picture_open(&picture, pool, nullptr) < 0) continue; // it hangs already
        record_something(picture, unsigned(i));
        v3doff_picture_submit(picture, nullptr);
        if (below(random, 2))
            threads.emplace_back(wait_and_close, picture, Random(seed + unsigned(i)),
                                 longest_pause);
        else
            ours.push_back(picture);
    }
    pause_below(random, longest_pause);
    const size_t last = size_t(below(random, int(ours.size()) + 1)); // these outlive the device
    for (size_t i = 0; i < last; i++)
        v3doff_picture_close(&ours[i]);
    if (below(random, 2)) v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    pause_below(random, longest_pause);
    v3doff_pool_destroy(&pool);
    for (size_t i = last; i < ours.size(); i++)
        v3doff_picture_close(&ours[i]);
    for (std::thread &each : threads)
        each.join();
    exit(0);
}

// Handlers of the driver, which are registered later, have been called before. What its threads
// still do has the time to go wrong.
void take_time() {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

[[noreturn]] void be_slow_child() {
    alarm(60);
    std::atexit(take_time);
    setenv("V3DOFF_TIME_LIMIT", "1", 1);
    v3doff_pool *pool = open_test_pool(open_test_device(V3DOFF_MODE_FORCE), 64, 64);
    v3doff_picture *picture = open_test_picture(pool);
    record_something(picture, 0);
    EXPECT_OK(v3doff_picture_submit(picture, nullptr));
    const v3doff_result result = v3doff_picture_wait(picture, UINT64_MAX);
    EXPECT(result == V3DOFF_OK || result == V3DOFF_ERROR_DEVICE_BAD);
    exit(0);
}

} // namespace

int main(int count, char **arguments) {
    const int times = count > 1 ? atoi(arguments[1]) : 20;
    const bool slow = count > 2;
    for (int seed = 0; seed < times; seed++) {
        int status = 0;
        const pid_t child = fork();
        EXPECT(child >= 0);
        if (!child && slow) be_slow_child();
        if (!child) be_child(unsigned(seed));
        EXPECT(waitpid(child, &status, 0) == child);
        if (status) {
            std::fprintf(stderr, "seed %d: status %#x\n", seed, unsigned(status));
            return 1;
        }
    }
    return 0;
}
