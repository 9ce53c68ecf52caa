// SPDX-License-Identifier: BSD-2-Clause
// Devices that failed in this process, by UUID. A decoder that is opened later must not run into
// the same hang.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace v3doff::vk {

// True for the first failure of that device.
bool register_bad(const std::array<uint8_t, 16> &uuid, const char *reason);

// Empty: the device has not failed.
std::string bad_reason(const std::array<uint8_t, 16> &uuid);

} // namespace v3doff::vk
