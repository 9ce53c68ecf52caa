// SPDX-License-Identifier: BSD-2-Clause
// What a caller asks for when it opens a device, checked and copied.
#pragma once

#include "api/prepare.hpp"

namespace v3doff::api {

struct DeviceRequest {
    v3doff_mode mode = V3DOFF_MODE_AUTO;
    vk::DeviceOptions options;
    Preparation preparation;
};

DeviceRequest read_request(const v3doff_device_info *info); // null: automatic
// Once `stop` is set nobody wants it any more.
v3doff_device *open_device(const DeviceRequest &request, const std::atomic<bool> *stop = nullptr);

} // namespace v3doff::api
