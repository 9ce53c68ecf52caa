// SPDX-License-Identifier: BSD-2-Clause
// Opens devices as callers ask for them, and finds out how their pictures' memory is shared.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "policy/families.hpp"

namespace v3doff {

struct OpenDevice {
    std::shared_ptr<vk::Device> vulkan;             // null: the CPU (V3DOFF_MODE_CPU)
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO; // asked for
    v3doff_memory_path taken = V3DOFF_MEMORY_CPU;   // found by trying once
    std::string memory_reason;
};

struct DeviceRequest {
    v3doff_mode mode = V3DOFF_MODE_AUTO;
    vk::DeviceOptions options;
    Preparation preparation;
    std::shared_ptr<const OpenDevice> open; // not null: use this one, open none
    bool quiet = false;                     // failures are no errors (log::Quiet)
};

// What the info, which the caller has checked, leaves open is taken from the environment.
DeviceRequest device_request(const v3doff_device_info &info);

// stop: for a thread of the library. When it is set, nobody wants the device any more.
std::shared_ptr<const OpenDevice> open_device(const DeviceRequest &request,
                                              const std::atomic<bool> *stop = nullptr);
std::shared_ptr<const OpenDevice> borrow_device(const v3doff_borrowed_vulkan &from,
                                                const DeviceRequest &request);

} // namespace v3doff
