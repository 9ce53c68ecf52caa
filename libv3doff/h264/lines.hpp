// SPDX-License-Identifier: BSD-2-Clause
// Which lines of a surface a picture is made of: all of a frame, or every second one of a field.
// And which macroblocks these are.
#pragma once

#include "picture/stage.hpp"
#include "util/divide.hpp"
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

// The lines of a picture, in one plane, that a macroblock has (6.4.1). A field macroblock of an
// MBAFF frame has every second line of its pair. The neighbours of a macroblock are the samples
// beside its lines, and a step above the first one.
struct MacroblockLines {
    uint32_t first, step;

    // rows: those of a macroblock in the plane.
    MacroblockLines(uint32_t mb_y, bool is_field, uint32_t rows)
        : first(is_field ? (mb_y & ~1u) * rows + (mb_y & 1) : mb_y * rows), step(1u + is_field) {}
};

// The macroblocks of a picture or field, or of a band of its rows. A band that is not the picture's
// first one begins with the last row of macroblocks above it: their records filter nothing, but the
// edges below change their last lines.
struct MacroblockArea {
    uint32_t mb_width = 0, mb_height = 0;
    uint32_t top = 0;   // row of macroblocks of the picture that the first one is
    bool above = false; // and whether that is the one above the band
    bool field = false;
    unsigned parity = 0; // 1: the field that begins with the second line

    MacroblockArea() = default;
    // All of a frame, or of a field. Rows of an MBAFF frame are whole pairs.
    MacroblockArea(const PictureFormat &format, const Lines &lines, bool mbaff = false)
        : mb_width(divide_up(format.width, 16u)),
          mb_height(divide_up(format.height, lines.field || mbaff ? 32u : 16u) << unsigned(mbaff)),
          field(lines.field), parity(lines.parity) {}

    uint32_t count() const { return mb_width * mb_height; }
    uint32_t lines_of_row() const { return field ? 32 : 16; } // of the frame
    // Whether the planes' memory holds all of these macroblocks.
    bool fits(const PictureView &picture) const {
        for (unsigned p = 0; p < picture.format.planes(); p++) {
            const PlaneView &plane = picture.plane[p];
            if (plane.padded_width < mb_width * 16 >> picture.format.shift_x(p) ||
                plane.padded_height < mb_height * lines_of_row() >> picture.format.shift_y(p))
                return false;
        }
        return true;
    }
};

} // namespace v3doff::h264
