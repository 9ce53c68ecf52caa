// SPDX-License-Identifier: BSD-2-Clause
// The families of work that a device can do. A table has one entry for each, with all that the
// policy must know about it; the entries lead to the codecs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/trial.hpp"
#include "v3doff/policy.h"

namespace v3doff {

// The decoder's own functions; those that it does not have are null.
struct Functions {
    const v3doff_vp9dsp *vp9 = nullptr;
    const v3doff_h264dsp *h264 = nullptr;
    const v3doff_vp9_intra_pred (*vp9_intra)[V3DOFF_VP9_INTRA_MODES] = nullptr;
    const v3doff_h264_predictors *h264_predictors = nullptr;
};

struct Family {
    const char *name; // in files
    v3doff_codec codec;
    v3doff_scope scope; // that has this work
    // Families that this one depends on, as bits: if they have work and the CPU does it, the CPU
    // also does the work of this family.
    uint32_t needs;
    // About which part of a decoder's CPU time this kind of work takes. The device may take as long
    // as the whole.
    double share_of_decoding;
    // The shaders for pictures of a format; none if the family does not support the format.
    std::vector<uint32_t> (*shaders)(const PictureFormat &, const vk::Device &);
    // Null if the decoder lacks functions for this work.
    std::optional<Trial> (*trial)(unsigned size, const Functions &simd);
};

const Family &family_of(v3doff_family family);
std::optional<v3doff_family> find_family(const std::string &name);

} // namespace v3doff
