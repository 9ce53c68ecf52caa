// SPDX-License-Identifier: BSD-2-Clause
// Makes pipelines before the first picture needs them.
#pragma once

#include <atomic>

#include "picture/format.hpp"
#include "vk/device.hpp"

namespace v3doff {

struct Preparation {
    uint32_t families = 0; // bits 1 << v3doff_family
    PictureFormat format;
};

// A pipeline that does not compile is no error here: the pictures that need it are done on the CPU.
// On a thread of the library, the function returns early if `stop` is set, because the device is
// not wanted any more, or if the process ends.
void prepare(vk::Device &device, const Preparation &preparation,
             const std::atomic<bool> *stop = nullptr);

} // namespace v3doff
