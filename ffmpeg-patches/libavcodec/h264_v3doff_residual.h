/*
 * H.264: parses the residuals of pictures that libv3doff reconstructs
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
 * h264_v3doff_parse_template.c lets h264_cabac.c and h264_cavlc.c include this instead of their functions
 * for residuals. Coefficients are dequantised and stored among the words of the slice's lane, which
 * libv3doff reads. The slice's own block buffer is empty before and after each macroblock.
 *
 * Parameters of many functions: shift is 1 if coefficients have 32 bits, else 0 (RESIDUAL_SHIFT). n is the
 * index of a block in scan8[]. cat is its ctxBlockCat (table 9-42), which only CABAC needs. p is the plane.
 */

/* Clears room for a block of nb 4x4 blocks among the words, and returns it. */
static av_always_inline void *next_block(H264SliceContext *sl, int nb, int shift)
{
    return memset(sl->v3doff_words.coefficient, 0, nb * 32 << shift);
}

static av_always_inline void end_block(H264SliceContext *sl, int nb, int shift)
{
    sl->v3doff_words.coefficient += nb * 8 << shift;
}

static av_always_inline int dc_of(const int16_t *mb, int i, int shift)
{
    return shift ? ((const int32_t *)mb)[i * 16] : mb[i * 16];
}

/*
 * These files have functions that parse one block, set its count in non_zero_count_cache, and return 0 if it
 * has no coefficients: read_coded_4x4() and read_coded_8x8(), which store it at the next block's place among
 * the words, and read_coded_dc(), which stores where the caller says.
 */
#if V3DOFF_CABAC
#include "h264_v3doff_residual_cabac.h"
#else
#include "h264_v3doff_residual_cavlc.h"
#endif

/* The following functions return a bit for each 4x4 block that is among the words afterwards. */

/*
 * Reads nb blocks whose DC was parsed before. has_dc: it is in the block buffer, which is empty
 * afterwards. has_ac: the other coefficients follow in the stream.
 */
static av_always_inline unsigned read_with_dc(H264SliceContext *sl, int16_t *mb, int first, int nb,
                                              int cat, const uint8_t *scan, const uint32_t *qmul,
                                              int has_dc, int has_ac, int shift)
{
    unsigned coded = 0;

    for (int i = 0; i < nb; i++) {
        const int n  = first + i + (nb == 8 ? i & 4 : 0);
        const int dc = has_dc ? dc_of(mb, i, shift) : 0;
        void *block  = sl->v3doff_words.coefficient;
        const int count = has_ac ? read_coded_4x4(sl, n, cat, scan + 1, qmul, 15, shift) : 0;

        if (!count && !dc)
            continue;
        if (!count)
            next_block(sl, 1, shift);
        if (shift)
            *(int32_t *)block = dc;
        else
            *(int16_t *)block = ff_h264_v3doff_limited_dc(dc, !count);
        end_block(sl, 1, shift);
        coded |= 1 << i;
    }
    if (has_dc)
        for (int i = 0; i < nb; i++)
            memset(mb + (i * 16 << shift), 0, 2 << shift);
    return coded;
}

/* Luma, or a plane that is coded like luma, of an Intra_16x16 macroblock. */
static av_always_inline unsigned read_16x16(const H264Context *h, H264SliceContext *sl, int cbp,
                                            const uint8_t *scan, int p, int shift)
{
    static const uint8_t cats[3][2] = { { 0, 1 }, { 6, 7 }, { 10, 11 } };
    const uint32_t *qmul = h->ps.pps->dequant4_coeff[p][p ? sl->chroma_qp[p - 1] : sl->qscale];
    int has_dc;

    memset(sl->mb_luma_dc[p], 0, sizeof(sl->mb_luma_dc[p]));
    has_dc = read_coded_dc(h, sl, sl->mb_luma_dc[p], LUMA_DC_BLOCK_INDEX + p, cats[p][0], scan, 16,
                           shift);
    if (has_dc)
        V3DOFF_H264DSP(h->h264dsp, luma_dc_dequant_idct)(sl->mb, sl->mb_luma_dc[p], qmul[0]);
    if (!(cbp & 15))
        fill_rectangle(&sl->non_zero_count_cache[scan8[16 * p]], 4, 4, 8, 0, 1);
    else
        keep_coded(h, sl, p, 15);
    return read_with_dc(sl, sl->mb, 16 * p, has_dc || cbp & 15 ? 16 : 0, cats[p][1], scan, qmul,
                        has_dc, cbp & 15, shift);
}

/* Keeps a block of nb 4x4 blocks among the words, unless count, its number of coefficients, is 0. */
static av_always_inline unsigned end_coded(H264SliceContext *sl, int count, int nb, int shift)
{
    int16_t *block = (int16_t *)sl->v3doff_words.coefficient;

    if (!count)
        return 0;
    if (!shift)
        *block = ff_h264_v3doff_limited_dc(*block, count == 1);
    end_block(sl, nb, shift);
    return (1 << nb) - 1;
}

/* Four blocks of 4x4, or one of 8x8. */
static av_always_inline unsigned read_quarter(const H264Context *h, H264SliceContext *sl, int first,
                                              const uint8_t *scan, const uint8_t *scan8x8,
                                              const uint32_t *qmul, int mb_type, int p, int shift)
{
    static const uint8_t cats[3][2] = { { 2, 5 }, { 8, 9 }, { 12, 13 } };
    unsigned coded = 0, counts = 0;

    if (IS_8x8DCT(mb_type))
        return end_coded(sl, read_coded_8x8(h, sl, first, cats[p][1], scan8x8, qmul, shift), 4, shift);
    for (int i = 0; i < 4; i++) {
        const unsigned count = read_coded_4x4(sl, first + i, cats[p][0], scan, qmul, 16, shift);

        counts |= count;
        coded  |= end_coded(sl, count, 1, shift) << i;
    }
    keep_coded(h, sl, p, counts << (first >> 2 & 3));
    return coded;
}

static av_always_inline unsigned read_luma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                           int cbp, const uint8_t *scan, const uint8_t *scan8x8,
                                           int p, int shift)
{
    const int matrix = p + (IS_INTRA(mb_type) ? 0 : 3), qp = p ? sl->chroma_qp[p - 1] : sl->qscale;
    const uint32_t *qmul;
    unsigned coded = 0;

    if (IS_INTRA16x16(mb_type))
        return read_16x16(h, sl, cbp, scan, p, shift);
    qmul = IS_8x8DCT(mb_type) ? h->ps.pps->dequant8_coeff[matrix][qp] :
                                h->ps.pps->dequant4_coeff[matrix][qp];
    for (int i = 0; i < 16; i += 4)
        if (cbp & 1 << (i >> 2))
            coded |= read_quarter(h, sl, 16 * p + i, scan, scan8x8, qmul, mb_type, p, shift) << i;
        else
            fill_rectangle(&sl->non_zero_count_cache[scan8[16 * p + i]], 2, 2, 8, 0, 1);
    return coded;
}

/* Both chroma planes of 4:2:0 or 4:2:2. */
static av_always_inline void read_chroma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                         int cbp, const uint8_t *scan, int shift)
{
    const int chroma422 = CHROMA422(h);
    const uint8_t *dc_scan = chroma422 ? ff_h264_chroma422_dc_scan : ff_h264_chroma_dc_scan;
    int has_dc[2] = { 0 };

    for (int c = 0; c < 2 && cbp & 0x30; c++) {
        int16_t *mb = sl->mb + ((256 + 256 * c) << shift);

        has_dc[c] = read_coded_dc(h, sl, mb, CHROMA_DC_BLOCK_INDEX + c, 3, dc_scan, 4 << chroma422, shift);
        if (has_dc[c])
            V3DOFF_H264DSP(h->h264dsp, chroma_dc_dequant_idct)(
                mb, h->ps.pps->dequant4_coeff[c + (IS_INTRA(mb_type) ? 1 : 4)]
                                             [sl->chroma_qp[c] + 3 * chroma422][0]);
    }
    for (int c = 0; c < 2; c++) {
        unsigned coded = 0;
        const uint32_t *qmul =
            h->ps.pps->dequant4_coeff[c + (IS_INTRA(mb_type) ? 1 : 4)][sl->chroma_qp[c]];

        if (!(cbp & 0x20))
            fill_rectangle(&sl->non_zero_count_cache[scan8[16 + 16 * c]], 4, 4, 8, 0, 1);
        if (has_dc[c] || cbp & 0x20)
            coded = read_with_dc(sl, sl->mb + ((256 + 256 * c) << shift), 16 + 16 * c, 4 << chroma422,
                                 4, scan, qmul, has_dc[c], cbp & 0x20, shift);
        sl->v3doff_coded[1 + c] = coded;
    }
}

/* Parses all blocks of a macroblock (7.3.5.3). v3doff_coded says which of them are among the words. */
static av_always_inline void decode_residual(const H264Context *h, H264SliceContext *sl, int mb_type,
                                             int cbp, const uint8_t *scan, const uint8_t *scan8x8)
{
    sl->v3doff_coded[0] = read_luma(h, sl, mb_type, cbp, scan, scan8x8, 0, RESIDUAL_SHIFT);
    if (CHROMA444(h)) {
        for (int p = 1; p < 3; p++)
            sl->v3doff_coded[p] = read_luma(h, sl, mb_type, cbp, scan, scan8x8, p, RESIDUAL_SHIFT);
    } else
        read_chroma(h, sl, mb_type, cbp, scan, RESIDUAL_SHIFT);
}
