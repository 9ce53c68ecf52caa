// SPDX-License-Identifier: BSD-2-Clause
// Measuring in the background calls the caller's functions, and can be ended at any time: when
// v3doff_tune_end has returned, it does not call them any more.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "capi_helpers.h"
#include "v3doff/recipe.h"
#include "v3doff/vp9dsp.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto too_long = std::chrono::milliseconds(500);

v3doff_vp9dsp real;
std::atomic<uint64_t> calls{0};
std::atomic<bool> valid{true};

// In place of one of the functions that measuring calls.
void filter(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    if (!valid) std::abort();
    calls++;
    real.loop_filter_16[0](dst, stride, e, i, h);
}

v3doff_vp9dsp table() {
    real.struct_size = sizeof real;
    EXPECT_OK(v3doff_vp9dsp_init(&real, 8));
    v3doff_vp9dsp watched = real;
    watched.loop_filter_16[0] = filter;
    return watched;
}

void begin(v3doff_device *device) {
    const v3doff_vp9dsp functions = table();
    v3doff_tune_info info{};
    info.struct_size = sizeof info;
    info.vp9 = &functions;
    info.width = 640;
    info.height = 360;
    info.budget_ms = 20000;
    EXPECT_OK(v3doff_tune_begin(device, &info));
}

void wait_for_calls() {
    for (const uint64_t before = calls; calls == before;)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void end_soon() {
    const auto start = Clock::now();
    v3doff_tune_end(0);
    EXPECT(Clock::now() - start < too_long);
    valid = false;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    valid = true;
}

uint64_t calls_of_all(v3doff_device *device) {
    const uint64_t before = calls;
    begin(device);
    v3doff_tune_end(UINT64_MAX);
    return calls - before;
}

// The functions of a table are those of the library, which are slow. Each is called without a
// device, because this thread's pictures are not the table's.
void expect_ends(v3doff_device *device) {
    for (int i = 0; i < 2; i++) { // what was stopped begins again
        begin(device);
        wait_for_calls();
        end_soon();
    }
}

} // namespace

int main() {
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    EXPECT_OK(v3doff_dsp_set_device(cpu));
    watch_log();
    // A recipe that cannot be stored would be measured by every process. The environment is read
    // when a device is opened.
    const std::string cache = std::getenv("XDG_CACHE_HOME");
    setenv("XDG_CACHE_HOME", "/dev/null/cache", 1);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    EXPECT(calls_of_all(device) == 0);
    v3doff_device_destroy(&device);
    setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    device = open_test_device(V3DOFF_MODE_FORCE);
    expect_ends(device);
    EXPECT(calls_of_all(device) > 0);
    EXPECT(calls_of_all(device) == 0); // once for each process
    v3doff_device_destroy(&device);
    v3doff_device_destroy(&cpu);
    return 0;
}
