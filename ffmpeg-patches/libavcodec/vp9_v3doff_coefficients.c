/*
 * VP9: parses residuals of frames that libv3doff reconstructs
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

#include "libavutil/thread.h"

#include "vp9data.h"
#include "vp9dec.h"
#include "vp9_v3doff_internal.h"

/*
 * residual() and tokens() of 6.4, with the contexts of 9.3. Coefficients become words of the thread's lane
 * (v3doff_words), which libv3doff reads when the frame ends. It also dequantises them.
 */

/* By transform size: the number of coefficients in each band, and 0. */
static const int16_t band_sizes[4][7] = {
    { 1, 2, 3, 4,  3,   16 - 13 },
    { 1, 2, 3, 4, 11,   64 - 21 },
    { 1, 2, 3, 4, 11,  256 - 21 },
    { 1, 2, 3, 4, 11, 1024 - 21 },
};

/** A coefficient in scan order. */
typedef struct Place {
    uint16_t place;        ///< its index in the block
    uint16_t neighbour[2]; ///< indices in scan order of two that the next one's context depends on
    uint16_t unused;
} Place;

static Place scans_4x4[4][16], scans_8x8[4][64], scans_16x16[4][256], scan_32x32[1024];
static const Place *scans[4][4];
static AVOnce scans_made = AV_ONCE_INIT;

static void make_scan(Place *places, int tx, int type)
{
    const int16_t *scan = ff_vp9_scans[tx][type];
    const int16_t (*neighbours)[2] = ff_vp9_scans_nb[tx][type];
    const int n = 16 << 2 * tx;
    uint16_t order[1024];

    for (int i = 0; i < n; i++)
        order[scan[i]] = i;
    for (int i = 0; i < n; i++) {
        places[i].place = scan[i];
        for (int j = 0; j < 2; j++)
            places[i].neighbour[j] = order[neighbours[i][j]];
    }
    scans[tx][type] = places;
}

static void make_scans(void)
{
    for (int type = 0; type < 4; type++) {
        make_scan(scans_4x4[type], TX_4X4, type);
        make_scan(scans_8x8[type], TX_8X8, type);
        make_scan(scans_16x16[type], TX_16X16, type);
        make_scan(scan_32x32, TX_32X32, type);
    }
}

/*
 * v3doff_above_coded and v3doff_left_coded have 16 bits for each plane. They say which 4x4 blocks in the last
 * row of a superblock above, or in the last column of the one on the left, have coefficients. Returns the
 * bits of a block. n: its width or height, place: where it begins in the superblock, both in 8 luma samples
 */
static uint64_t coded_bits(int n, int place, int subsampled)
{
    const uint64_t luma   = ((1ULL << 2 * n) - 1) << 2 * place;
    const uint64_t chroma = ((1ULL << (2 * n >> subsampled)) - 1) << (2 * place >> subsampled);

    return luma | chroma << 16 | chroma << 32;
}

void ff_vp9_v3doff_coefficients_start(VP9Context *s, int nb_lanes)
{
    ff_thread_once(&scans_made, make_scans);
    for (int n = 1; n <= 8; n *= 2)
        for (int place = 0; place <= 8 - n; place++) {
            s->v3doff_not_coded[0][n][place] = ~coded_bits(n, place, s->ss_h);
            s->v3doff_not_coded[1][n][place] = ~coded_bits(n, place, s->ss_v);
        }
    for (int lane = 0; lane < nb_lanes; lane++) {
        V3DoffVP9Tokens *tokens = s->td[lane].v3doff_tokens[0][0][0][0];
        const uint8_t (*p)[11] = s->prob.coef[0][0][0][0];

        for (int i = 0; i < 4 * 2 * 2 * 6 * 6; i++) {
            memset(&tokens[i], 0, sizeof(tokens[i]));
            memcpy(tokens[i].probability, p[i], sizeof(p[i]));
        }
    }
}

void ff_vp9_v3doff_count(VP9TileData *td)
{
    const V3DoffVP9Tokens *tokens = td->v3doff_tokens[0][0][0][0];
    unsigned (*coef)[3] = td->counts.coef[0][0][0][0], (*eob)[2] = td->counts.eob[0][0][0][0];

    for (int i = 0; i < 4 * 2 * 2 * 6 * 6; i++) {
        const unsigned *first = tokens[i].first, *later = tokens[i].later;

        for (int token = 0; token < 3; token++)
            coef[i][token] += first[token] + later[token];
        eob[i][0] += tokens[i].ends;
        eob[i][1] += first[0] + first[1] + first[2];
    }
}

/* Reads extra bits of a token, whose probabilities end with 0. ff_v3doff_need() must follow. */
static av_always_inline int read_bits(V3DoffReader *r, const uint8_t *probabilities)
{
    int value = 0;

    for (; *probabilities; probabilities++) {
        ff_v3doff_need(r);
        value = 2 * value + ff_v3doff_read_bit(r, *probabilities);
    }
    return value;
}

/* Reads a value of at least 2. class: its energy class, for contexts. 8 bits may be shifted out afterwards. */
static av_always_inline int read_large(V3DoffReader *r, const uint8_t *p, int bits, unsigned *class)
{
    static const uint8_t category[3][6] = {
        { 173, 148, 140 }, { 176, 155, 140, 135 }, { 180, 157, 141, 134, 130 },
    };
    static const uint8_t category_6[] = {
        255, 255, 255, 255, 254, 254, 254, 252, 249, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0
    };

    int value;

    ff_v3doff_need(r);
    if (!ff_v3doff_read(r, p[3])) {
        if (!ff_v3doff_read(r, p[4])) {
            *class = 2;
            return 2;
        }
        ff_v3doff_need(r);
        *class = 3;
        return 3 + ff_v3doff_read_bit(r, p[5]);
    }
    ff_v3doff_need(r);
    if (!ff_v3doff_read(r, p[6])) {
        *class = 4;
        ff_v3doff_need(r);
        if (!ff_v3doff_read(r, p[7]))
            return 5 + ff_v3doff_read_bit(r, 159);
        value = 7 + 2 * ff_v3doff_read_bit(r, 165);
        return value + ff_v3doff_read_bit(r, 145);
    }
    *class = 5;
    if (!ff_v3doff_read(r, p[8])) {
        if (!ff_v3doff_read(r, p[9]))
            return 11 + read_bits(r, category[0]);
        return 19 + read_bits(r, category[1]);
    }
    ff_v3doff_need(r);
    if (!ff_v3doff_read(r, p[10]))
        return 35 + read_bits(r, category[2]);
    return 67 + read_bits(r, category_6 + 18 - 14 - (bits - 8));
}

/*
 * Reads the tokens of a transform, and appends its coefficients to words. Returns its eob. band: the
 * contexts of the transform's size, plane and prediction. bits: of samples.
 *
 * A token shifts at most 22 bits out of the reader: 7 for each of three decisions, and 1 for the sign.
 */
static av_always_inline int append_transform(V3DoffReader *r, uint32_t **words, V3DoffVP9Tokens *band,
                                             int context, const Place *place,
                                             const int16_t *band_size, int bits)
{
    uint8_t classes[1024], *class = classes; // 32 times the class, and 16
    V3DoffVP9Tokens *tokens = band + context;
    const Place *begin = place;
    uint32_t *word = *words;
    int left = *band_size;

#define NEXT_PLACE \
    if (!--left) { \
        left = *++band_size; \
        band += 6; \
        if (!left) { \
            place++; \
            break; /* this was the last place: no token says that the block ends */ \
        } \
    } \
    tokens = (V3DoffVP9Tokens *)((uint8_t *)band + ((classes[place->neighbour[0]] + \
                                                     classes[place->neighbour[1]]) & ~63)); \
    place++

    _Static_assert(sizeof(V3DoffVP9Tokens) == 64, "contexts are multiplied by a shift");
    ff_v3doff_need(r);
    for (;;) {
        unsigned *count = tokens->first;
        unsigned energy;
        int value, sign;

        if (!ff_v3doff_read(r, tokens->probability[0])) {
            tokens->ends++;
            break;
        }
        ff_v3doff_need(r);
        if (!ff_v3doff_read(r, tokens->probability[1])) {
            tokens->first[0]++;
            for (;;) {
                *class++ = 16;
                NEXT_PLACE;
                ff_v3doff_need(r);
                if (ff_v3doff_read(r, tokens->probability[1]))
                    break;
                tokens->later[0]++;
            }
            if (!left)
                break;
            count = tokens->later;
        }
        if (!ff_v3doff_read(r, tokens->probability[2])) {
            count[1]++;
            energy = 1;
            value  = 1;
        } else {
            count[2]++;
            value = read_large(r, tokens->probability, bits, &energy);
        }
        *class++ = 32 * energy + 16;
        sign = ff_v3doff_read_mask(r, 128);
        *word++ = v3doff_vp9_coefficient(place->place, (value ^ sign) - sign);
        NEXT_PLACE;
    }
#undef NEXT_PLACE
    *words = word;
    return place - begin;
}

void ff_vp9_v3doff_no_coefficients(VP9TileData *td)
{
    const VP9Context *s = td->s;
    const uint8_t *size = ff_vp9_bwh_tab[1][td->b->bs];

    s->v3doff_above_coded[td->col >> 3] &= s->v3doff_not_coded[0][size[0]][td->col7];
    td->v3doff_left_coded               &= s->v3doff_not_coded[1][size[1]][td->row7];
}

/* Returns the type of a luma transform. i: which 4x4 block, in intra blocks smaller than 8x8 */
static av_always_inline int type_of(const VP9Block *b, int i)
{
    return ff_vp9_intra_txfm_type[b->mode[i]];
}

int ff_vp9_v3doff_coefficients(VP9TileData *td)
{
    const VP9Context *s = td->s;
    const VP9Block *b = td->b;
    const uint8_t *size = ff_vp9_bwh_tab[1][b->bs];
    const int quarters = b->bs > BS_8x8 && b->intra, lossless = s->s.h.lossless, bits = s->s.h.bpp;
    uint64_t *all_above = &s->v3doff_above_coded[td->col >> 3];
    uint64_t before_above = *all_above >> 2 * td->col7;
    uint64_t before_left  = td->v3doff_left_coded >> 2 * td->row7;
    uint64_t now_above = *all_above & s->v3doff_not_coded[0][size[0]][td->col7];
    uint64_t now_left  = td->v3doff_left_coded & s->v3doff_not_coded[1][size[1]][td->row7];
    uint32_t *coefficient = td->v3doff_words.coefficient;
    V3DoffReader r = td->v3doff_reader;
    /* These describe one plane, luma first. Their unit is 4 samples. */
    int tx = b->tx, type = type_of(b, 0), in_x = 2 * td->col7, in_y = 2 * td->row7, any = 0;
    int end_x = 2 * FFMIN((int)s->cols - td->col, size[0]);
    int end_y = 2 * FFMIN((int)s->rows - td->row, size[1]);
    int place_x = 2 * td->col, place_y = 2 * td->row;

    for (int plane = 0;;) {
        const int step = 1 << tx;
        const unsigned covered = (1U << step) - 1;
        const Place *scan = scans[tx][lossless ? DCT_DCT : type];
        V3DoffVP9Tokens *tokens = td->v3doff_tokens[tx][!!plane][!b->intra][0];
        unsigned above = before_above, left = before_left;

        for (int y = 0; y < end_y; y += step) {
            for (int x = 0; x < end_x; x += step) {
                const int context = !!(above >> x & covered) + !!(left >> y & covered);
                const uint32_t *begin = coefficient;
                int eob;

                if (quarters && !plane) {
                    type = type_of(b, 2 * y + x);
                    scan = scans[TX_4X4][lossless ? DCT_DCT : type];
                }
                eob = append_transform(&r, &coefficient, tokens, context, scan, band_sizes[tx], bits);
                above &= ~(covered << x);
                left  &= ~(covered << y);
                if (!eob)
                    continue;
                above |= covered << x;
                left  |= covered << y;
                any    = 1;
                if (coefficient != begin) {
                    td->v3doff_words.coefficient = coefficient;
                    v3doff_vp9_append_transform(&td->v3doff_words, plane, place_x + x, place_y + y,
                                                tx, type, eob);
                }
            }
        }
        now_above |= (uint64_t)(above & ((1U << end_x) - 1)) << in_x;
        now_left  |= (uint64_t)(left & ((1U << end_y) - 1)) << in_y;
        if (plane == 2)
            break;
        if (!plane) {
            tx      = b->uvtx;
            type    = DCT_DCT;
            in_x  >>= s->ss_h;
            in_y  >>= s->ss_v;
            end_x >>= s->ss_h;
            end_y >>= s->ss_v;
            place_x >>= s->ss_h;
            place_y >>= s->ss_v;
        }
        plane++;
        in_x += 16;
        in_y += 16;
        before_above = *all_above >> in_x;
        before_left  = td->v3doff_left_coded >> in_y;
    }
    *all_above            = now_above;
    td->v3doff_left_coded = now_left;
    td->v3doff_reader     = r;
    return any;
}
