// SPDX-License-Identifier: BSD-2-Clause
// The families of work that a device can do. A table has one entry for each, with all that the
// policy must know about it; the entries lead to the codecs.
#pragma once

#include <atomic>

#include "picture/format.hpp"
#include "v3doff/stream.h"
#include "vk/device.hpp"
#include "vk/shaders.hpp"

namespace v3doff {

// What pipelines are made for, before the first picture needs them.
struct Preparation {
    uint32_t families = 0; // bits 1 << v3doff_family
    PictureFormat format;
    bool mbaff = false; // there may be MBAFF frames, too
    bool operator==(const Preparation &) const = default;
};

struct Family {
    v3doff_codec codec;
    v3doff_scope scope; // that has this work
    // The shaders for such pictures; none if the family does not support the format.
    vk::ShaderList (*shaders)(const Preparation &, const vk::Device &);
};

const Family &family_of(v3doff_family family);

// A pipeline that does not compile is no error here: the pictures that need it are done on the CPU.
// On a thread of the library, the function returns early if `stop` is set, because the device is
// not wanted any more, or if the process ends.
void make_pipelines(vk::Device &device, const Preparation &preparation,
                    const std::atomic<bool> *stop = nullptr);

} // namespace v3doff
