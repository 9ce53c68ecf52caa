// SPDX-License-Identifier: BSD-2-Clause
// Which lines of a surface a picture is made of: all of a frame, or every second one of a field.
#pragma once

#include "picture/stage.hpp"
#include "v3doff/h264.h"

namespace v3doff::h264 {

struct Lines {
    bool field = false;
    unsigned parity = 0; // 1: from the second line on

    Lines() = default;
    Lines(bool is_field, unsigned of_parity) : field(is_field), parity(of_parity) {}
    explicit Lines(v3doff_h264_structure structure)
        : field(structure != V3DOFF_H264_FRAME), parity(structure == V3DOFF_H264_BOTTOM_FIELD) {}

    v3doff_h264_structure structure() const {
        return !field   ? V3DOFF_H264_FRAME
               : parity ? V3DOFF_H264_BOTTOM_FIELD
                        : V3DOFF_H264_TOP_FIELD;
    }
    // These lines as a picture of their own.
    PictureFormat of(PictureFormat format) const {
        if (field) format.height = (format.height + 1) / 2;
        return format;
    }
    SampleMap of(SampleMap map) const {
        if (!field) return map;
        map.format = of(map.format);
        for (unsigned p = 0; p < map.format.planes(); p++) {
            map.offset_words[p] += parity * map.stride_words[p];
            map.stride_words[p] *= 2;
        }
        return map;
    }
    PictureView of(PictureView view) const {
        if (!field) return view;
        view.format = of(view.format);
        for (unsigned p = 0; p < view.format.planes(); p++) {
            PlaneView &plane = view.plane[p];
            plane.data += ptrdiff_t(parity) * plane.stride;
            plane.stride *= 2;
            plane.height = (plane.height + 1 - parity) / 2;
            plane.padded_height /= 2;
        }
        return view;
    }
};

} // namespace v3doff::h264
