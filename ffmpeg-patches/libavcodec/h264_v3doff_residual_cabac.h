/*
 * H.264: coefficients of pictures that libv3doff reconstructs, from CABAC
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
 * Part of h264_v3doff_residual.h, which explains the parameters: residual_block_cabac() of 7.3.5.3.3.
 */

enum { BLOCK_4X4, BLOCK_8X8, BLOCK_DC, BLOCK_DC422 };

/* By ctxBlockCat: the first ctxIdx, which is ctxIdxOffset (table 9-34) plus ctxBlockCatOffset (table 9-40). */
static const struct ResidualContexts {
    uint16_t significant[2], last[2]; // of frame and of field macroblocks
    uint16_t level;
} residual_contexts[14] = {
    { { 105, 277 }, { 166, 338 }, 227 }, { { 120, 292 }, { 181, 353 }, 237 },
    { { 134, 306 }, { 195, 367 }, 247 }, { { 149, 321 }, { 210, 382 }, 257 },
    { { 152, 324 }, { 213, 385 }, 266 }, { { 402, 436 }, { 417, 451 }, 426 },
    { { 484, 776 }, { 572, 864 }, 952 }, { { 499, 791 }, { 587, 879 }, 962 },
    { { 513, 805 }, { 601, 893 }, 972 }, { { 660, 675 }, { 690, 699 }, 708 },
    { { 528, 820 }, { 616, 908 }, 982 }, { { 543, 835 }, { 631, 923 }, 992 },
    { { 557, 849 }, { 645, 937 }, 1002 }, { { 718, 733 }, { 748, 757 }, 766 },
};

/* ctxIdxInc of significant_coeff_flag in 8x8 blocks (table 9-43). */
static const uint8_t significant_8x8[2][63] = {
    { 0,  1,  2,  3,  4,  5,  5,  4,  4,  3,  3,  4,  4,  4,  5,  5,
      4,  4,  4,  4,  3,  3,  6,  7,  7,  7,  8,  9, 10,  9,  8,  7,
      7,  6, 11, 12, 13, 11,  6,  7,  8,  9, 14, 10,  9,  8,  6, 11,
     12, 13, 11,  6,  9, 14, 10,  9, 11, 12, 13, 11, 14, 10, 12 },
    { 0,  1,  1,  2,  2,  3,  3,  4,  5,  6,  7,  7,  7,  8,  4,  5,
      6,  9, 10, 10,  8, 11, 12, 11,  9,  9, 10, 10,  8, 11, 12, 11,
      9,  9, 10, 10,  8, 11, 12, 11,  9,  9, 10, 10,  8, 13, 13,  9,
      9, 10, 10,  8, 13, 13,  9,  9, 10, 10, 14, 14, 14, 14, 14 },
};

/*
 * ctxIdxInc of coeff_abs_level_minus1 (9.3.3.1.3) depends on the levels of the block so far: states 0 to 3
 * mean that 0, 1, 2 or more of them were 1 and none was greater, states 4 to 7 that 1, 2, 3 or more were
 * greater. Here: ctxIdxInc of the first bin, of the others, of the others in chroma DC of 4:2:2, and the
 * state after a level of 1 and after a greater one.
 */
static const struct LevelState {
    uint8_t first, others, others_422, after_one, after_more;
} level_states[8] = {
    { 1, 5, 5, 1, 4 }, { 2, 5, 5, 2, 4 }, { 3, 5, 5, 3, 4 }, { 4, 5, 5, 3, 4 },
    { 0, 6, 6, 4, 5 }, { 0, 7, 7, 5, 6 }, { 0, 8, 8, 6, 7 }, { 0, 9, 8, 7, 7 },
};

/* ctxIdxInc of significant_coeff_flag and last_significant_coeff_flag number i. */
static av_always_inline int context_of(int type, const uint8_t *table, int i)
{
    return type == BLOCK_8X8 ? table[i] : type == BLOCK_DC422 ? FFMIN(i >> 1, 2) : i;
}

/* Reads the significance map: places of coefficients that are not 0, in scan order. Returns their number. */
static av_always_inline int read_places(H264V3DoffCabac *c, uint8_t *significant, uint8_t *last,
                                        uint8_t *places, const uint8_t *scan, int max, int type,
                                        int field)
{
    const uint8_t *last_8x8 = ff_h264_last_coeff_flag_offset_8x8;
    uint64_t window = c->window;
    uint32_t range  = c->range;
    int count = 0;

    for (int i = 0; i < max - 1; i++) {
        window = v3doff_fill(c, window);
        if (v3doff_symbol(&window, &range, significant + context_of(type, significant_8x8[field], i))) {
            places[count++] = scan[i];
            if (v3doff_symbol(&window, &range, last + context_of(type, last_8x8, i)))
                goto end;
        }
    }
    places[count++] = scan[max - 1];
end:
    c->window = window;
    c->range  = range;
    return count;
}

/* A level whose prefix is 14 ones: the suffix is an Exp-Golomb code of order 0 (9.3.2.3). FFmpeg limits its length. */
static av_noinline unsigned read_suffix(H264V3DoffCabac *c)
{
    unsigned value = 1;
    int length = 0;

    while (v3doff_get_bypass(c) && length < 16 + 7)
        length++;
    while (length--)
        value += value + v3doff_get_bypass(c);
    return value + 14U;
}

/* Reads the levels, the last place first, and stores them dequantised. qmul is NULL for DC. */
static av_always_inline void read_levels(H264V3DoffCabac *c, uint8_t *contexts, uint8_t *block,
                                         const uint8_t *places, int count, const uint32_t *qmul,
                                         int type, int shift)
{
    const struct LevelState *state = level_states;
    uint64_t window = c->window;
    uint32_t range  = c->range;

    do {
        const int place = places[--count];
        unsigned level = 1;

        window = v3doff_fill(c, window);
        if (v3doff_symbol(&window, &range, contexts + state->first)) {
            uint8_t *others = contexts + (type == BLOCK_DC422 ? state->others_422 : state->others);

            do {
                level++;
                window = v3doff_fill(c, window);
            } while (level < 15 && v3doff_symbol(&window, &range, others));
            state = &level_states[state->after_more];
            if (level >= 15) {
                c->window = window;
                c->range  = range;
                level  = read_suffix(c);
                window = v3doff_fill(c, c->window);
            }
        } else
            state = &level_states[state->after_one];
        if (v3doff_bypass(&window, range))
            level = -level;
        if (qmul)
            level = (int)(level * qmul[place] + 32) >> 6;
        if (shift)
            ((int32_t *)block)[place] = level;
        else
            ((int16_t *)block)[place] = level;
    } while (count);
    c->window = window;
    c->range  = range;
}

static av_always_inline int read_block(H264SliceContext *sl, void *block, int cat,
                                       const uint8_t *scan, const uint32_t *qmul, int max, int type,
                                       int shift)
{
    const struct ResidualContexts *contexts = &residual_contexts[cat];
    const int field = !!MB_FIELD(sl);
    uint8_t places[64];
    const int count = read_places(&sl->v3doff_cabac, sl->cabac_state + contexts->significant[field],
                                  sl->cabac_state + contexts->last[field], places, scan, max, type,
                                  field);

    read_levels(&sl->v3doff_cabac, sl->cabac_state + contexts->level, block, places, count, qmul,
                type, shift);
    return count;
}

static av_noinline int read_4x4(H264SliceContext *sl, void *block, int cat, const uint8_t *scan,
                                const uint32_t *qmul, int max, int shift)
{
    return read_block(sl, block, cat, scan, qmul, max, BLOCK_4X4, shift);
}

static av_noinline int read_8x8(H264SliceContext *sl, void *block, int cat, const uint8_t *scan,
                                const uint32_t *qmul, int shift)
{
    return read_block(sl, block, cat, scan, qmul, 64, BLOCK_8X8, shift);
}

static av_noinline void read_dc(H264SliceContext *sl, void *block, int cat, const uint8_t *scan,
                                int max, int shift)
{
    read_block(sl, block, cat, scan, NULL, max, BLOCK_DC, shift);
}

static av_noinline void read_dc_422(H264SliceContext *sl, void *block, int shift)
{
    read_block(sl, block, 3, ff_h264_chroma422_dc_scan, NULL, 8, BLOCK_DC422, shift);
}

/* Reads coded_block_flag. */
static av_always_inline int is_coded(H264SliceContext *sl, int cat, int n, int is_dc)
{
    return get_cabac(&sl->cabac, &sl->cabac_state[get_cabac_cbf_ctx(sl, cat, n, 0, is_dc)]);
}

static av_always_inline int read_coded_4x4(H264SliceContext *sl, int n, int cat, const uint8_t *scan,
                                           const uint32_t *qmul, int max, int shift)
{
    const int count = is_coded(sl, cat, n, 0) ?
        read_4x4(sl, next_block(sl, 1, shift), cat, scan, qmul, max, shift) : 0;

    sl->non_zero_count_cache[scan8[n]] = count;
    return count;
}

/* Only with CAVLC does FFmpeg's filter need this. */
static av_always_inline void keep_coded(const H264Context *h, const H264SliceContext *sl, int p, unsigned quarters)
{
}

static av_always_inline int read_coded_8x8(const H264Context *h, H264SliceContext *sl, int n, int cat,
                                           const uint8_t *scan, const uint32_t *qmul, int shift)
{
    const int count = !CHROMA444(h) || is_coded(sl, cat, n, 0) ?
        read_8x8(sl, next_block(sl, 4, shift), cat, scan, qmul, shift) : 0;

    fill_rectangle(&sl->non_zero_count_cache[scan8[n]], 2, 2, 8, count, 1);
    return count;
}

static av_always_inline int read_coded_dc(const H264Context *h, H264SliceContext *sl, void *block,
                                          int n, int cat, const uint8_t *scan, int max, int shift)
{
    if (!is_coded(sl, cat, n, 1))
        return 0;
    h->cbp_table[sl->mb_xy] |= cat == 3 ? 0x40 << (n - CHROMA_DC_BLOCK_INDEX) :
                                          0x100 << (n - LUMA_DC_BLOCK_INDEX);
    if (max == 8)
        read_dc_422(sl, block, shift);
    else
        read_dc(sl, block, cat, scan, max, shift);
    return 1;
}

/* V3DOFF_PARSE() has read mb_skip_flag, except in MBAFF frames. */
#define decode_cabac_mb_skip(h, sl, x, y) (FRAME_MBAFF(h) && decode_cabac_mb_skip(h, sl, x, y))
