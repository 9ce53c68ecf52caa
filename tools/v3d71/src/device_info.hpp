// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "vulkan_device.hpp"

namespace v3doff::v3d71 {

// Prints the limits, features, extensions and memory types that compute work depends on.
void print_device_info(const VulkanDevice &device);

} // namespace v3doff::v3d71
