/*
 * H.264 macroblocks that libv3doff reconstructs, as words
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

#include "get_bits.h"
#include "h264_ps.h"
#include "h264_v3doff_internal.h"
#include "h264dsp.h"
#include "v3doff_compat.h"

/* Appends nb blocks of 4x4, and clears them for the next macroblock. */
static av_always_inline void take_blocks(v3doff_h264_words *words, int16_t *blocks, int nb,
                                         int pixel_shift)
{
    v3doff_h264_append_block(words, blocks, nb * 32 << pixel_shift);
    memset(blocks, 0, nb * 32 << pixel_shift);
}

/*
 * Limits the DC of a block that has no other coefficient. FFmpeg's functions add such a DC to all
 * samples. The transform would first add the rounding to it, in 16 bits, and the greatest values
 * would wrap around. The limit gives the same samples, because they are clipped. Only damaged
 * streams have such values.
 */
static av_always_inline void limit_dc(int16_t *block, int alone, int pixel_shift)
{
    if (!pixel_shift && alone && *block > INT16_MAX - 32)
        *block = INT16_MAX - 32;
}

static av_always_inline int has_dc(const int16_t *block, int pixel_shift)
{
    return pixel_shift ? *(const int32_t *)block : *block;
}

/* Appends transform blocks of nb blocks of 4x4 each, which have their DC in them. */
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

/* Appends the blocks of luma, or of a plane that is coded like luma. Returns the coded ones. */
static av_always_inline unsigned take_luma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                           int p, int pixel_shift)
{
    v3doff_h264_words *words = &sl->v3doff_words;
    const uint8_t *nnz = sl->non_zero_count_cache;
    int16_t *mb = sl->mb + (p * 256 << pixel_shift);
    unsigned coded = 0;

    if (IS_INTRA16x16(mb_type)) {
        const int qscale = p ? sl->chroma_qp[p - 1] : sl->qscale;

        if (nnz[scan8[LUMA_DC_BLOCK_INDEX + p]])
            V3DOFF_H264DSP(h->h264dsp, luma_dc_dequant_idct)(mb, sl->mb_luma_dc[p],
                                                            h->ps.pps->dequant4_coeff[p][qscale][0]);
        for (int i = 0; i < 16; i++) {
            int16_t *block = mb + (i * 16 << pixel_shift);

            if (nnz[scan8[i + p * 16]] || has_dc(block, pixel_shift)) {
                limit_dc(block, !nnz[scan8[i + p * 16]], pixel_shift);
                take_blocks(words, block, 1, pixel_shift);
                coded |= 1 << i;
            }
        }
    } else if (IS_8x8DCT(mb_type)) {
        coded = take_coded(words, mb, nnz, p, 4, pixel_shift);
    } else
        coded = take_coded(words, mb, nnz, p, 1, pixel_shift);
    return coded;
}

/* Appends the blocks of a chroma plane of 4:2:0 or 4:2:2. Returns the coded ones. */
static av_always_inline unsigned take_chroma(const H264Context *h, H264SliceContext *sl, int mb_type,
                                             int p, int pixel_shift)
{
    const int c = p - 1, chroma422 = CHROMA422(h);
    const uint8_t *nnz = sl->non_zero_count_cache;
    int16_t *mb = sl->mb + (p * 256 << pixel_shift);
    unsigned coded = 0;

    if (nnz[scan8[CHROMA_DC_BLOCK_INDEX + c]])
        V3DOFF_H264DSP(h->h264dsp, chroma_dc_dequant_idct)(
            mb, h->ps.pps->dequant4_coeff[(IS_INTRA(mb_type) ? 1 : 4) + c]
                                         [sl->chroma_qp[c] + 3 * chroma422][0]);
    for (int i = 0; i < 4 << chroma422; i++) {
        int16_t *block = mb + (i * 16 << pixel_shift);

        if (nnz[scan8[p * 16 + i + (i & 4)]] || has_dc(block, pixel_shift)) {
            limit_dc(block, !nnz[scan8[p * 16 + i + (i & 4)]], pixel_shift);
            take_blocks(&sl->v3doff_words, block, 1, pixel_shift);
            coded |= 1 << i;
        }
    }
    return coded;
}

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

static av_always_inline void append_coded(const H264Context *h, H264SliceContext *sl, int mb_type,
                                          int pixel_shift)
{
    v3doff_h264_macroblock macroblock = { sl->mb_x, sl->mb_y >> FIELD_PICTURE(h) };

    macroblock.transform_8x8 = !!IS_8x8DCT(mb_type);
    if (IS_INTRA(mb_type) || sl->cbp & 15) {
        macroblock.coded[0] = take_luma(h, sl, mb_type, 0, pixel_shift);
        for (int p = 1; p < 3 && CHROMA444(h); p++)
            macroblock.coded[p] = take_luma(h, sl, mb_type, p, pixel_shift);
    }
    for (int p = 1; p < 3 && !CHROMA444(h) && sl->cbp & 0x30; p++)
        macroblock.coded[p] = take_chroma(h, sl, mb_type, p, pixel_shift);
    if (IS_INTRA(mb_type))
        append_intra(sl, &macroblock, mb_type);
    else
        v3doff_h264_append_inter(&sl->v3doff_words, &macroblock);
}

void ff_h264_v3doff_macroblock(const H264Context *h, H264SliceContext *sl, int mb_type)
{
    if (IS_INTRA_PCM(mb_type))
        append_pcm(h, sl);
    else if (!IS_INTRA(mb_type) && (IS_SKIP(mb_type) || !(sl->cbp & 63)))
        v3doff_h264_append_skipped(&sl->v3doff_words, sl->mb_x, sl->mb_y >> FIELD_PICTURE(h));
    else if (h->pixel_shift)
        append_coded(h, sl, mb_type, 1);
    else
        append_coded(h, sl, mb_type, 0);
}
