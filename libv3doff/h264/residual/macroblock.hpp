// SPDX-License-Identifier: BSD-2-Clause
// The residual of one macroblock as a whole-picture recording has it.
#pragma once

#include <cstdint>

namespace v3doff::h264 {

// Coefficients are dequantised, and DC coefficients that are coded apart are transformed and in
// their blocks (ITU-T H.264 8.5.10, 8.5.11). Nobody copies them when a macroblock is appended: they
// stay where they are until the stage is cleared.
struct MacroblockResidual {
    // By plane, bit i: the 4x4 block i in the order of 6.4.3 is coded; chroma of 4:2:0 has 4
    // blocks, of 4:2:2 8 in raster order. With 8x8 transforms an 8x8 block has all of its four bits
    // or none.
    uint16_t coded[3];
    bool transform_8x8; // of luma, and of chroma in 4:4:4
    // Of the coded blocks one after the other, planes in their order: int16_t for 8 bits a sample,
    // int32_t above, [column * edge + row]. PCM: the samples instead, row after row and plane after
    // plane, uint8_t for 8 bits, uint16_t above.
    const uint32_t *coefficients;
    uint32_t source; // where the first of them is among those of all lanes
    uint32_t blocks; // of 4x4 that are coded; one of 8x8 is four
};

} // namespace v3doff::h264
