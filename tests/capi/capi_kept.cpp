// SPDX-License-Identifier: BSD-2-Clause
// Devices with V3DOFF_DEVICE_KEEP: a new device reuses the last one if that is still open and would
// be the same. The process exits with a kept device.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "capi_helpers.h"

namespace {

std::atomic<int> taken{0}; // devices that were still open

void count_taken(void *, v3doff_log_level, const char *line) {
    std::fprintf(stderr, "%s\n", line);
    taken += std::strstr(line, "still open") != nullptr;
}

v3doff_device *open(uint32_t flags, const char *select = nullptr, unsigned limit_ms = 0) {
    v3doff_device_info info{.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.flags = flags;
    info.select = select;
    info.submit_timeout_ms = limit_ms;
    v3doff_device *device = nullptr;
    EXPECT_OK(v3doff_device_create(&device, &info));
    return device;
}

// Whether this opens a new device instead of reusing a kept one.
bool opens_anew(uint32_t flags, const char *select = nullptr, unsigned limit_ms = 0) {
    const int before = taken;
    v3doff_device *device = open(flags, select, limit_ms);
    const bool anew = taken == before;
    expect_device_works(device);
    v3doff_device_destroy(&device);
    return anew;
}

void expect_the_same_one() {
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP));
    for (int i = 0; i < 3; i++)
        EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP));
    EXPECT(opens_anew(0)); // not asked for, and nothing is left of that one
    EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP));
}

void expect_another_one() {
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP | V3DOFF_DEVICE_TIMERS));
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP)); // the last one is kept, no other
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP, "0"));
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP, "0", 5000));
    EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP, "0", 5000));
    // A device is reused only if the environment is unchanged. Tests also run with other keys.
    const char *const debug = std::getenv("V3DOFF_DEBUG");
    const std::string before = debug ? debug : "";
    setenv("V3DOFF_DEBUG", before == "local_memory=on" ? "" : "local_memory=on", 1);
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP, "0", 5000));
    setenv("V3DOFF_DEBUG", before.c_str(), 1);
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP));
    setenv("V3DOFF_KEEP", "off", 1);
    for (int i = 0; i < 2; i++)
        EXPECT(opens_anew(V3DOFF_DEVICE_KEEP));
    unsetenv("V3DOFF_KEEP");
}

void expect_two_at_once() {
    v3doff_device *first = open(V3DOFF_DEVICE_KEEP);
    const int before = taken;
    v3doff_device *second = open(V3DOFF_DEVICE_KEEP);
    EXPECT(taken == before); // the first is in use
    v3doff_device_destroy(&first);
    expect_device_works(second);
    v3doff_device_destroy(&second);
    EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP));
}

void expect_many_threads() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; i++)
        threads.emplace_back([] {
            for (int round = 0; round < 4; round++)
                opens_anew(V3DOFF_DEVICE_KEEP);
        });
    for (auto &thread : threads)
        thread.join();
    EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP));
}

void expect_an_end() {
    std::this_thread::sleep_for(std::chrono::seconds(6));
    EXPECT(opens_anew(V3DOFF_DEVICE_KEEP));
    EXPECT(!opens_anew(V3DOFF_DEVICE_KEEP));
}

} // namespace

int main() {
    v3doff_log_add(count_taken, nullptr, V3DOFF_LOG_INFO);
    expect_the_same_one();
    expect_another_one();
    expect_two_at_once();
    expect_many_threads();
    expect_an_end();
    return 0;
}
