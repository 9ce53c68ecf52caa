// SPDX-License-Identifier: BSD-2-Clause
// The macroblocks of a picture, or of some rows of it.
#pragma once

#include "h264/lines.hpp"
#include "util/divide.hpp"

namespace v3doff::h264 {

// Of a picture or of a field, or of a band of rows of it. A band that is not the picture's first
// one begins with the last row of macroblocks above it: their records filter nothing, but the edges
// below change their last lines.
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
