// SPDX-License-Identifier: BSD-2-Clause
// The C API's opaque structs.
#pragma once

#include <memory>

#include "api/handle.hpp"
#include "picture/picture.hpp"
#include "policy/policy.hpp"

namespace v3doff::api {

// A device without Vulkan (V3DOFF_MODE_CPU) has a null vulkan.
struct DeviceObject {
    std::shared_ptr<vk::Device> vulkan;
    v3doff_memory_path memory = V3DOFF_MEMORY_AUTO;
    v3doff_memory_path taken = V3DOFF_MEMORY_CPU; // found by trying once, at creation
    std::string memory_reason;
};

// On the completion thread, a wait would wait for itself.
inline void refuse_in_callback() {
    if (Picture::in_callback())
        throw Error(V3DOFF_ERROR_WRONG_THREAD, "not possible inside a done callback");
}

} // namespace v3doff::api

struct v3doff_device : v3doff::api::HandleSlot<std::shared_ptr<const v3doff::api::DeviceObject>> {};
struct v3doff_pool : v3doff::api::HandleSlot<std::shared_ptr<v3doff::Pool>> {};
struct v3doff_picture : v3doff::api::HandleSlot<v3doff::Picture *> {};
struct v3doff_policy : v3doff::api::HandleSlot<std::shared_ptr<v3doff::Policy>> {};
