// SPDX-License-Identifier: BSD-2-Clause
// One kind of work on one picture, for measuring. It is made only from the picture's size, for the
// device and for the decoder's own functions.
#pragma once

#include <functional>

#include "picture/picture.hpp"
#include "v3doff/recipe.h"

namespace v3doff {

// Pictures belong to classes by their number of luma samples. One size of each class is measured.
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
    // Each call does the same work for the same picture.
    std::function<void(Picture &)> record;
    std::function<void(const PictureView &)> run_simd;
    // Called before both, with a filled picture of the same format to predict from. Empty: none is
    // needed.
    std::function<void(Picture &reference)> predict_from = {};
};

} // namespace v3doff
