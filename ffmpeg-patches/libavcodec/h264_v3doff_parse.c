/*
 * H.264: the CABAC parser for all pictures that libv3doff reconstructs
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

#define V3DOFF_PARSE       ff_h264_v3doff_parse
#define V3DOFF_CABAC       1
#define V3DOFF_420         0
#define V3DOFF_PROGRESSIVE 0

#include "h264_v3doff_parse_template.c"

struct H264V3DoffCabacTables ff_h264_v3doff_cabac;

/* Converts FFmpeg's tables. */
av_cold void ff_h264_v3doff_init_cabac(void)
{
    for (int i = 0; i < 4 * 128; i++)
        ff_h264_v3doff_cabac.lps[4 + (i >> 7)][i & 127] =
            (uint32_t)ff_h264_cabac_tables[H264_LPS_RANGE_OFFSET + i] << 23;
    memcpy(ff_h264_v3doff_cabac.next, ff_h264_cabac_tables + H264_MLPS_STATE_OFFSET,
           sizeof(ff_h264_v3doff_cabac.next));
}
