/*
 * H.264: what the parser of a macroblock in a progressive frame needs of its neighbours
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
 * h264_v3doff_parse_template.c lets h264_mvpred.h include this instead of its fill_decode_caches(), for
 * frames without field macroblocks. It leaves the same in the slice's context with less work, because
 * neighbours are at known distances.
 */

/* Which samples around an intra macroblock are available, and the modes around its 4x4 blocks. */
static av_always_inline void fill_intra_caches(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    const int mask = h->ps.pps->constrained_intra_pred ? IS_INTRA(-1) : -1;
    const int top  = sl->top_type & mask, left = sl->left_type[LTOP] & mask;
    int8_t *cache  = sl->intra4x4_pred_mode_cache + 4 + 8 * 1;

    sl->topleft_samples_available  = (top ? 0xFFFF : 0xB3FF) & (left ? 0xFFFF : 0xDF5F) &
                                     (sl->topleft_type & mask ? 0xFFFF : 0x7FFF);
    sl->top_samples_available      = top ? 0xFFFF : 0x33FF;
    sl->left_samples_available     = left ? 0xFFFF : 0x5F5F;
    sl->topright_samples_available = (top ? 0xEEEA : 0x26EA) &
                                     (sl->topright_type & mask ? 0xFFFF : 0xFBFF);
    if (!IS_INTRA4x4(mb_type))
        return;
    if (IS_INTRA4x4(sl->top_type))
        AV_COPY32(cache - 8, sl->intra4x4_pred_mode + h->mb2br_xy[sl->top_mb_xy]);
    else
        AV_WN32(cache - 8, 0x01010101U * (uint8_t)(top ? 2 : -1));
    for (int i = 0; i < 4; i++)
        cache[8 * i - 1] = IS_INTRA4x4(sl->left_type[LTOP]) ?
            sl->intra4x4_pred_mode[h->mb2br_xy[sl->left_mb_xy[LTOP]] + 6 - i] : left ? 2 : -1;
}

/* The coefficient counts of the blocks around the macroblock, and with CABAC the cbp. */
static av_always_inline void fill_coded_caches(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    const int missing = !CABAC(h) || IS_INTRA(mb_type) ? 64 : 0, cbp = IS_INTRA(mb_type) ? 0x7CF : 0x00F;
    uint8_t *cache = sl->non_zero_count_cache;

    if (sl->top_type) {
        const uint8_t *nnz = h->non_zero_count[sl->top_mb_xy];

        AV_COPY32(&cache[4 + 8 *  0], &nnz[4 * 3]);
        AV_COPY32(&cache[4 + 8 *  5], &nnz[4 * 5]);
        AV_COPY32(&cache[4 + 8 * 10], &nnz[4 * 9]);
        if (CABAC(h))
            sl->top_cbp = h->cbp_table[sl->top_mb_xy];
    } else {
        for (int p = 0; p < 3; p++)
            AV_WN32A(&cache[4 + 8 * 5 * p], 0x01010101U * missing);
        sl->top_cbp = cbp;
    }
    if (sl->left_type[LTOP]) {
        const uint8_t *nnz = h->non_zero_count[sl->left_mb_xy[LTOP]];

        for (int i = 0; i < 4; i++)
            cache[3 + 8 * (1 + i)] = nnz[3 + 4 * i];
        for (int i = 0; i < 2; i++) {
            cache[3 + 8 * ( 6 + i)] = nnz[17 + 4 * i];
            cache[3 + 8 * (11 + i)] = nnz[33 + 4 * i];
        }
        if (CABAC(h))
            sl->left_cbp = h->cbp_table[sl->left_mb_xy[LTOP]] & 0x7FA;
    } else {
        for (int i = 0; i < 4; i++)
            cache[3 + 8 * (1 + i)] = missing;
        for (int i = 0; i < 2; i++)
            cache[3 + 8 * (6 + i)] = cache[3 + 8 * (11 + i)] = missing;
        sl->left_cbp = cbp;
    }
}

/* The motion around the macroblock. */
static av_always_inline void fill_motion_caches(const H264Context *h, H264SliceContext *sl, int mb_type,
                                                int list)
{
    const int stride = h->b_stride, up = 4 * h->mb_stride, missing = PART_NOT_AVAILABLE;
    const int16_t (*mv)[2] = h->cur_pic.motion_val[list] + h->mb2b_xy[sl->mb_xy];
    const int8_t *ref = h->cur_pic.ref_index[list] + 4 * sl->mb_xy;
    int16_t (*mv_cache)[2] = &sl->mv_cache[list][scan8[0]];
    int8_t *ref_cache = &sl->ref_cache[list][scan8[0]];

    if (USES_LIST(sl->top_type, list)) {
        AV_COPY128(mv_cache[-8], mv[-stride]);
        AV_WN16A(ref_cache - 8, 0x0101U * (uint8_t)ref[2 - up]);
        AV_WN16A(ref_cache - 6, 0x0101U * (uint8_t)ref[3 - up]);
    } else {
        AV_ZERO128(mv_cache[-8]);
        AV_WN32A(ref_cache - 8, 0x01010101U * (uint8_t)(sl->top_type ? LIST_NOT_USED : missing));
    }
    for (int i = 0; i < (mb_type & (MB_TYPE_16x8 | MB_TYPE_8x8) ? 4 : 1); i++)
        if (USES_LIST(sl->left_type[LTOP], list)) {
            AV_COPY32(mv_cache[8 * i - 1], mv[i * stride - 1]);
            ref_cache[8 * i - 1] = ref[(i & 2) - 3];
        } else {
            AV_ZERO32(mv_cache[8 * i - 1]);
            ref_cache[8 * i - 1] = sl->left_type[LTOP] ? LIST_NOT_USED : missing;
        }
    if (USES_LIST(sl->topright_type, list)) {
        AV_COPY32(mv_cache[4 - 8], mv[4 - stride]);
        ref_cache[4 - 8] = ref[6 - up];
    } else {
        AV_ZERO32(mv_cache[4 - 8]);
        ref_cache[4 - 8] = sl->topright_type ? LIST_NOT_USED : missing;
    }
    if (ref_cache[2 - 8] >= 0 && ref_cache[4 - 8] >= 0)
        return;
    if (USES_LIST(sl->topleft_type, list)) {
        AV_COPY32(mv_cache[-1 - 8], mv[-1 - stride]);
        ref_cache[-1 - 8] = ref[-1 - up];
    } else {
        AV_ZERO32(mv_cache[-1 - 8]);
        ref_cache[-1 - 8] = sl->topleft_type ? LIST_NOT_USED : missing;
    }
}

/* Blocks to the right of the macroblock, which follow later, are not available. */
static av_always_inline void fill_later_motion(H264SliceContext *sl, int list)
{
    sl->ref_cache[list][scan8[4]] = sl->ref_cache[list][scan8[12]] = PART_NOT_AVAILABLE;
    AV_ZERO32(sl->mv_cache[list][scan8[4]]);
    AV_ZERO32(sl->mv_cache[list][scan8[12]]);
}

/* The mvd of the blocks around the macroblock. */
static av_always_inline void fill_difference_caches(const H264Context *h, H264SliceContext *sl, int list)
{
    uint8_t (*cache)[2] = &sl->mvd_cache[list][scan8[0]];

    AV_ZERO16(cache[2 + 8 * 0]);
    AV_ZERO16(cache[2 + 8 * 2]);
    if (USES_LIST(sl->top_type, list))
        AV_COPY64(cache[-8], sl->mvd_table[list][h->mb2br_xy[sl->top_mb_xy]]);
    else
        AV_ZERO64(cache[-8]);
    if (USES_LIST(sl->left_type[LTOP], list)) {
        uint8_t (*left)[2] = sl->mvd_table[list] + h->mb2br_xy[sl->left_mb_xy[LTOP]] + 6;

        for (int i = 0; i < 4; i++)
            AV_COPY16(cache[8 * i - 1], left[-i]);
    } else {
        for (int i = 0; i < 4; i++)
            AV_ZERO16(cache[8 * i - 1]);
    }
}

/* Which blocks around a macroblock of a B slice have direct motion. */
static av_always_inline void fill_direct_cache(const H264Context *h, H264SliceContext *sl)
{
    const int direct = MB_TYPE_DIRECT2 >> 1, other = MB_TYPE_16x16 >> 1;
    const int top = sl->top_type, left = sl->left_type[LTOP];
    uint8_t *cache = &sl->direct_cache[scan8[0]];

    fill_rectangle(cache, 4, 4, 8, other, 1);
    if (!IS_DIRECT(top) && IS_8X8(top)) {
        cache[0 - 8] = h->direct_table[4 * sl->top_mb_xy + 2];
        cache[2 - 8] = h->direct_table[4 * sl->top_mb_xy + 3];
    } else
        AV_WN32A(cache - 8, 0x01010101U * (IS_DIRECT(top) ? direct : other));
    for (int i = 0; i < 2; i++)
        cache[16 * i - 1] = IS_DIRECT(left) ? direct :
            IS_8X8(left) ? h->direct_table[4 * sl->left_mb_xy[LTOP] + 1 + 2 * i] : other;
}

static av_always_inline void fill_decode_caches(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    const int has_motion = !(mb_type & (MB_TYPE_SKIP | MB_TYPE_DIRECT2));

    if (!IS_SKIP(mb_type)) {
        if (IS_INTRA(mb_type))
            fill_intra_caches(h, sl, mb_type);
        fill_coded_caches(h, sl, mb_type);
    }
    if (IS_INTER(mb_type) || IS_DIRECT(mb_type) && sl->direct_spatial_mv_pred)
        for (int list = 0; list < sl->list_count; list++)
            if (USES_LIST(mb_type, list)) {
                fill_motion_caches(h, sl, mb_type, list);
                if (has_motion)
                    fill_later_motion(sl, list);
                if (has_motion && CABAC(h))
                    fill_difference_caches(h, sl, list);
                if (has_motion && CABAC(h) && sl->slice_type_nos == AV_PICTURE_TYPE_B)
                    fill_direct_cache(h, sl);
            }
    sl->neighbor_transform_size = !!IS_8x8DCT(sl->top_type) + !!IS_8x8DCT(sl->left_type[LTOP]);
}
