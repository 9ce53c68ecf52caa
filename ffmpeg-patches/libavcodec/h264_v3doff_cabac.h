/*
 * H.264: the arithmetic decoder for pictures that libv3doff reconstructs
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#ifndef AVCODEC_H264_V3DOFF_CABAC_H
#define AVCODEC_H264_V3DOFF_CABAC_H

#include <stdint.h>

/**
 * @file
 * The arithmetic decoder of 9.3.1.2 and 9.3.3.2, with the bits of up to six bytes in a register. It
 * reads the same bits as FFmpeg's, whose state can be taken over and given back between two symbols.
 */
typedef struct H264V3DoffCabac {
    /** codIOffset in the highest 9 bits, the bits that follow in the stream, a bit that is set, and zeros. */
    uint64_t window;
    uint32_t range;      ///< codIRange, in the highest 9 bits
    const uint8_t *next; ///< the first byte that is not in the window
    const uint8_t *last; ///< where FFmpeg's decoder goes on after a macroblock
    const uint8_t *end;  ///< of the slice
} H264V3DoffCabac;

#endif /* AVCODEC_H264_V3DOFF_CABAC_H */
