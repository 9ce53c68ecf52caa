// SPDX-License-Identifier: BSD-2-Clause
// The families of work that a device can be given, and what has to be known of each: one entry of a
// table, behind which lie the codecs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "picture/trial.hpp"
#include "v3doff/policy.h"

namespace v3doff {

// The decoder's own functions; what is null is not there.
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
    // Bits of families: where these have something to do and it is not the device's, nor is this.
    uint32_t needs;
    // Of a decoder's CPU time, about: what of it is this kind of work.
    double share_of_decoding;
    // What its pictures need; none where it does not take such pictures.
    std::vector<uint32_t> (*shaders)(const PictureFormat &, const vk::Device &);
    // Nothing where functions are missing that do the same work.
    std::optional<Trial> (*trial)(unsigned size, const Functions &simd);
};

const Family &family_of(v3doff_family family);
std::optional<v3doff_family> find_family(const std::string &name);

} // namespace v3doff
