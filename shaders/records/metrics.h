// SPDX-License-Identifier: BSD-2-Clause
// Push constants of the quality metrics, compiled by C++ and by GLSL. Offsets and strides are in
// words, the rest is in samples unless it says otherwise.
#ifndef V3DOFF_RECORDS_METRICS_H
#define V3DOFF_RECORDS_METRICS_H

#include "records/record.h"

RECORDS_BEGIN(v3doff::metrics)

const uint METRIC_LANES = 256; // invocations of a workgroup

// Words by rows of a workgroup of the kernels that go over whole planes.
const uint METRIC_TILE_X = 32, METRIC_TILE_Y = 64;

struct PsnrPush {
    uint words, height, stride; // of a row; a row's last word is filled up with zeros
    uint result;                // two words a workgroup: the sum's halves, of 16 bits each
};

struct SsimPush {
    uint windows_x, windows_y, stride;
    uint result; // one word a workgroup
    uint c1_low, c1_high, c2_low, c2_high;
};

struct MotionPush {
    uint width, height, stride, depth;
    uint result; // one word a workgroup
};

// One scale of VIF, or the way to the next one.
struct VifPush {
    uint width, height; // of this scale
    uint stride;        // of the planes; of an image in the scratch buffer: its width
    uint depth;
    uint source; // the scale's image in the scratch buffer (scale 0: unused)
    uint target; // columns: the filtered samples; down: the next scale's image
    uint first, rows; // the rows of this band
    uint logarithms;
    uint result; // rows: VIF_RESULTS words a workgroup
    uint taps[9]; // the middle one, then outwards: for loops that would be too long unrolled
};
const uint VIF_TILE_X = 64, VIF_TILE_Y = 4; // of a workgroup of rows
const uint VIF_RESULTS = 5;

// PSNR-HVS-M of a band of windows.
struct HvsPush {
    uint windows_x, stride;
    uint first, count;  // of the band
    uint coefficients;  // 128 words a window: of the reference (later the terms), of the distorted
    uint masks;         // two words a window
    uint sums;          // a word a window: sum of its terms; then the sum of all before it
    uint carry;         // a word: the sum of all bands before
    uint tables;        // 64 sensitivities, 64 maskings
    uint result;        // two words a window, see metrics/psnr_hvs_sum.hpp
};

RECORDS_END

#endif
