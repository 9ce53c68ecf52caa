/*
 * VP9: transforms of inter blocks that are left to libv3doff, in frames that the decoder reconstructs
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

#include <v3doff/vp9.h>

#include "libavutil/common.h"

#include "v3doff.h"
#include "vp9data.h"
#include "vp9dec.h"

/* Lossless transforms have numbers from 4 on, and 4x4 samples. */
static int side_of(int tx)
{
    return tx > TX_32X32 ? 4 : 4 << tx;
}

/*
 * With 8 bits a sample, FFmpeg's functions keep 16 bits between the two passes. If the sum of all
 * magnitudes fits into 16 bits, nothing can overflow. Only damaged streams have larger sums. By eob, the
 * table says in which square at the top left corner coefficients can be.
 */
static int fits_16_bits(const int16_t *block, int tx, int eob)
{
    static const struct { int16_t eob[2]; uint8_t edge[3]; } corners[] = {
        [TX_4X4]   = { {  0,   0 }, { 4,  4,  4 } },
        [TX_8X8]   = { { 12,  12 }, { 4,  4,  8 } },
        [TX_16X16] = { { 10,  38 }, { 4,  8, 16 } },
        [TX_32X32] = { { 34, 135 }, { 8, 16, 32 } },
    };
    const int n = side_of(tx), kind = tx > TX_32X32 ? TX_4X4 : tx;
    const int edge = corners[kind].edge[(eob > corners[kind].eob[0]) +
                                        (eob > corners[kind].eob[1])];
    unsigned sum = 0;

    for (int i = 0; i < edge; i++)
        for (int j = 0; j < edge; j++)
            sum += FFABS((int)block[i * n + j]);
    return sum <= INT16_MAX;
}

/* Returns whether a transform ends at the last row of a band. */
static int ends_band(const VP9Context *s, int plane, int y, int tx)
{
    const int end = (y + side_of(tx)) << (plane ? s->ss_v : 0);

    return !(end & 63) && ff_vp9_v3doff_begins_band(s, end >> 6);
}

/* The first row below all recorded blocks in a column of 32 samples (VP9TileData.v3doff_reach). */
static int *reach(VP9TileData *td, int plane, int x)
{
    return &td->v3doff_reach[plane][(x >> 5) % FF_ARRAY_ELEMS(td->v3doff_reach[plane])];
}

/* Returns whether a recorded block may overlap w samples from x, y on. For most intra blocks this is 0. */
static int may_be_recorded(VP9TileData *td, int plane, int x, int y, int w)
{
    for (int column = x & ~31; column < x + w; column += 32)
        if (*reach(td, plane, column) > y)
            return 1;
    return 0;
}

int ff_vp9_v3doff_residual(VP9TileData *td, int plane, int x, int y,
                           int tx, int eob, int16_t *block)
{
    const VP9Context *s = td->s;
    const AVFrame *f = s->s.frames[CUR_FRAME].tf.f;

    /*
     * Recording a block takes 30 to 200 ns. SIMD does 16x16 in that time, and smaller blocks or a
     * DC alone in less. Blocks that begin outside the frame are not recorded: the loop filter
     * carries their samples into the frame. Nor are blocks at the end of a band, because intra
     * prediction below needs their last row.
     */
    if ((s->v3doff_transforms == V3DOFF_ALL_TRANSFORMS || (tx == TX_32X32 && eob > 1)) &&
        !ends_band(s, plane, y, tx) &&
        x < AV_CEIL_RSHIFT(f->width,  plane ? s->ss_h : 0) &&
        y < AV_CEIL_RSHIFT(f->height, plane ? s->ss_v : 0) &&
        (eob == 1 || s->bytesperpixel > 1 || fits_16_bits(block, tx, eob)) &&
        v3doff_vp9_record_itx(ff_v3doff_handle(s->v3doff), td - s->td, plane, x, y,
                              tx, V3DOFF_VP9_DCT_DCT, eob, block) >= 0) {
        /* Transforms are at most 32 wide and aligned, so none is in two columns. */
        *reach(td, plane, x) = FFMAX(*reach(td, plane, x), y + side_of(tx));
        td->v3doff_blocks++;
        return 1;
    }
    return 0;
}

void ff_vp9_v3doff_require_neighbours(VP9TileData *td)
{
    const VP9Context *s = td->s;
    v3doff_picture *picture = ff_v3doff_handle(s->v3doff);

    for (int p = 0; p < 3; p++) {
        const int ss_h = p ? s->ss_h : 0, ss_v = p ? s->ss_v : 0;
        const int x = td->col * 8 >> ss_h, w = ff_vp9_bwh_tab[1][td->b->bs][0] * 8 >> ss_h;
        const int y = td->row * 8 >> ss_v, h = ff_vp9_bwh_tab[1][td->b->bs][1] * 8 >> ss_v;
        const int left = td->col > td->tile_col_start;

        if (y && may_be_recorded(td, p, x - left, y - 1, w + left))
            v3doff_picture_require(picture, td - s->td, p, x - left, y - 1, w + left, 1);
        if (left && may_be_recorded(td, p, x - 1, y, 1))
            v3doff_picture_require(picture, td - s->td, p, x - 1, y, 1, h);
    }
}
