/*
 * VP9: superblocks of frames that libv3doff reconstructs
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
#include "vp9_v3doff.h"
#include "vp9_v3doff_parse.h"

static void forget_left(VP9TileData *td)
{
    for (int i = 0; i < 8; i++)
        td->v3doff_left[i] = V3DOFF_NO_NEIGHBOUR;
    td->v3doff_left_coded = 0;
}

int ff_vp9_v3doff_parse_start(VP9Context *s, int nb_lanes)
{
    av_fast_malloc(&s->v3doff_above, &s->v3doff_above_size, 8 * s->sb_cols * sizeof(*s->v3doff_above));
    av_fast_mallocz(&s->v3doff_above_coded, &s->v3doff_above_coded_size, s->sb_cols * sizeof(*s->v3doff_above_coded));
    if (!s->v3doff_above || !s->v3doff_above_coded)
        return 0;
    for (int i = 0; i < 8 * s->sb_cols; i++)
        s->v3doff_above[i] = V3DOFF_NO_NEIGHBOUR;
    memset(s->v3doff_above_coded, 0, s->sb_cols * sizeof(*s->v3doff_above_coded));
    ff_vp9_v3doff_modes_start(s);
    ff_vp9_v3doff_coefficients_start(s, nb_lanes);
    return 1;
}

/* Makes room for a superblock's words. */
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

static av_always_inline void append_block(VP9TileData *td)
{
    const VP9Block *b = td->b;
    const v3doff_vp9_block block = { td->row, td->col, b->bs, b->seg_id, b->tx };

    if (b->intra) {
        v3doff_vp9_append_intra(&td->v3doff_words, &block, b->mode, b->uvmode,
                                td->col == td->tile_col_start);
    } else {
        const int ref[2] = { b->ref[0], b->comp ? b->ref[1] : -1 };

        _Static_assert(sizeof(b->mv) == 4 * 2 * 2 * sizeof(int16_t), "vectors are handed over as they are");
        v3doff_vp9_append_inter(&td->v3doff_words, &block, ref, (v3doff_vp9_filter)b->filter,
                                (const int16_t (*)[2][2])b->mv,
                                (b->skip ? V3DOFF_VP9_SKIPPED : 0) |
                                (b->mode[3] == ZEROMV ? V3DOFF_VP9_ZEROMV : 0));
    }
}

/* Returns the current block as a neighbour of others. */
static av_always_inline unsigned as_neighbour(const VP9TileData *td)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;
    const unsigned word = b->skip << 3 | b->tx << 4 | b->mode[3] << 8 | (b->bs > BS_8x8 ? V3DOFF_HAS_QUARTERS : 0);

    if (b->intra)
        return word | V3DOFF_INTRA | V3DOFF_NO_FILTER;
    if (b->comp)
        return word | V3DOFF_COMPOUND + b->ref[s->s.h.signbias[s->s.h.varcompref[0]]] | td->v3doff_filter << 6;
    return word | V3DOFF_SINGLE + b->ref[0] | td->v3doff_filter << 6;
}

static av_always_inline void fill_words(uint16_t *words, int n, unsigned word)
{
    const uint64_t four = word * 0x0001000100010001ULL;

    switch (n) {
    case 1: *words = word;                                            break;
    case 2: AV_WN32(words, four);                                     break;
    case 4: AV_WN64(words, four);                                     break;
    case 8: AV_WN64(words, four); AV_WN64(words + 4, four);           break;
    }
}

static av_always_inline void fill_bytes(uint8_t *bytes, int n, unsigned byte)
{
    const uint64_t eight = byte * 0x0101010101010101ULL;

    switch (n) {
    case 1: *bytes = byte;          break;
    case 2: AV_WN16(bytes, eight);  break;
    case 4: AV_WN32(bytes, eight);  break;
    case 8: AV_WN64(bytes, eight);  break;
    }
}

static av_noinline void read_block(VP9TileData *td, int row, int col, enum BlockLevel level, enum BlockPartition partition)
{
    /* What partitions near this block are read by, for columns and rows. */
    static const uint8_t above_partition[N_BS_SIZES] = { 0, 0, 8, 8, 8, 12, 12, 12, 14, 14, 14, 15, 15 };
    static const uint8_t left_partition[N_BS_SIZES]  = { 0, 8, 0, 8, 12, 8, 12, 14, 12, 14, 15, 14, 15 };
    const VP9Context *s = td->s;
    VP9Block *b = td->b;
    const enum BlockSize size = 3 * level + partition;
    const int w = ff_vp9_bwh_tab[1][size][0], h = ff_vp9_bwh_tab[1][size][1];
    unsigned word;

    td->row  = row;
    td->row7 = row & 7;
    td->col  = col;
    td->col7 = col & 7;
    b->bs = size;
    b->bl = level;
    b->bp = partition;
    ff_vp9_v3doff_modes(td);
    b->uvtx = b->tx - ((s->ss_h && w * 2 == (1 << b->tx)) || (s->ss_v && h * 2 == (1 << b->tx)));
    if (td->block_structure) {
        td->block_structure[td->nb_block_structure].row = row;
        td->block_structure[td->nb_block_structure].col = col;
        td->block_structure[td->nb_block_structure].block_size_idx_x = av_log2(w);
        td->block_structure[td->nb_block_structure].block_size_idx_y = av_log2(h);
        td->nb_block_structure++;
    }
    if (b->skip)
        ff_vp9_v3doff_no_coefficients(td);
    else if (!ff_vp9_v3doff_coefficients(td) && size <= BS_8x8 && !b->intra)
        b->skip = 1;
    word = as_neighbour(td);
    fill_words(s->v3doff_above + col, w, word);
    fill_words(td->v3doff_left + td->row7, h, word);
    fill_bytes(s->above_partition_ctx + col, w, above_partition[size]);
    fill_bytes(td->left_partition_ctx + td->row7, h, left_partition[size]);
    ff_vp9_v3doff_save_vectors(td);
    append_block(td);
}

static void read_partition(VP9TileData *td, int row, int col, enum BlockLevel level)
{
    const VP9Context *s = td->s;
    const int half = 4 >> level;
    const int c = (s->above_partition_ctx[col] >> (3 - level) & 1) |
                  (td->left_partition_ctx[row & 7] >> (3 - level) & 1) << 1;
    const uint8_t *p = s->s.h.keyframe || s->s.h.intraonly ? ff_vp9_default_kf_partition_probs[level][c] :
                                                             s->prob.p.partition[level][c];
    /* Without a second half inside the frame, only some partitions are possible. */
    const int below = level == BL_8X8 || row + half < s->rows, beside = level == BL_8X8 || col + half < s->cols;
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
    read_block(td, row, col, level, partition);
    if (level == BL_8X8)
        return;
    if (partition == PARTITION_H && below)
        read_block(td, row + half, col, level, partition);
    if (partition == PARTITION_V && beside)
        read_block(td, row, col + half, level, partition);
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
