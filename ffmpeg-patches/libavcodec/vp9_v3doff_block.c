/*
 * VP9: parses the modes of blocks in frames that libv3doff reconstructs, and records the blocks
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

/**
 * @file
 * Does what decode_mode() in vp9block.c does: decode_block() of 6.4.4, with the contexts of 9.3. The bits
 * are read by a V3DoffReader, which functions keep in a local variable. Blocks become words of the thread's
 * lane (v3doff_words), which libv3doff reads when the frame ends.
 */

#include <string.h>

#include "v3doff.h"
#include "vp9data.h"
#include "vp9dec.h"
#include "vp9_v3doff_internal.h"

/* Returns segment_id. */
static int read_segment(VP9TileData *td, V3DoffReader *r)
{
    const VP9Context *s = td->s;
    const int intra_frame = s->s.h.keyframe || s->s.h.intraonly;
    const int row = td->row, col = td->col;
    const int w = ff_vp9_bwh_tab[1][td->b->bs][0], h = ff_vp9_bwh_tab[1][td->b->bs][1];
    const int in_w = FFMIN((int)s->cols - col, w), in_h = FFMIN((int)s->rows - row, h);
    const int stride = 8 * s->sb_cols;
    const uint8_t *pred_prob = s->s.h.segmentation.pred_prob;
    int segment = 0;

    if (!intra_frame) {
        int predicted = !s->s.h.segmentation.update_map;

        if (!predicted && s->s.h.segmentation.temporal)
            predicted = ff_v3doff_read(r, pred_prob[s->above_segpred_ctx[col] +
                                                    td->left_segpred_ctx[td->row7]]);
        memset(&s->above_segpred_ctx[col], predicted, in_w);
        memset(&td->left_segpred_ctx[td->row7], predicted, in_h);
        if (!predicted)
            segment = ff_v3doff_read_tree(r, ff_vp9_segmentation_tree, 0, s->s.h.segmentation.prob);
        else if (!s->s.h.errorres && s->s.frames[REF_FRAME_SEGMAP].segmentation_map) {
            const uint8_t *map = s->s.frames[REF_FRAME_SEGMAP].segmentation_map + row * stride + col;

            ff_vp9_v3doff_await_parsed(&s->s.frames[REF_FRAME_SEGMAP], row >> 3);
            segment = 8;
            for (int y = 0; y < in_h; y++, map += stride)
                for (int x = 0; x < in_w; x++)
                    segment = FFMIN(segment, map[x]);
        }
    } else if (s->s.h.segmentation.update_map)
        segment = ff_v3doff_read_tree(r, ff_vp9_segmentation_tree, 0, s->s.h.segmentation.prob);
    if (s->s.h.segmentation.update_map || intra_frame)
        for (int y = 0; y < h; y++)
            memset(&s->s.frames[CUR_FRAME].segmentation_map[(row + y) * stride + col], segment, w);
    return segment;
}

/* Reads tx_size. above, left: the neighbours, as vp9_v3doff_internal.h describes them */
static av_always_inline int read_transform_size(VP9TileData *td, V3DoffReader *r, int largest,
                                                unsigned above, unsigned left)
{
    const VP9Context *s = td->s;
    int of_above = SKIPPED(above) ? largest : TX(above), of_left = SKIPPED(left) ? largest : TX(left);
    int c = 1, tx;

    if (KIND(above) || KIND(left)) {
        if (!KIND(above))
            of_above = of_left;
        if (!KIND(left))
            of_left = of_above;
        c = of_above + of_left > largest;
    }
    ff_v3doff_need(r);
    if (largest == TX_32X32) {
        tx = ff_v3doff_read(r, s->prob.p.tx32p[c][0]);
        if (tx) {
            tx += ff_v3doff_read(r, s->prob.p.tx32p[c][1]);
            if (tx == 2)
                tx += ff_v3doff_read_bit(r, s->prob.p.tx32p[c][2]);
        }
        td->counts.tx32p[c][tx]++;
    } else if (largest == TX_16X16) {
        tx = ff_v3doff_read(r, s->prob.p.tx16p[c][0]);
        if (tx)
            tx += ff_v3doff_read_bit(r, s->prob.p.tx16p[c][1]);
        td->counts.tx16p[c][tx]++;
    } else if (largest == TX_8X8) {
        tx = ff_v3doff_read_bit(r, s->prob.p.tx8p[c]);
        td->counts.tx8p[c][tx]++;
    } else
        tx = TX_4X4;
    return tx;
}

/*
 * Reads the modes of an intra block. above, left: in an intra frame, the modes of 4x4 samples above and on
 * the left, on which probabilities depend there; this block's take their place. NULL in other frames.
 */
static void read_intra_modes(VP9TileData *td, V3DoffReader *r, uint8_t *above, uint8_t *left)
{
    static const uint8_t size_group[N_BS_SIZES] = { 3, 3, 3, 3, 2, 2, 2, 1, 1, 1 };
    const VP9Context *s = td->s;
    VP9Block *b = td->b;
    const int group = size_group[b->bs];

    for (int i = 0; i < 4; i++) {
        const int x = i & 1, y = i >> 1;

        if (i && (b->bs <= BS_8x8 || (b->bs == BS_8x4 && x) || (b->bs == BS_4x8 && y)))
            b->mode[i] = b->mode[b->bs == BS_4x8 ? x : b->bs == BS_8x4 ? i - 1 : 0];
        else if (above) {
            const int mode_above = y ? b->mode[x] : above[x], mode_left = x ? b->mode[2 * y] : left[y];

            b->mode[i] = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0,
                                             ff_vp9_default_kf_ymode_probs[mode_above][mode_left]);
        } else {
            b->mode[i] = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0, s->prob.p.y_mode[group]);
            td->counts.y_mode[group][b->mode[i]]++;
        }
    }
    if (!above) {
        b->uvmode = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0, s->prob.p.uv_mode[b->mode[3]]);
        td->counts.uv_mode[b->mode[3]][b->uvmode]++;
        return;
    }
    b->uvmode = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0,
                                    ff_vp9_default_kf_uvmode_probs[b->mode[3]]);
    if (b->bs > BS_8x8) {
        above[0] = b->mode[2];
        above[1] = b->mode[3];
        left[0]  = b->mode[1];
        left[1]  = b->mode[3];
    } else {
        memset(above, b->mode[0], ff_vp9_bwh_tab[0][b->bs][0]);
        memset(left,  b->mode[0], ff_vp9_bwh_tab[0][b->bs][1]);
    }
}

static av_always_inline void read_references(VP9TileData *td, V3DoffReader *r,
                                             const V3DoffVP9Contexts *contexts)
{
    const VP9Context *s = td->s;
    VP9Block *b = td->b;
    int c, bit;

    if (s->s.h.segmentation.enabled && s->s.h.segmentation.feat[b->seg_id].ref_enabled) {
        b->comp   = 0;
        b->ref[0] = s->s.h.segmentation.feat[b->seg_id].ref_val - 1;
        return;
    }
    if (s->s.h.comppredmode == PRED_SWITCHABLE) {
        c = contexts->compound;
        b->comp = ff_v3doff_read(r, s->prob.p.comp[c]);
        td->counts.comp[c][b->comp]++;
    } else
        b->comp = s->s.h.comppredmode == PRED_COMPREF;
    if (b->comp) {
        const int fixed = s->s.h.signbias[s->s.h.fixcompref];

        c   = contexts->compound_reference;
        bit = ff_v3doff_read_bit(r, s->prob.p.comp_ref[c]);
        td->counts.comp_ref[c][bit]++;
        b->ref[fixed]  = s->s.h.fixcompref;
        b->ref[!fixed] = s->s.h.varcompref[bit];
        return;
    }
    c   = contexts->single_reference;
    bit = ff_v3doff_read(r, s->prob.p.single_ref[c][0]);
    td->counts.single_ref[c][0][bit]++;
    b->ref[0] = 0;
    if (bit) {
        c   = contexts->second_reference;
        bit = ff_v3doff_read_bit(r, s->prob.p.single_ref[c][1]);
        td->counts.single_ref[c][1][bit]++;
        b->ref[0] = 1 + bit;
    }
}

static av_always_inline int read_inter_mode(VP9TileData *td, V3DoffReader *r, int c)
{
    static const uint8_t modes[4] = { ZEROMV, NEARESTMV, NEARMV, NEWMV };
    const int mode = modes[ff_v3doff_read_four(r, td->s->prob.p.mv_mode[c])];

    td->counts.mv_mode[c][mode - NEARESTMV]++;
    return mode;
}

/* The context of inter_mode. Neighbours' modes are of four kinds: others, NEARESTMV and NEARMV, ZEROMV, NEWMV. */
static av_always_inline int inter_mode_context(unsigned above, unsigned left)
{
    static const uint8_t kinds[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3 };
    static const uint8_t contexts[4][4] = {
        { 6, 5, 5, 5 }, { 5, 2, 1, 3 }, { 5, 1, 0, 3 }, { 5, 3, 3, 4 },
    };

    return contexts[kinds[MODE(above)]][kinds[MODE(left)]];
}

/* Reads interp_filter. */
static av_always_inline int read_filter(VP9TileData *td, V3DoffReader *r, unsigned above, unsigned left)
{
    const unsigned of_above = FILTER(above), of_left = FILTER(left);
    const int c = of_above == of_left || of_above == 3 ? of_left : of_left == 3 ? of_above : 3;
    int filter;

    ff_v3doff_need(r);
    filter = ff_v3doff_read(r, td->s->prob.p.filter[c][0]);
    if (filter)
        filter += ff_v3doff_read_bit(r, td->s->prob.p.filter[c][1]);
    td->counts.filter[c][filter]++;
    return filter;
}

/* Reads modes and vectors of an inter block smaller than 8x8, as of four 4x4 blocks. c: the modes' context */
static void read_quarters(VP9TileData *td, V3DoffReader *r, int c)
{
    VP9Block *b = td->b;

    for (int i = 0; i < 4; i++) {
        const int from = b->bs == BS_4x8 ? i - 2 : i - 1;

        if ((b->bs == BS_8x4 && i & 1) || (b->bs == BS_4x8 && i >= 2)) {
            b->mode[i] = b->mode[from];
            memcpy(b->mv[i], b->mv[from], sizeof(b->mv[i]));
            continue;
        }
        b->mode[i] = read_inter_mode(td, r, c);
        td->v3doff_reader = *r;
        ff_vp9_v3doff_vectors(td, b->mv[i], b->mode[i], i);
        *r = td->v3doff_reader;
    }
}

/* Reads everything of a block but its coefficients. */
static av_always_inline void read_modes(VP9TileData *td)
{
    /* By block size: which of the neighbours along a side decides the context of inter_mode. */
    static const uint8_t offset[N_BS_SIZES] = { 3, 0, 0, 1 };
    static const uint8_t largest_of[N_BS_SIZES] = { 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0 };
    const VP9Context *s = td->s;
    VP9Block *b = td->b;
    const uint16_t *aboves = s->v3doff_above + td->col, *lefts = td->v3doff_left + td->row7;
    const unsigned above = *aboves, left = *lefts;
    const V3DoffVP9Contexts *contexts = &s->v3doff_contexts[KIND(above)][KIND(left)];
    const int intra_frame = s->s.h.keyframe || s->s.h.intraonly;
    const int segmented = s->s.h.segmentation.enabled, largest = largest_of[b->bs];
    V3DoffReader r = td->v3doff_reader;
    int c, must_skip;

    ff_v3doff_need(&r);
    b->seg_id = segmented ? read_segment(td, &r) : 0;
    b->skip = must_skip = segmented && s->s.h.segmentation.feat[b->seg_id].skip_enabled;
    ff_v3doff_need(&r);
    if (!b->skip) {
        c = SKIPPED(above) + SKIPPED(left);
        b->skip = ff_v3doff_read_bit(&r, s->prob.p.skip[c]);
        td->counts.skip[c][b->skip]++;
    }
    if (intra_frame)
        b->intra = 1;
    else if (segmented && s->s.h.segmentation.feat[b->seg_id].ref_enabled)
        b->intra = !s->s.h.segmentation.feat[b->seg_id].ref_val;
    else {
        const int inter = ff_v3doff_read(&r, s->prob.p.intra[contexts->intra]);

        td->counts.intra[contexts->intra][inter]++;
        b->intra = !inter;
    }
    b->tx = (b->intra || !b->skip) && s->s.h.txfmmode == TX_SWITCHABLE ?
            read_transform_size(td, &r, largest, above, left) : FFMIN(largest, s->s.h.txfmmode);
    if (b->intra) {
        b->comp = 0;
        read_intra_modes(td, &r, intra_frame ? &s->above_mode_ctx[2 * td->col] : NULL,
                         &td->left_mode_ctx[2 * td->row7]);
        td->v3doff_reader = r;
        return;
    }
    ff_v3doff_need(&r);
    read_references(td, &r, contexts);
    c = inter_mode_context(aboves[offset[b->bs]], lefts[offset[b->bs]]);
    if (b->bs <= BS_8x8)
        memset(b->mode, must_skip ? ZEROMV : read_inter_mode(td, &r, c), sizeof(b->mode));
    if (s->s.h.filtermode == FILTER_SWITCHABLE) {
        td->v3doff_filter = read_filter(td, &r, above, left);
        b->filter = ff_vp9_filter_lut[td->v3doff_filter];
    } else {
        td->v3doff_filter = 0;
        b->filter = s->s.h.filtermode;
    }
    if (b->bs > BS_8x8)
        read_quarters(td, &r, c);
    td->v3doff_reader = r;
    if (b->bs <= BS_8x8)
        ff_vp9_v3doff_vectors(td, b->mv[0], b->mode[0], -1);
}

/* Appends the block to the words. */
static av_always_inline void append_block(VP9TileData *td)
{
    const VP9Block *b = td->b;
    const v3doff_vp9_block block = { td->row, td->col, b->bs, b->seg_id, b->tx };

    if (b->intra) {
        v3doff_vp9_append_intra(&td->v3doff_words, &block, b->mode, b->uvmode,
                                td->col == td->tile_col_start);
    } else {
        const int ref[2] = { b->ref[0], b->comp ? b->ref[1] : -1 };

        _Static_assert(sizeof(b->mv) == 4 * 2 * 2 * sizeof(int16_t),
                       "vectors are handed over as they are");
        v3doff_vp9_append_inter(&td->v3doff_words, &block, ref, (v3doff_vp9_filter)b->filter,
                                (const int16_t (*)[2][2])b->mv,
                                (b->skip ? V3DOFF_VP9_SKIPPED : 0) |
                                (b->mode[3] == ZEROMV ? V3DOFF_VP9_ZEROMV : 0));
    }
}

/* Returns what later blocks need to know of this one. */
static av_always_inline unsigned as_neighbour(const VP9TileData *td)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;
    const unsigned word = b->skip << 3 | b->tx << 4 | b->mode[3] << 8 |
                          (b->bs > BS_8x8 ? V3DOFF_HAS_QUARTERS : 0);

    if (b->intra)
        return word | V3DOFF_INTRA | V3DOFF_NO_FILTER;
    if (b->comp) {
        const int variable = s->s.h.signbias[s->s.h.varcompref[0]];

        return word | V3DOFF_COMPOUND + b->ref[variable] | td->v3doff_filter << 6;
    }
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

/* Saves the vectors of the current block, of w x h, for blocks that follow and for other frames. */
static av_always_inline void save_vectors(VP9TileData *td, int w, int h)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;
    const int stride = 8 * s->sb_cols;
    VP9mvrefPair *row = s->s.frames[CUR_FRAME].mv + td->row * stride + td->col;
    VP9mvrefPair pair;

    w = FFMIN((int)s->cols - td->col, w);
    h = FFMIN((int)s->rows - td->row, h);
    pair.ref[0] = b->intra ? -1 : b->ref[0];
    pair.ref[1] = b->comp ? b->ref[1] : -1;
    AV_COPY64U(pair.mv, b->mv[b->bs > BS_8x8 ? 3 : 0]);
    do {
        int x = 0;

        do
            row[x] = pair;
        while (++x < w);
        row += stride;
    } while (--h);
    if (b->bs > BS_8x8 && !b->intra) {
        AV_COPY64U(td->left_mv_ctx[2 * td->row7],     b->mv[1]);
        AV_COPY64U(td->left_mv_ctx[2 * td->row7 + 1], b->mv[3]);
        AV_COPY64U(s->above_mv_ctx[2 * td->col],      b->mv[2]);
        AV_COPY64U(s->above_mv_ctx[2 * td->col + 1],  b->mv[3]);
    }
}

void ff_vp9_v3doff_block(VP9TileData *td, int row, int col, enum BlockLevel level,
                         enum BlockPartition partition)
{
    /* What the contexts of partition below and on the right of this block depend on. */
    static const uint8_t above_partition[N_BS_SIZES] = {
        0, 0, 8, 8, 8, 12, 12, 12, 14, 14, 14, 15, 15
    };
    static const uint8_t left_partition[N_BS_SIZES] = {
        0, 8, 0, 8, 12, 8, 12, 14, 12, 14, 15, 14, 15
    };
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
    read_modes(td);
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
    save_vectors(td, w, h);
    append_block(td);
}
