/*
 * H.264: the CAVLC parser for all pictures that libv3doff reconstructs
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

#define V3DOFF_PARSE       ff_h264_v3doff_parse_cavlc
#define V3DOFF_CABAC       0
#define V3DOFF_420         0
#define V3DOFF_PROGRESSIVE 0

#include "h264_v3doff_parse_template.c"

struct H264V3DoffCavlcTables ff_h264_v3doff_cavlc;

/* Fills a table of codes (see H264V3DoffCode): those of the values are given as FFmpeg's tables have them. */
static av_cold void fill_codes(H264V3DoffCode *table, const uint8_t *lengths, const uint8_t *bits, int nb)
{
    for (int i = 0; i < 128; i++) {
        const int code = (8 | i & 7) << 15 >> (i >> 3);

        table[i].value = 255;
        for (int value = 0; value < nb; value++)
            if (lengths[value] && code >> (19 - lengths[value]) == bits[value])
                table[i] = (H264V3DoffCode) { value, lengths[value] };
    }
}

/* The codes of run_before with at most 3 bits. */
static av_cold void fill_runs(H264V3DoffCode *table, const uint8_t *lengths, const uint8_t *bits, int nb)
{
    for (int i = 0; i < 8; i++)
        for (int run = 0; run < nb; run++)
            if (lengths[run] <= 3 && i >> (3 - lengths[run]) == bits[run])
                table[i] = (H264V3DoffCode) { run, lengths[run] };
}

/* Levels whose code, level_prefix and level_suffix, has at most 8 bits. */
static av_cold void fill_levels(H264V3DoffLevel *table, int row)
{
    const int suffix = row < V3DOFF_FIRST_LEVEL ? row : row - V3DOFF_FIRST_LEVEL; // suffixLength

    for (int i = 1; i < 256; i++) {
        const int prefix = 7 - av_log2(i), length = prefix + 1 + suffix;

        if (length <= 8) {
            const H264V3DoffLongLevel level = v3doff_level(
                row, (prefix << suffix) + (i >> (8 - length)) - (1 << suffix), length);

            table[i] = (H264V3DoffLevel) { level.level, level.length, level.next };
        }
    }
}

av_cold void ff_h264_v3doff_init_cavlc(void)
{
    struct H264V3DoffCavlcTables *t = &ff_h264_v3doff_cavlc;

    for (int i = 0; i < 8; i++) {
        const int table = i < 2 ? 0 : i < 4 ? 1 : 2;

        fill_codes(t->tokens[i], coeff_token_len[table], coeff_token_bits[table], 4 * 17);
    }
    fill_codes(t->chroma_tokens[0], chroma_dc_coeff_token_len, chroma_dc_coeff_token_bits, 4 * 5);
    fill_codes(t->chroma_tokens[1], chroma422_dc_coeff_token_len, chroma422_dc_coeff_token_bits, 4 * 9);
    for (int i = 0; i < 15; i++) {
        fill_codes(t->zeros[i + 1], total_zeros_len[i], total_zeros_bits[i], 16);
        fill_runs(t->runs[i + 1], run_len[FFMIN(i, 6)], run_bits[FFMIN(i, 6)], FFMIN(i + 2, 15));
    }
    for (int i = 0; i < 3; i++)
        fill_codes(t->chroma_zeros[0][i + 1], chroma_dc_total_zeros_len[i], chroma_dc_total_zeros_bits[i], 4);
    for (int i = 0; i < 7; i++)
        fill_codes(t->chroma_zeros[1][i + 1], chroma422_dc_total_zeros_len[i],
                   chroma422_dc_total_zeros_bits[i], 8);
    for (int i = 0; i < 9; i++)
        fill_levels(t->levels[i], i);
}
