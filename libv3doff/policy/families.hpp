// SPDX-License-Identifier: BSD-2-Clause
// The families of work that a device can do. A table has one entry for each, with all that the
// policy must know about it; the entries lead to the codecs.
#pragma once

#include <vector>

#include "picture/format.hpp"
#include "v3doff/policy.h"
#include "vk/device.hpp"

namespace v3doff {

struct Family {
    v3doff_codec codec;
    v3doff_scope scope; // that has this work
    // The shaders for pictures of a format; none if the family does not support the format.
    std::vector<uint32_t> (*shaders)(const PictureFormat &, const vk::Device &);
};

const Family &family_of(v3doff_family family);

} // namespace v3doff
