// SPDX-License-Identifier: BSD-2-Clause
// Devices opened in the background: the result is the same device, failures are reported, and a
// cancelled opening leaves nothing. V3DOFF_FAULT=slow_open makes opening slow.
#include <chrono>
#include <thread>
#include <vector>

#include "capi_helpers.h"
#include "v3doff/recipe.h"

namespace {

using Clock = std::chrono::steady_clock;

v3doff_opening *begin(const char *select = nullptr) {
    v3doff_device_info info{};
    info.struct_size = sizeof info;
    info.mode = V3DOFF_MODE_FORCE;
    info.select = select;
    v3doff_opening *opening = nullptr;
    const auto start = Clock::now();
    EXPECT_OK(v3doff_opening_begin(&opening, &info));
    EXPECT(opening);
    EXPECT(Clock::now() - start < std::chrono::milliseconds(400)); // it does not wait
    return opening;
}

// It does not wait for the driver.
void cancel(v3doff_opening *&opening) {
    const auto start = Clock::now();
    v3doff_opening_cancel(&opening);
    EXPECT(!opening);
    EXPECT(Clock::now() - start < std::chrono::milliseconds(400));
}

void wait_for_a_device() {
    v3doff_opening *opening = begin();
    auto *device = reinterpret_cast<v3doff_device *>(opening);
    EXPECT_RESULT(v3doff_opening_end(&opening, 0, &device), V3DOFF_NOT_READY);
    EXPECT(opening && !device);
    EXPECT_RESULT(v3doff_opening_end(&opening, 1000000, &device), V3DOFF_NOT_READY);
    EXPECT_OK(v3doff_opening_end(&opening, UINT64_MAX, &device));
    EXPECT(!opening && device);
    expect_device_works(device);
    v3doff_device_destroy(&device);
}

// One that is open is not opened again, which would take half a second.
void another_handle() {
    v3doff_opening *opening = begin();
    v3doff_device *device = nullptr, *second = nullptr;
    EXPECT_OK(v3doff_opening_end(&opening, UINT64_MAX, &device));
    v3doff_device_info info{};
    info.struct_size = sizeof info;
    info.mode = V3DOFF_MODE_AUTO; // which no software device is for
    info.device = device;
    info.prepare = 1u << V3DOFF_FAMILY_H264_DEBLOCK;
    info.prepare_bit_depth = 8;
    info.prepare_chroma = V3DOFF_CHROMA_420;
    EXPECT_OK(v3doff_opening_begin(&opening, &info));
    EXPECT_OK(v3doff_opening_end(&opening, UINT64_MAX, &second));
    EXPECT(second && second != device);
    v3doff_device_destroy(&device);
    const auto start = Clock::now();
    info.device = second;
    EXPECT_OK(v3doff_device_create(&device, &info));
    EXPECT(Clock::now() - start < std::chrono::milliseconds(400));
    v3doff_device_destroy(&second);
    expect_device_works(device);
    v3doff_opening *unwanted = nullptr;
    info.device = device;
    EXPECT_OK(v3doff_opening_begin(&unwanted, &info));
    v3doff_device_destroy(&device); // while it is under way
    cancel(unwanted);
    info.device = nullptr;
    info.mode = V3DOFF_MODE_CPU;
    info.prepare = 0;
    EXPECT_OK(v3doff_device_create(&device, &info));
    info.device = device;
    info.prepare = 1u << V3DOFF_FAMILY_H264_DEBLOCK; // nothing to compile for
    EXPECT_OK(v3doff_device_create(&second, &info));
    v3doff_device_destroy(&device);
    v3doff_device_destroy(&second);
}

void expect_failures() {
    v3doff_opening *opening = begin("no such device");
    v3doff_device *device = nullptr;
    EXPECT_RESULT(v3doff_opening_end(&opening, UINT64_MAX, &device), V3DOFF_ERROR_NO_DEVICE);
    EXPECT(!opening && !device);
    EXPECT_RESULT(v3doff_opening_end(&opening, 0, &device), V3DOFF_ERROR_INVALID_HANDLE);
    EXPECT_RESULT(v3doff_opening_end(nullptr, 0, &device), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_opening_begin(nullptr, nullptr), V3DOFF_ERROR_INVALID_ARGUMENT);
    v3doff_device_info info{};
    info.struct_size = sizeof info;
    info.mode = v3doff_mode(77);
    EXPECT_RESULT(v3doff_opening_begin(&opening, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    opening = begin();
    v3doff_opening *copy = opening;
    EXPECT_RESULT(v3doff_opening_end(&opening, 0, nullptr), V3DOFF_ERROR_INVALID_ARGUMENT);
    cancel(opening);
    EXPECT_RESULT(v3doff_opening_end(&copy, 0, &device), V3DOFF_ERROR_INVALID_HANDLE);
    v3doff_opening_cancel(&opening);
    v3doff_opening_cancel(nullptr);
}

} // namespace

int main() {
    watch_log();
    std::thread other([] { // beside the first one
        v3doff_opening *opening = begin();
        cancel(opening);
    });
    wait_for_a_device();
    other.join();
    another_handle();
    expect_failures();
    std::vector<std::thread> decoders;
    for (int i = 0; i < 8; i++)
        decoders.emplace_back([i] {
            v3doff_opening *opening = begin();
            if (i % 2) return cancel(opening);
            v3doff_device *device = nullptr;
            EXPECT_OK(v3doff_opening_end(&opening, UINT64_MAX, &device));
            expect_device_works(device);
            v3doff_device_destroy(&device);
        });
    for (auto &decoder : decoders)
        decoder.join();
    return 0;
}
