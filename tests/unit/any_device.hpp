// SPDX-License-Identifier: BSD-2-Clause
// A device for tests that need one, whichever: in software where there is no other.
#pragma once

#include <memory>

#include "policy/kept_device.hpp"
#include "util/error.hpp"

namespace v3doff {

// As the environment makes it look; null where this machine has none at all.
inline std::shared_ptr<vk::Device> open_any_device(vk::DeviceOptions options = {}) {
    options.allow_software = true;
    try {
        return KeptDevice::open(options);
    } catch (const Error &) {
        return nullptr;
    }
}

} // namespace v3doff
