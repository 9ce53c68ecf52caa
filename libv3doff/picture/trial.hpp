// SPDX-License-Identifier: BSD-2-Clause
// One kind of work on one picture, made from nothing but its size, for the device and for the
// decoder's own functions: what codecs have to be measured with.
#pragma once

#include <functional>

#include "picture/picture.hpp"
#include "v3doff/recipe.h"

namespace v3doff {

// Pictures are classed by their luma samples; one of each class is measured.
struct SizeClass {
    const char *name;
    uint32_t width, height;
};
inline constexpr SizeClass size_classes[] = {
    {"360p", 640, 360}, {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};

struct Trial {
    v3doff_family family{};
    unsigned size = 0; // in size_classes
    PictureFormat format;
    // The same work for the same picture, as often as it is called.
    std::function<void(Picture &)> record;
    std::function<void(const PictureView &)> run_simd;
    // Before both: a picture of the same format, with samples, that is predicted from. Empty: none is.
    std::function<void(Picture &reference)> predict_from = {};
};

} // namespace v3doff
