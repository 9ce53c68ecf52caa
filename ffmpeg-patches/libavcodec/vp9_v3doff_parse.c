/*
 * VP9: parses superblocks of frames that libv3doff reconstructs
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

#include <string.h>

#include "libavutil/mem.h"

#include "v3doff.h"
#include "vp9data.h"
#include "vp9dec.h"
#include "vp9_v3doff_internal.h"

/* Nothing is known to the left of a tile's first column. */
static void forget_left(VP9TileData *td)
{
    for (int i = 0; i < 8; i++)
        td->v3doff_left[i] = V3DOFF_NO_NEIGHBOUR;
    td->v3doff_left_coded = 0;
}

int ff_vp9_v3doff_parse_start(VP9Context *s, int nb_lanes)
{
    av_fast_malloc(&s->v3doff_above, &s->v3doff_above_size, 8 * s->sb_cols * sizeof(*s->v3doff_above));
    av_fast_malloc(&s->v3doff_above_coded, &s->v3doff_above_coded_size,
                   s->sb_cols * sizeof(*s->v3doff_above_coded));
    if (!s->v3doff_above || !s->v3doff_above_coded)
        return 0;
    for (int i = 0; i < 8 * s->sb_cols; i++)
        s->v3doff_above[i] = V3DOFF_NO_NEIGHBOUR;
    memset(s->v3doff_above_coded, 0, s->sb_cols * sizeof(*s->v3doff_above_coded));
    ff_vp9_v3doff_contexts_start(s);
    ff_vp9_v3doff_coefficients_start(s, nb_lanes);
    return 1;
}

/* Makes room for the words of a superblock: what libv3doff reads of it. */
static void make_room(VP9TileData *td)
{
    const VP9Context *s = td->s;
    v3doff_vp9_words *words = &td->v3doff_words;

    if (v3doff_vp9_has_room(words))
        return;
    for (int i = 0; i < 2; i++)
        if (v3doff_vp9_make_room(ff_v3doff_handle(s->v3doff), td - s->td, words) >= 0)
            return;
    /* From here on, each block overwrites the one before. The frame is dropped at its end. */
    td->error_info     = AVERROR(ENOMEM);
    words->block       = words->block_end - V3DOFF_VP9_BLOCK_WORDS;
    words->transform   = words->first_transform;
    words->coefficient = words->first_coefficient;
}

/* decode_partition() of 6.4.3. */
static void read_partition(VP9TileData *td, int row, int col, enum BlockLevel level)
{
    const VP9Context *s = td->s;
    const int half = 4 >> level;
    const int c = (s->above_partition_ctx[col] >> (3 - level) & 1) |
                  (td->left_partition_ctx[row & 7] >> (3 - level) & 1) << 1;
    const uint8_t *p = s->s.h.keyframe || s->s.h.intraonly ?
                       ff_vp9_default_kf_partition_probs[level][c] : s->prob.p.partition[level][c];
    /* Without a second half inside the frame, only some partitions are possible. */
    const int below  = level == BL_8X8 || row + half < s->rows;
    const int beside = level == BL_8X8 || col + half < s->cols;
    V3DoffReader r = td->v3doff_reader;
    enum BlockPartition partition = PARTITION_SPLIT;

    ff_v3doff_need(&r);
    if (below && beside) {
        partition = ff_v3doff_read_four(&r, p);
    } else if (beside) {
        if (!ff_v3doff_read(&r, p[1]))
            partition = PARTITION_H;
    } else if (below) {
        if (!ff_v3doff_read(&r, p[2]))
            partition = PARTITION_V;
    }
    td->v3doff_reader = r;
    td->counts.partition[level][c][partition]++;
    if (partition == PARTITION_SPLIT && level < BL_8X8) {
        read_partition(td, row, col, level + 1);
        if (beside)
            read_partition(td, row, col + half, level + 1);
        if (below)
            read_partition(td, row + half, col, level + 1);
        if (beside && below)
            read_partition(td, row + half, col + half, level + 1);
        return;
    }
    ff_vp9_v3doff_block(td, row, col, level, partition);
    if (level == BL_8X8)
        return;
    if (partition == PARTITION_H && below)
        ff_vp9_v3doff_block(td, row + half, col, level, partition);
    if (partition == PARTITION_V && beside)
        ff_vp9_v3doff_block(td, row, col + half, level, partition);
}

void ff_vp9_v3doff_superblock(VP9TileData *td, int row, int col)
{
    if (col == td->tile_col_start)
        forget_left(td);
    make_room(td);
    ff_v3doff_begin(&td->v3doff_reader, td->c);
    read_partition(td, row, col, BL_64X64);
    ff_v3doff_end(&td->v3doff_reader, td->c);
}
