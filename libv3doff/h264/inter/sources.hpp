// SPDX-License-Identifier: BSD-2-Clause
// What a picture is predicted from.
#pragma once

#include <array>
#include <memory>

#include "h264/lines.hpp"
#include "picture/surface.hpp"
#include "v3doff/h264_words.h"

namespace v3doff::h264 {

inline constexpr uint32_t no_own_reference = UINT32_MAX;

// Predictions of a frame name reference n as n, those of a field its top field as 2 * n, its bottom
// field as 2 * n + 1.
struct PictureSources {
    Lines lines; // of the picture
    std::array<std::shared_ptr<Surface>, V3DOFF_H264_REFERENCES> reference;
    uint32_t own = no_own_reference; // the reference that is the picture itself; it is null
    const v3doff_h264_prediction *predictions = nullptr; // by slice, the caller's

    // What v3doff_h264_prediction names; NO_REFERENCE is none. Of the picture itself it is the
    // other field.
    bool has(uint32_t number) const {
        const uint32_t i = number >> int(lines.field);
        return i < reference.size() && (reference[i] || (i == own && (number & 1) != lines.parity));
    }
};

} // namespace v3doff::h264
