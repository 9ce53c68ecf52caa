// SPDX-License-Identifier: BSD-2-Clause
// Pipelines that are made before the first picture needs them.
#pragma once

#include <atomic>

#include "picture/format.hpp"
#include "vk/device.hpp"

namespace v3doff {

struct Preparation {
    uint32_t families = 0; // bits 1 << v3doff_family
    PictureFormat format;
};

// What does not compile will not do so for a picture either, which then is done on the CPU: no
// error here. `stop`, on a thread of the library: not to the end once it is set, because nobody
// wants the device then, or once the process ends.
void prepare(vk::Device &device, const Preparation &preparation,
             const std::atomic<bool> *stop = nullptr);

} // namespace v3doff
