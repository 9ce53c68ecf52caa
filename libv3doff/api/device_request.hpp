// SPDX-License-Identifier: BSD-2-Clause
// What a caller asks for when it opens a device, checked and copied.
#pragma once

#include "vk/device.hpp"

namespace v3doff::api {

struct DeviceRequest {
    v3doff_mode mode = V3DOFF_MODE_AUTO;
    vk::DeviceOptions options;
};

DeviceRequest read_request(const v3doff_device_info *info); // null: automatic
v3doff_device *open_device(const DeviceRequest &request);

} // namespace v3doff::api
