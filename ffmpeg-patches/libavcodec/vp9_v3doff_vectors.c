/*
 * VP9: finds and parses motion vectors, in frames that libv3doff reconstructs
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

#include "vp9data.h"
#include "vp9dec.h"
#include "vp9_v3doff_internal.h"

/*
 * What find_mv_refs(), append_sub8x8_mvs() and read_mv() of the specification do, and find_ref_mvs() in
 * vp9mvs.c. Vectors are compared and kept as 32-bit words, a VP9mv each.
 */

#define NO_VECTOR 0x80008000U

/*
 * A search among candidates, in their order: for the first vector (NEARESTMV, NEWMV), or for the first one
 * that is different from it (NEARMV).
 */
typedef struct Search {
    int second;          ///< look for a different one
    int quarter;         ///< 1 to 3: the quarter of a block smaller than 8x8 that has the vector; else 0 or -1
    uint32_t first;      ///< what it must be different from; NO_VECTOR: not found yet
    uint32_t unclamped;  ///< of a quarter: a candidate that is equal to it only when clamped; or NO_VECTOR
    uint32_t found;
} Search;

static av_always_inline uint32_t clamped(const VP9TileData *td, uint32_t vector)
{
    const VP9Context *s = td->s;
    const int w = ff_vp9_bwh_tab[1][td->b->bs][0], h = ff_vp9_bwh_tab[1][td->b->bs][1];
    VP9mv mv;

    AV_WN32A(&mv, vector);
    mv.x = av_clip(mv.x, -(128 + td->col * 64), 128 + ((int)s->cols - td->col - w) * 64);
    mv.y = av_clip(mv.y, -(128 + td->row * 64), 128 + ((int)s->rows - td->row - h) * 64);
    return AV_RN32A(&mv);
}

/* Tries a candidate. This and the following functions return whether the search is over. */
static av_always_inline int take(const VP9TileData *td, Search *search, uint32_t vector)
{
    if (search->quarter > 0) {
        const int known = search->unclamped != NO_VECTOR;

        if (known && search->unclamped == vector)
            return 0;
        search->found = clamped(td, vector);
        if (search->found != search->first)
            return 1;
        search->found = 0; // as in libvpx
        search->unclamped = vector;
        return known;
    }
    if (search->second && search->first == NO_VECTOR) {
        search->first = vector;
        return 0;
    }
    if (search->second && search->first == vector)
        return 0;
    search->found = clamped(td, vector);
    return 1;
}

/* Tries the vector of a block that has the same reference. */
static av_always_inline int take_same(const VP9TileData *td, Search *search, const VP9mvrefPair *pair,
                                      int ref)
{
    if (pair->ref[0] == ref)
        return take(td, search, AV_RN32A(&pair->mv[0]));
    return pair->ref[1] == ref && take(td, search, AV_RN32A(&pair->mv[1]));
}

/* Returns vector i of a pair, inverted if its reference lies in the other direction than ref. */
static av_always_inline uint32_t towards(const VP9Context *s, const VP9mvrefPair *pair, int i, int ref)
{
    VP9mv mv = pair->mv[i];

    if (s->s.h.signbias[pair->ref[i]] != s->s.h.signbias[ref]) {
        mv.x = -mv.x;
        mv.y = -mv.y;
    }
    return AV_RN32A(&mv);
}

/* Tries the vectors of a block that have other references. */
static av_always_inline int take_other(const VP9TileData *td, Search *search, const VP9mvrefPair *pair,
                                       int ref)
{
    if (pair->ref[0] != ref && pair->ref[0] >= 0 && take(td, search, towards(td->s, pair, 0, ref)))
        return 1;
    // as in libvpx, the vectors are compared before they are inverted
    return pair->ref[1] != ref && pair->ref[1] >= 0 &&
           AV_RN32A(&pair->mv[0]) != AV_RN32A(&pair->mv[1]) &&
           take(td, search, towards(td->s, pair, 1, ref));
}

/*
 * Tries the earlier quarters of this block, then the nearest quarters of the blocks above and on the left.
 * z: which of the block's references, ref: that reference
 */
static av_always_inline int take_quarters(const VP9TileData *td, Search *search,
                                          const VP9mvrefPair *pairs, int ref, int z)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;
    const int quarter = search->quarter;

    for (int i = quarter == 3 ? 2 : 0; quarter > 0 && i >= 0; i--) {
        const uint32_t vector = AV_RN32A(&b->mv[i][z]);

        if (!search->second || (search->first != NO_VECTOR && search->first != vector)) {
            search->found = vector;
            return 1;
        }
        search->first = vector;
    }
    if (td->row > 0) {
        const VP9mvrefPair *pair = pairs - 8 * s->sb_cols;
        const VP9mv *mv = s->v3doff_above[td->col] & V3DOFF_HAS_QUARTERS ?
                          s->above_mv_ctx[2 * td->col + (quarter & 1)] : pair->mv;

        if (pair->ref[0] == ref || pair->ref[1] == ref)
            if (take(td, search, AV_RN32A(&mv[pair->ref[0] != ref])))
                return 1;
    }
    if (td->col > td->tile_col_start) {
        const VP9mvrefPair *pair = pairs - 1;
        const VP9mv *mv = td->v3doff_left[td->row7] & V3DOFF_HAS_QUARTERS ?
                          td->left_mv_ctx[2 * td->row7 + (quarter >> 1)] : pair->mv;

        if (pair->ref[0] == ref || pair->ref[1] == ref)
            if (take(td, search, AV_RN32A(&mv[pair->ref[0] != ref])))
                return 1;
    }
    return 0;
}

/* By block size: the places of candidates, as x and y in 8 samples (mv_ref_blocks of the specification). */
static const int8_t candidates[N_BS_SIZES - 3][8][2] = {
    { {  3, -1 }, { -1,  3 }, {  4, -1 }, { -1,  4 }, { -1, -1 }, {  0, -1 }, { -1,  0 }, {  6, -1 } },
    { {  0, -1 }, { -1,  0 }, {  4, -1 }, { -1,  2 }, { -1, -1 }, {  0, -3 }, { -3,  0 }, {  2, -1 } },
    { { -1,  0 }, {  0, -1 }, { -1,  4 }, {  2, -1 }, { -1, -1 }, { -3,  0 }, {  0, -3 }, { -1,  2 } },
    { {  1, -1 }, { -1,  1 }, {  2, -1 }, { -1,  2 }, { -1, -1 }, {  0, -3 }, { -3,  0 }, { -3, -3 } },
    { {  0, -1 }, { -1,  0 }, {  2, -1 }, { -1, -1 }, { -1,  1 }, {  0, -3 }, { -3,  0 }, { -3, -3 } },
    { { -1,  0 }, {  0, -1 }, { -1,  2 }, { -1, -1 }, {  1, -1 }, { -3,  0 }, {  0, -3 }, { -3, -3 } },
    { {  0, -1 }, { -1,  0 }, {  1, -1 }, { -1,  1 }, { -1, -1 }, {  0, -3 }, { -3,  0 }, { -3, -3 } },
    { {  0, -1 }, { -1,  0 }, {  1, -1 }, { -1, -1 }, {  0, -2 }, { -2,  0 }, { -2, -1 }, { -1, -2 } },
    { { -1,  0 }, {  0, -1 }, { -1,  1 }, { -1, -1 }, { -2,  0 }, {  0, -2 }, { -1, -2 }, { -2, -1 } },
    { {  0, -1 }, { -1,  0 }, { -1, -1 }, {  0, -2 }, { -2,  0 }, { -1, -2 }, { -2, -1 }, { -2, -2 } },
};

/* Returns the vector of a mode, clamped. quarter: -1: of a whole block */
static av_always_inline uint32_t search_vector(const VP9TileData *td, int ref, int z, int second,
                                               int quarter)
{
    const VP9Context *s = td->s;
    const int8_t (*offset)[2] = candidates[FFMIN(td->b->bs, BS_8x8)];
    const int stride = 8 * s->sb_cols;
    const VP9mvrefPair *pairs = s->s.frames[CUR_FRAME].mv + td->row * stride + td->col;
    const VP9mvrefPair *before = NULL;
    const int left = (int)td->tile_col_start - td->col, right = (int)s->cols - td->col;
    const int top = -td->row, bottom = (int)s->rows - td->row;
    Search search = { second, quarter, NO_VECTOR, NO_VECTOR };

    if (quarter >= 0 && take_quarters(td, &search, pairs, ref, z))
        return search.found;

#define IS_INSIDE(i) (offset[i][0] >= left && offset[i][0] < right && \
                      offset[i][1] >= top  && offset[i][1] < bottom)
#define PAIR(i)      (pairs + offset[i][1] * stride + offset[i][0])

    for (int i = quarter >= 0 ? 2 : 0; i < 8; i++)
        if (IS_INSIDE(i) && take_same(td, &search, PAIR(i), ref))
            return search.found;
    if (s->s.h.use_last_frame_mvs) {
        before = s->s.frames[REF_FRAME_MVPAIR].mv + td->row * stride + td->col;
        ff_vp9_v3doff_await_parsed(&s->s.frames[REF_FRAME_MVPAIR], td->row >> 3);
        if (take_same(td, &search, before, ref))
            return search.found;
    }
    for (int i = 0; i < 8; i++)
        if (IS_INSIDE(i) && take_other(td, &search, PAIR(i), ref))
            return search.found;
    if (before && take_other(td, &search, before, ref))
        return search.found;
    return clamped(td, 0);
}

static av_noinline uint32_t vector_of_block(const VP9TileData *td, int ref, int z, int second)
{
    return search_vector(td, ref, z, second, -1);
}

static av_noinline uint32_t vector_of_quarter(const VP9TileData *td, int ref, int z, int second,
                                              int quarter)
{
    return search_vector(td, ref, z, second, quarter);
}

/* Reads a component of a vector's difference. i: 0 for y, 1 for x. precise: usehp */
static av_always_inline int read_component(VP9TileData *td, V3DoffReader *r, int i, int precise)
{
    const uint8_t (*const fractions)[3] = td->s->prob.p.mv_comp[i].class0_fp;
    const uint8_t *fraction_probability = td->s->prob.p.mv_comp[i].fp;
    unsigned *fractions_counted = td->counts.mv_comp[i].fp, *precise_counted = td->counts.mv_comp[i].hp;
    int precise_probability = td->s->prob.p.mv_comp[i].hp;
    int sign, class, fraction, bit = 1, n = 0;

    ff_v3doff_need(r);
    sign  = ff_v3doff_read_bit(r, td->s->prob.p.mv_comp[i].sign);
    class = ff_v3doff_read(r, td->s->prob.p.mv_comp[i].classes[0]);
    if (class && ff_v3doff_read(r, td->s->prob.p.mv_comp[i].classes[1]))
        class = ff_v3doff_read_tree(r, ff_vp9_mv_class_tree, 2, td->s->prob.p.mv_comp[i].classes);
    td->counts.mv_comp[i].sign[sign]++;
    td->counts.mv_comp[i].classes[class]++;
    if (class) {
        for (int m = 0; m < class; m++) {
            ff_v3doff_need(r);
            bit = ff_v3doff_read_bit(r, td->s->prob.p.mv_comp[i].bits[m]);
            n  |= bit << m;
            td->counts.mv_comp[i].bits[m][bit]++;
        }
        n += 1 << class;
    } else {
        ff_v3doff_need(r);
        n = ff_v3doff_read_bit(r, td->s->prob.p.mv_comp[i].class0);
        td->counts.mv_comp[i].class0[n]++;
        fraction_probability = fractions[n];
        fractions_counted    = td->counts.mv_comp[i].class0_fp[n];
        precise_probability  = td->s->prob.p.mv_comp[i].class0_hp;
        precise_counted      = td->counts.mv_comp[i].class0_hp;
    }
    fraction = ff_v3doff_read_four(r, fraction_probability);
    fractions_counted[fraction]++;
    bit = 1; // as in libvpx, this is counted even if it is not in the stream
    if (precise) {
        ff_v3doff_need(r);
        bit = ff_v3doff_read_bit(r, precise_probability);
    }
    precise_counted[bit]++;
    n = (n << 3 | fraction << 1 | bit) + 1;
    return sign ? -n : n;
}

/* Rounds towards 0. */
static av_always_inline int to_even(int x)
{
    return x & 1 ? x + (x < 0 ? 1 : -1) : x;
}

void ff_vp9_v3doff_vectors(VP9TileData *td, VP9mv *mv, int mode, int quarter)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;

    if (mode == ZEROMV) {
        AV_ZERO32(&mv[0]);
        AV_ZERO32(&mv[1]);
        return;
    }
    for (int z = 0; z <= b->comp; z++) {
        const int of_block = mode == NEWMV || quarter < 0;
        int precise = 0;

        AV_WN32A(&mv[z], of_block ? vector_of_block(td, b->ref[z], z, mode == NEARMV) :
                                    vector_of_quarter(td, b->ref[z], z, mode == NEARMV, quarter));
        if (of_block) {
            precise = s->s.h.highprecisionmvs && FFABS(mv[z].x) < 64 && FFABS(mv[z].y) < 64;
            if (!precise) {
                mv[z].x = to_even(mv[z].x);
                mv[z].y = to_even(mv[z].y);
            }
        }
        if (mode == NEWMV) {
            V3DoffReader r = td->v3doff_reader;
            const enum MVJoint joint = ff_v3doff_read_four(&r, s->prob.p.mv_joint);

            td->counts.mv_joint[joint]++;
            if (joint >= MV_JOINT_V)
                mv[z].y += read_component(td, &r, 0, precise);
            if (joint & 1)
                mv[z].x += read_component(td, &r, 1, precise);
            td->v3doff_reader = r;
        }
    }
}
