// SPDX-License-Identifier: BSD-2-Clause
// One kind of work on one picture, for measuring. It is made only from the picture's size, for the
// device and for the decoder's own functions.
#pragma once

#include <functional>
#include <memory>

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
    Trial(v3doff_family of, unsigned in_size_classes) : family(of), size(in_size_classes) {
        format = {size_classes[size].width, size_classes[size].height, 8, V3DOFF_CHROMA_420};
    }

    v3doff_family family;
    unsigned size; // in size_classes
    PictureFormat format;
    // Each call does the same work for the same picture.
    std::function<void(Picture &)> record;
    std::function<void(const PictureView &)> run_simd;
    // Called before both, with a filled picture of the same format to predict from. May be empty.
    std::function<void(Picture &reference)> predict_from;
};

// Makes it a trial of whole pictures. Whole has the codec's part: record(Picture &),
// reconstruct(const PictureView &), and the surface `reference` to predict from.
template <typename Whole, typename... Parts>
Trial whole_trial(Trial trial, const Parts &...parts) {
    auto whole = std::make_shared<Whole>(parts...);
    trial.predict_from = [whole](Picture &reference) { whole->reference = reference.as_surface(); };
    trial.record = [whole](Picture &picture) { whole->record(picture); };
    trial.run_simd = [whole](const PictureView &picture) { whole->reconstruct(picture); };
    return trial;
}

} // namespace v3doff
