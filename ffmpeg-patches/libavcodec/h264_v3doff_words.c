/*
 * H.264: parses macroblocks of pictures that libv3doff reconstructs, and records them as words
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
 * *Words* are libv3doff's records of macroblocks and blocks. Each slice context appends to a list of its
 * own (v3doff_words). A macroblock is parsed by one of the parsers of h264_v3doff_parse*.c, which appends
 * the coded blocks. Or it is parsed by FFmpeg's own parser (*stock*), which leaves them in the slice's block
 * buffer (H264SliceContext.mb). From there this file takes them. In both cases this file appends the
 * macroblock itself: its place, kind, modes and which blocks are coded.
 */

#include <string.h>

#include "get_bits.h"
#include "h264_ps.h"
#include "h264_v3doff_internal.h"
#include "h264dsp.h"
#include "v3doff_compat.h"

/* ---- Blocks in the slice's block buffer -------------------------------------- */

/* Appends nb blocks of 4x4, and clears them in the buffer. */
static av_always_inline void take_blocks(v3doff_h264_words *words, int16_t *blocks, int nb,
                                         int pixel_shift)
{
    v3doff_h264_append_block(words, blocks, nb * 32 << pixel_shift);
    memset(blocks, 0, nb * 32 << pixel_shift);
}

static av_always_inline void limit_dc(int16_t *block, int alone, int pixel_shift)
{
    if (!pixel_shift)
        *block = ff_h264_v3doff_limited_dc(*block, alone);
}

static av_always_inline int has_dc(const int16_t *block, int pixel_shift)
{
    return pixel_shift ? *(const int32_t *)block : *block;
}

/* The following functions return a bit for each 4x4 block that they append. */

/* Appends the coded transform blocks of luma. Each is nb blocks of 4x4 large. */
static av_always_inline unsigned take_coded(v3doff_h264_words *words, int16_t *mb,
                                            const uint8_t *nnz, int p, int nb, int pixel_shift)
{
    unsigned coded = 0;

    for (int i = 0; i < 16; i += nb) {
        const int count = nnz[scan8[i + p * 16]];

        if (count) {
            limit_dc(mb + (i * 16 << pixel_shift), count == 1, pixel_shift);
            take_blocks(words, mb + (i * 16 << pixel_shift), nb, pixel_shift);
            coded |= ((1 << nb) - 1) << i;
        }
    }
    return coded;
}

/* Appends those of nb blocks that are not empty. Their DC was parsed apart, and is in them by now. */
static av_always_inline unsigned take_with_dc(v3doff_h264_words *words, int16_t *mb,
                                              const uint8_t *nnz, int p, int nb, int lossless,
                                              int pixel_shift)
{
    unsigned coded = 0;

    for (int i = 0; i < nb; i++) {
        const int count = nnz[scan8[p * 16 + i + (nb == 8 ? i & 4 : 0)]];
        int16_t *block = mb + (i * 16 << pixel_shift);

        if (count || has_dc(block, pixel_shift)) {
            if (!lossless)
                limit_dc(block, !count, pixel_shift);
            take_blocks(words, block, 1, pixel_shift);
            coded |= 1 << i;
        }
    }
    return coded;
}

/* Appends the blocks of luma, or of a chroma plane of 4:4:4, which is coded like luma. */
static av_always_inline unsigned take_luma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                           int p, int pixel_shift)
{
    v3doff_h264_words *words = &sl->v3doff_words;
    const uint8_t *nnz = sl->non_zero_count_cache;
    int16_t *mb = sl->mb + (p * 256 << pixel_shift);

    if (IS_INTRA16x16(mb_type)) {
        const int qscale = p ? sl->chroma_qp[p - 1] : sl->qscale;

        if (nnz[scan8[LUMA_DC_BLOCK_INDEX + p]])
            V3DOFF_H264DSP(h->h264dsp, luma_dc_dequant_idct)(mb, sl->mb_luma_dc[p],
                                                            h->ps.pps->dequant4_coeff[p][qscale][0]);
        return take_with_dc(words, mb, nnz, p, 16, 0, pixel_shift);
    }
    return IS_8x8DCT(mb_type) ? take_coded(words, mb, nnz, p, 4, pixel_shift) :
                                take_coded(words, mb, nnz, p, 1, pixel_shift);
}

/* Appends the blocks of a chroma plane of 4:2:0 or 4:2:2. */
static av_always_inline unsigned take_chroma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                             int p, int pixel_shift)
{
    const int c = p - 1, chroma422 = CHROMA422(h);
    const uint8_t *nnz = sl->non_zero_count_cache;
    int16_t *mb = sl->mb + (p * 256 << pixel_shift);

    if (nnz[scan8[CHROMA_DC_BLOCK_INDEX + c]])
        V3DOFF_H264DSP(h->h264dsp, chroma_dc_dequant_idct)(
            mb, h->ps.pps->dequant4_coeff[(IS_INTRA(mb_type) ? 1 : 4) + c]
                                         [sl->chroma_qp[c] + 3 * chroma422][0]);
    return take_with_dc(&sl->v3doff_words, mb, nnz, p, 4 << chroma422, 0, pixel_shift);
}

/* ---- Lossless macroblocks (TransformBypassModeFlag) -------------------------- */

static int is_lossless(const H264Context *h, const H264SliceContext *sl)
{
    return !sl->qscale && h->ps.sps->transform_bypass;
}

int ff_h264_v3doff_sums_residuals(const H264Context *h)
{
    return h->ps.sps->transform_bypass && h->ps.sps->profile_idc == 244;
}

static int is_summed(const H264Context *h, int mb_type)
{
    return IS_INTRA(mb_type) && ff_h264_v3doff_sums_residuals(h);
}

/* Where the residual of a sample is in a buffer of 4x4 blocks. Those of 16x16 luma are in the order of 6.4.3. */
static int residual_place(int x, int y, int width)
{
    const int block = width == 16 ? x >> 2 & 1 | y >> 1 & 2 | x >> 1 & 4 | y & 8 :
                                    (y >> 2) * (width >> 2) + (x >> 2);

    return block * 16 + (y & 3) * 4 + (x & 3);
}

/*
 * Replaces residuals by their sums along columns or rows (8.5.15). They may wrap around, because only
 * their lowest 8 or 16 bits count.
 */
static void sum_residual(int16_t *mb, int width, int height, int vertical, int pixel_shift)
{
    for (int y = vertical; y < height; y++)
        for (int x = !vertical; x < width; x++) {
            const int to     = residual_place(x, y, width);
            const int before = residual_place(x - !vertical, y - vertical, width);

            if (pixel_shift)
                ((uint32_t *)mb)[to] += ((uint32_t *)mb)[before];
            else
                mb[to] += mb[before];
        }
}

/* Turns a block of 8x8 residuals into four of 4x4. */
static void split_block(int16_t *block, int pixel_shift)
{
    const int bytes = 8 << pixel_shift; // of four residuals
    uint8_t rows[64 * 4];

    memcpy(rows, block, 16 * bytes);
    for (int i = 0; i < 16; i++) {
        const int row = i >> 1, quarter = (row >> 2) * 2 + (i & 1);

        memcpy((uint8_t *)block + (quarter * 4 + (row & 3)) * bytes, rows + i * bytes, bytes);
    }
}

static unsigned take_lossless_luma(const H264Context *h, H264SliceContext *sl, int mb_type, int p)
{
    v3doff_h264_words *words = &sl->v3doff_words;
    const uint8_t *nnz = sl->non_zero_count_cache;
    const int shift = h->pixel_shift, nb = IS_8x8DCT(mb_type) ? 4 : 1;
    int16_t *mb = sl->mb + (p * 256 << shift);
    unsigned coded = 0;

    if (IS_INTRA16x16(mb_type)) {
        const int mode = sl->intra16x16_pred_mode;

        for (int i = 0; i < 16 && nnz[scan8[LUMA_DC_BLOCK_INDEX + p]]; i++) {
            const int to = residual_place((i & 3) * 4, i & 12, 16);

            if (shift)
                ((int32_t *)mb)[to] = ((int32_t *)sl->mb_luma_dc[p])[i];
            else
                mb[to] = sl->mb_luma_dc[p][i];
        }
        if (!is_summed(h, mb_type) || mode != VERT_PRED8x8 && mode != HOR_PRED8x8)
            return take_with_dc(words, mb, nnz, p, 16, 1, shift);
        sum_residual(mb, 16, 16, mode == VERT_PRED8x8, shift);
        take_blocks(words, mb, 16, shift);
        return 0xffff;
    }
    for (int i = 0; i < 16; i += nb) {
        const int mode = sl->intra4x4_pred_mode_cache[scan8[i]];
        int16_t *block = mb + (i * 16 << shift);

        if (!nnz[scan8[i + p * 16]])
            continue;
        if (nb == 4)
            split_block(block, shift);
        if (is_summed(h, mb_type) && (mode == VERT_PRED || mode == HOR_PRED))
            sum_residual(block, nb == 4 ? 8 : 4, nb == 4 ? 8 : 4, mode == VERT_PRED, shift);
        take_blocks(words, block, nb, shift);
        coded |= ((1 << nb) - 1) << i;
    }
    return coded;
}

static unsigned take_lossless_chroma(const H264Context *h, H264SliceContext *sl, int mb_type, int p)
{
    v3doff_h264_words *words = &sl->v3doff_words;
    const int mode = sl->chroma_pred_mode, nb = 4 << CHROMA422(h);
    int16_t *mb = sl->mb + (p * 256 << h->pixel_shift);

    if (!is_summed(h, mb_type) || mode != VERT_PRED8x8 && mode != HOR_PRED8x8)
        return take_with_dc(words, mb, sl->non_zero_count_cache, p, nb, 1, h->pixel_shift);
    sum_residual(mb, 8, nb * 2, mode == VERT_PRED8x8, h->pixel_shift);
    take_blocks(words, mb, nb, h->pixel_shift);
    return (1 << nb) - 1;
}

/* ---- Macroblocks ------------------------------------------------------------ */

static void append_pcm(const H264Context *h, H264SliceContext *sl)
{
    const SPS *sps = h->ps.sps;
    const int coded = ff_h264_mb_sizes[sps->chroma_format_idc];
    const int samples = sps->chroma_format_idc ? coded : 384; // 4:0:0 becomes 4:2:0
    const int gray = 1 << (sps->bit_depth_luma - 1);
    uint16_t wide[768];
    uint8_t bytes[768];

    if (h->pixel_shift) {
        GetBitContext gb;

        init_get_bits(&gb, sl->intra_pcm_ptr, coded * sps->bit_depth_luma);
        for (int i = 0; i < samples; i++)
            wide[i] = i < coded ? get_bits(&gb, sps->bit_depth_luma) : gray;
    } else {
        memcpy(bytes, sl->intra_pcm_ptr, coded);
        memset(bytes + coded, gray, samples - coded);
    }
    v3doff_h264_append_pcm(&sl->v3doff_words, sl->mb_x, sl->mb_y >> FIELD_PICTURE(h),
                           h->pixel_shift ? (void *)wide : (void *)bytes, samples << h->pixel_shift);
}

static void append_intra(H264SliceContext *sl, const v3doff_h264_macroblock *macroblock, int mb_type)
{
    v3doff_h264_intra intra = { V3DOFF_H264_INTRA_16X16 };

    if (IS_INTRA4x4(mb_type)) {
        intra.kind = IS_8x8DCT(mb_type) ? V3DOFF_H264_INTRA_8X8 : V3DOFF_H264_INTRA_4X4;
        for (int i = 0; i < 16; i++)
            intra.mode[i] = sl->intra4x4_pred_mode_cache[scan8[i]];
    } else
        intra.mode[0] = sl->intra16x16_pred_mode;
    intra.chroma_mode = sl->chroma_pred_mode;
    intra.top_left    = sl->topleft_samples_available;
    intra.top_right   = sl->topright_samples_available;
    v3doff_h264_append_intra(&sl->v3doff_words, macroblock, &intra);
}

static av_always_inline void append_coded(H264SliceContext *sl, const v3doff_h264_macroblock *macroblock,
                                          int mb_type)
{
    if (IS_INTRA(mb_type))
        append_intra(sl, macroblock, mb_type);
    else
        v3doff_h264_append_inter(&sl->v3doff_words, macroblock);
}

/* Appends a macroblock whose blocks are in the block buffer. */
static av_always_inline void append_buffer(const H264Context *h, H264SliceContext *sl, int mb_type,
                                           int lossless, int pixel_shift)
{
    v3doff_h264_macroblock macroblock = { sl->mb_x, sl->mb_y >> FIELD_PICTURE(h) };

    macroblock.bypass = lossless;
    macroblock.transform_8x8 = !lossless && IS_8x8DCT(mb_type);
    for (int p = 0; p < (CHROMA444(h) ? 3 : 1) && (IS_INTRA(mb_type) || sl->cbp & 15); p++)
        macroblock.coded[p] = lossless ? take_lossless_luma(h, sl, mb_type, p) :
                                         take_luma(h, sl, mb_type, p, pixel_shift);
    for (int p = 1; p < 3 && !CHROMA444(h) && sl->cbp & 0x30; p++)
        macroblock.coded[p] = lossless ? take_lossless_chroma(h, sl, mb_type, p) :
                                         take_chroma(h, sl, mb_type, p, pixel_shift);
    append_coded(sl, &macroblock, mb_type);
}

/* Appends a macroblock without coded blocks. Returns 0 if it may have some. */
static av_always_inline int append_uncoded(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    if (IS_INTRA_PCM(mb_type))
        append_pcm(h, sl);
    else if (!IS_INTRA(mb_type) && (IS_SKIP(mb_type) || !(sl->cbp & 63)))
        v3doff_h264_append_skipped(&sl->v3doff_words, sl->mb_x, sl->mb_y >> FIELD_PICTURE(h));
    else
        return 0;
    return 1;
}

static void append_stock(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    if (append_uncoded(h, sl, mb_type))
        return;
    if (is_lossless(h, sl))
        append_buffer(h, sl, mb_type, 1, h->pixel_shift);
    else if (h->pixel_shift)
        append_buffer(h, sl, mb_type, 0, 1);
    else
        append_buffer(h, sl, mb_type, 0, 0);
}

/* ---- Which parser ------------------------------------------------------------- */

int ff_h264_v3doff_is_clean(const H264SliceContext *sl)
{
    return !AV_RN64(sl->mb) && !memcmp(sl->mb, sl->mb + 4, sizeof(sl->mb) - 8);
}

/*
 * The stock parser parses the last macroblocks of a slice with CABAC: what it reads behind the end of a
 * damaged slice, and where it reports the error, would be difficult to repeat. Returns how many bytes before
 * the end it takes over: those that a valid macroblock can have (A.3.1).
 */
static int last_bytes(const H264Context *h)
{
    const SPS *sps = h->ps.sps;
    const int samples = ff_h264_mb_sizes[sps->chroma_format_idc] * sps->bit_depth_luma;

    return (samples + 128) / 8 << FRAME_MBAFF(h);
}

void ff_h264_v3doff_begin_slice(const H264Context *h, H264SliceContext *sl)
{
    static H264V3DoffParser *const parsers[2][3] = {
        { ff_h264_v3doff_parse_cavlc, ff_h264_v3doff_parse_cavlc,      ff_h264_v3doff_parse_cavlc_simple },
        { ff_h264_v3doff_parse,       ff_h264_v3doff_parse_interlaced, ff_h264_v3doff_parse_simple },
    };
    const int kind = h->pixel_shift || h->ps.sps->chroma_format_idc != 1 ? 0 :
                     h->picture_structure != PICT_FRAME || FRAME_MBAFF(h) ? 1 : 2;
    H264V3DoffCabac *c = &sl->v3doff_cabac;

    sl->v3doff_parse = NULL;
    if (!HAVE_FAST_64BIT || !h->v3doff_whole || h->ps.sps->transform_bypass)
        return;
    if (!ff_h264_v3doff_is_clean(sl))
        return;
    if (h->ps.pps->cabac) {
        v3doff_take(c, &sl->cabac);
        c->last = c->end - FFMIN(c->end - c->next, last_bytes(h));
        if (c->next >= c->last)
            return;
    }
    sl->v3doff_parse = parsers[h->ps.pps->cabac][kind];
}

/* Appends a macroblock whose blocks are among the words already. */
static av_always_inline void append_parsed(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    v3doff_h264_macroblock macroblock = { sl->mb_x, sl->mb_y >> FIELD_PICTURE(h) };

    if (append_uncoded(h, sl, mb_type))
        return;
    macroblock.transform_8x8 = IS_8x8DCT(mb_type);
    if (sl->cbp || IS_INTRA16x16(mb_type)) // otherwise v3doff_coded is another macroblock's
        memcpy(macroblock.coded, sl->v3doff_coded, sizeof(sl->v3doff_coded));
    append_coded(sl, &macroblock, mb_type);
}

int ff_h264_v3doff_parse_macroblock(const H264Context *h, H264SliceContext *sl, H264V3DoffParser *stock)
{
    int ret;

    if (!sl->v3doff_parse) {
        ret = stock(h, sl);
        if (ret >= 0)
            append_stock(h, sl, h->cur_pic.mb_type[sl->mb_xy]);
        return ret;
    }
    ret = sl->v3doff_parse(h, sl);
    if (ret == V3DOFF_SKIPPED)
        v3doff_h264_append_skipped(&sl->v3doff_words, sl->mb_x, sl->mb_y >> FIELD_PICTURE(h));
    else if (ret >= 0)
        append_parsed(h, sl, h->cur_pic.mb_type[sl->mb_xy]);
    else {
        sl->v3doff_parse = NULL;
        if (!h->ps.pps->cabac)
            return ff_h264_v3doff_parse_macroblock(h, sl, stock);
        v3doff_give_back(&sl->v3doff_cabac, &sl->cabac); // FFmpeg logs where the error is
    }
    return ret;
}
