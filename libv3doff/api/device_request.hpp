// SPDX-License-Identifier: BSD-2-Clause
// What a caller asks for when it opens a device, checked and copied.
#pragma once

#include "api/handles.hpp"
#include "policy/prepare.hpp"

namespace v3doff::api {

struct DeviceRequest {
    v3doff_mode mode = V3DOFF_MODE_AUTO;
    vk::DeviceOptions options;
    Preparation preparation;
    std::shared_ptr<const DeviceObject> open; // not null: use this one, open none
};

DeviceRequest read_request(const v3doff_device_info *info); // null: automatic
// stop: for a thread of the library. When it is set, nobody wants the device any more.
v3doff_device *open_device(const DeviceRequest &request, const std::atomic<bool> *stop = nullptr);

} // namespace v3doff::api
