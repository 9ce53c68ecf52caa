/*
 * VP9: modes of blocks, in frames that libv3doff reconstructs
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

#include "vp9data.h"
#include "vp9dec.h"
#include "vp9_v3doff_parse.h"

typedef struct Neighbour {
    int there, intra, compound, reference;
} Neighbour;

static Neighbour neighbour(int kind)
{
    const Neighbour n = { kind != V3DOFF_NOTHING, kind == V3DOFF_INTRA, kind >= V3DOFF_COMPOUND,
                          kind >= V3DOFF_COMPOUND ? kind - V3DOFF_COMPOUND : kind >= V3DOFF_SINGLE ? kind - V3DOFF_SINGLE : -1 };
    return n;
}

/* The contexts of 9.3, by the two neighbours. The order of the neighbours does not matter. */
static int intra_context(Neighbour a, Neighbour b)
{
    if (!a.there || !b.there)
        return 2 * (a.intra || b.intra);
    return a.intra && b.intra ? 3 : a.intra || b.intra;
}

static int compound_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int fixed_a = a.reference == h->fixcompref, fixed_b = b.reference == h->fixcompref;

    if (!a.there && !b.there)
        return 1;
    if (!a.there || !b.there)
        return a.compound || b.compound ? 3 : fixed_a || fixed_b;
    if (a.compound && b.compound)
        return 4;
    if (a.compound)
        return 2 + (b.intra || fixed_b);
    if (b.compound)
        return 2 + (a.intra || fixed_a);
    return fixed_a ^ fixed_b;
}

static int compound_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int second = h->varcompref[1], first = h->varcompref[0], fixed = h->fixcompref;

    if (!a.there || (a.intra && b.there))
        FFSWAP(Neighbour, a, b);
    if (!a.there || a.intra)
        return 2; // both, if there are two
    if (!b.there)
        return (a.compound ? 4 : 3) * (a.reference != second);
    if (b.intra)
        return 1 + 2 * (a.reference != second);
    if (a.reference == second && b.reference == second)
        return 0;
    if (a.compound && b.compound)
        return a.reference == b.reference ? 4 : 2;
    if (!a.compound && !b.compound) {
        if ((a.reference == fixed && b.reference == first) || (b.reference == fixed && a.reference == first))
            return 4;
        return a.reference == b.reference ? 3 : 1;
    }
    if (b.compound)
        FFSWAP(Neighbour, a, b);
    return a.reference == second ? 1 : b.reference == second ? 2 : 4;
}

static int single_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    const int last_a = !h->fixcompref || !a.reference, last_b = !h->fixcompref || !b.reference;

    if (!a.there || a.intra)
        FFSWAP(Neighbour, a, b);
    if (!a.there || a.intra)
        return 2;
    if (!b.there || b.intra)
        return a.compound ? 1 + (!h->fixcompref || !a.reference) : 4 * !a.reference;
    if (a.compound && b.compound)
        return 1 + (last_a || last_b);
    if (a.compound)
        return 3 * !b.reference + last_a;
    if (b.compound)
        return 3 * !a.reference + last_b;
    return 2 * !a.reference + 2 * !b.reference;
}

/* Whether a single reference that is not the last frame is the golden one. */
static int second_reference_context(const VP9BitstreamHeader *h, Neighbour a, Neighbour b)
{
    int golden_a, golden_b;

    if (!a.there || (a.intra && b.there))
        FFSWAP(Neighbour, a, b);
    golden_a = h->fixcompref == 1 || a.reference == 1;
    golden_b = h->fixcompref == 1 || b.reference == 1;
    if (!a.there || a.intra)
        return 2;
    if (!b.there)
        return a.compound ? 3 * golden_a : !a.reference ? 2 : 4 * (a.reference == 1);
    if (b.intra)
        return a.compound ? 1 + 2 * golden_a : !a.reference ? 3 : 4 * (a.reference == 1);
    if (a.compound && b.compound)
        return a.reference == b.reference ? 3 * golden_a : 2;
    if (a.compound || b.compound) {
        if (b.compound) {
            FFSWAP(Neighbour, a, b);
            golden_a = golden_b;
        }
        return !b.reference ? 1 + 2 * golden_a : 3 * (b.reference == 1) + golden_a;
    }
    if (!a.reference && !b.reference)
        return 3;
    if (!a.reference || !b.reference)
        return 4 * (a.reference == 1 || b.reference == 1);
    return 2 * (a.reference == 1) + 2 * (b.reference == 1);
}

void ff_vp9_v3doff_modes_start(VP9Context *s)
{
    const VP9BitstreamHeader *h = &s->s.h;

    for (int i = 0; i <= V3DOFF_COMPOUND + 2; i++)
        for (int j = 0; j <= V3DOFF_COMPOUND + 2; j++) {
            const Neighbour a = neighbour(i), b = neighbour(j);
            V3DoffVP9Contexts *contexts = &s->v3doff_contexts[i][j];

            contexts->intra              = intra_context(a, b);
            contexts->compound           = compound_context(h, a, b);
            contexts->compound_reference = compound_reference_context(h, a, b);
            contexts->single_reference   = single_reference_context(h, a, b);
            contexts->second_reference   = second_reference_context(h, a, b);
        }
}

static int read_segment(VP9TileData *td, V3DoffReader *r)
{
    const VP9Context *s = td->s;
    const int intra_frame = s->s.h.keyframe || s->s.h.intraonly;
    const int row = td->row, col = td->col;
    const int w = ff_vp9_bwh_tab[1][td->b->bs][0], h = ff_vp9_bwh_tab[1][td->b->bs][1];
    const int in_w = FFMIN((int)s->cols - col, w), in_h = FFMIN((int)s->rows - row, h);
    const int stride = 8 * s->sb_cols;
    int segment = 0;

    if (!intra_frame) {
        int predicted = !s->s.h.segmentation.update_map;

        if (!predicted && s->s.h.segmentation.temporal)
            predicted = ff_v3doff_read(r, s->s.h.segmentation.pred_prob[s->above_segpred_ctx[col] +
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

static av_always_inline int read_transform_size(VP9TileData *td, V3DoffReader *r, int largest, unsigned above, unsigned left)
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

/* Reads the luma modes of a block: by the modes above and on the left, if these are not NULL. */
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
        else if (above)
            b->mode[i] = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0,
                                             ff_vp9_default_kf_ymode_probs[y ? b->mode[x] : above[x]]
                                                                          [x ? b->mode[2 * y] : left[y]]);
        else {
            b->mode[i] = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0, s->prob.p.y_mode[group]);
            td->counts.y_mode[group][b->mode[i]]++;
        }
    }
    if (!above) {
        b->uvmode = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0, s->prob.p.uv_mode[b->mode[3]]);
        td->counts.uv_mode[b->mode[3]][b->uvmode]++;
        return;
    }
    b->uvmode = ff_v3doff_read_tree(r, ff_vp9_intramode_tree, 0, ff_vp9_default_kf_uvmode_probs[b->mode[3]]);
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

static av_always_inline void read_references(VP9TileData *td, V3DoffReader *r, const V3DoffVP9Contexts *contexts)
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

/* The context of an inter mode (9.3), by the kinds of the two neighbours' modes. */
static av_always_inline int inter_mode_context(unsigned above, unsigned left)
{
    static const uint8_t kinds[16] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3 };
    static const uint8_t contexts[4][4] = { { 6, 5, 5, 5 }, { 5, 2, 1, 3 }, { 5, 1, 0, 3 }, { 5, 3, 3, 4 } };

    return contexts[kinds[MODE(above)]][kinds[MODE(left)]];
}

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

void ff_vp9_v3doff_modes(VP9TileData *td)
{
    /* Which neighbour's mode counts, for blocks of at least 8x8. */
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
        td->v3doff_filter = 0; // no filter is read
        b->filter = s->s.h.filtermode;
    }
    if (b->bs > BS_8x8)
        read_quarters(td, &r, c);
    td->v3doff_reader = r;
    if (b->bs <= BS_8x8)
        ff_vp9_v3doff_vectors(td, b->mv[0], b->mode[0], -1);
}
