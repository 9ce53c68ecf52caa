/*
 * H.264: coefficients of pictures that libv3doff reconstructs, from CAVLC
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
 * Part of h264_v3doff_residual.h, which explains the parameters: residual_block_cavlc() of 7.3.5.3.2. A
 * block that is not valid sets v3doff_damaged. Then FFmpeg's own parser parses the macroblock again.
 */

/* The next bits of the stream: at least 57 when they are loaded. */
typedef struct Bits {
    const uint8_t *buffer;
    unsigned index; // of the first bit that was loaded
    int used;       // number of bits used since then
    uint64_t bits;  // the next ones, from the top
} Bits;

static av_always_inline uint64_t load_bits(const uint8_t *buffer, unsigned index)
{
    return AV_RB64(buffer + (index >> 3)) << (index & 7);
}

/* Loads bits if there may be less than n. */
static av_always_inline void need_bits(Bits *b, int n)
{
    if (b->used > 57 - n) {
        b->index += b->used;
        b->used   = 0;
        b->bits   = load_bits(b->buffer, b->index);
    }
}

static av_always_inline void use_bits(Bits *b, int n)
{
    b->bits <<= n;
    b->used  += n;
}

/* Finds the code that bits begin with. */
static av_always_inline H264V3DoffCode find_code(const H264V3DoffCode *table, uint64_t bits)
{
    const int zeros = __builtin_clzll(bits | UINT64_C(1) << 48);

    return table[zeros << 3 | (bits << zeros >> 60 & 7)];
}

/* Finds coeff_token (9.2.1). Its value is 4 * TotalCoeff + TrailingOnes. */
static av_always_inline H264V3DoffCode find_token(const H264SliceContext *sl, uint64_t bits, int n, int max)
{
    const uint8_t *nnz = &sl->non_zero_count_cache[scan8[n]];
    int around = nnz[-1] + nnz[-8];

    if (max <= 8)
        return find_code(ff_h264_v3doff_cavlc.chroma_tokens[max == 8], bits);
    around = around < 64 ? (around + 1) >> 1 : around & 31;
    if (around < 8)
        return find_code(ff_h264_v3doff_cavlc.tokens[around], bits);
    return (H264V3DoffCode) { bits >> 58 == 3 ? 0 : (bits >> 58) + 4, 6 };
}

/* Reads a level (9.2.2.1) whose code has more than 8 bits. FFmpeg limits level_prefix. */
static av_noinline H264V3DoffLongLevel read_long_level(const uint8_t *buffer, unsigned index, int row)
{
    const int prefix = __builtin_clzll(load_bits(buffer, index) | 1);
    const int length = row < V3DOFF_FIRST_LEVEL ? row : row - V3DOFF_FIRST_LEVEL;
    const int size   = prefix > 14 ? prefix - 3 : prefix == 14 && !length ? 4 : length;
    int code = (FFMIN(prefix, 15) << length) + (prefix > 14 && !length ? 15 : 0);

    if (prefix > 25 + 3)
        return (H264V3DoffLongLevel) { 0 };
    if (prefix > 15)
        code += (1 << (prefix - 3)) - 4096;
    if (size)
        code += load_bits(buffer, index + prefix + 1) >> (64 - size);
    return v3doff_level(row, code, prefix + 1 + size);
}

/* Reads count levels (9.2.2), of which the first ones are trailing ones. Returns 0 if one is not valid. */
static av_always_inline int read_levels(Bits *b, int *levels, int count, int ones)
{
    int row = ones == 3 ? 0 : V3DOFF_FIRST_LEVEL + (count > 10);

    for (int i = 0; i < 3; i++)
        levels[i] = (int64_t)(b->bits << i) >> 63 | 1;
    use_bits(b, ones);
    for (int i = ones; i < count; i++) {
        const H264V3DoffLevel *level;

        need_bits(b, 8);
        level = &ff_h264_v3doff_cavlc.levels[row][b->bits >> 56];
        if (level->length) {
            levels[i] = level->level;
            row       = level->next;
            use_bits(b, level->length);
        } else {
            const H264V3DoffLongLevel more = read_long_level(b->buffer, b->index + b->used, row);

            if (!more.length)
                return 0;
            levels[i] = more.level;
            row       = more.next;
            b->index += b->used + more.length;
            b->used   = 0;
            b->bits   = load_bits(b->buffer, b->index);
        }
    }
    return 1;
}

/*
 * Reads run_before (9.2.3), and stores levels at their places (9.2.4), dequantised unless qmul is NULL.
 * zeros: total_zeros. Returns 0 if a run is not valid.
 */
static av_always_inline int store_levels(Bits *b, void *block, const uint8_t *scan, const uint32_t *qmul,
                                         const int *levels, int count, int zeros, int shift)
{
    scan += zeros + count - 1;
    for (int i = 0;; scan--) {
        const int place = *scan;
        const int level = qmul ? (int)(levels[i] * qmul[place] + 32) >> 6 : levels[i];

        if (shift)
            ((int32_t *)block)[place] = level;
        else
            ((int16_t *)block)[place] = level;
        if (++i == count)
            return 1;
        if (zeros) {
            H264V3DoffCode run = ff_h264_v3doff_cavlc.runs[zeros][b->bits >> 61];

            if (!run.length) {
                run.length = __builtin_clzll(b->bits | 1) + 1;
                run.value  = run.length + 3;
                if (run.value > zeros)
                    return 0;
            }
            use_bits(b, run.length);
            zeros -= run.value;
            scan  -= run.value;
        }
    }
}

/* Reads block n with at most max coefficients. If it has some, nb blocks of 4x4 are cleared before. */
static av_always_inline int read_block(H264SliceContext *sl, void *block, int n, const uint8_t *scan,
                                       const uint32_t *qmul, int max, int nb, int shift)
{
    Bits b = { sl->gb.buffer, sl->gb.index, 0, load_bits(sl->gb.buffer, sl->gb.index) };
    const H264V3DoffCode token = find_token(sl, b.bits, n, max);
    const int count = token.value >> 2, ones = token.value & 3;
    int levels[16], zeros = 0;

    sl->non_zero_count_cache[scan8[n]] = count;
    use_bits(&b, token.length);
    if (count) {
        if (nb)
            memset(block, 0, nb * 32 << shift);
        if (count > max || ones > count || !read_levels(&b, levels, count, ones))
            goto damaged;
        need_bits(&b, 30); // total_zeros and all run_before have at most as many
        if (count < max) {
            const H264V3DoffCode code = find_code(
                max > 8 ? ff_h264_v3doff_cavlc.zeros[count] :
                          ff_h264_v3doff_cavlc.chroma_zeros[max == 8][count], b.bits);

            zeros = code.value;
            use_bits(&b, code.length);
            if (zeros + count > max)
                goto damaged;
        }
        if (!store_levels(&b, block, scan, qmul, levels, count, zeros, shift))
            goto damaged;
    }
    sl->gb.index = b.index + b.used;
    return count;
damaged:
    sl->v3doff_damaged = 1;
    return 0;
}

static av_noinline int read_4x4(H264SliceContext *sl, void *block, int n, const uint8_t *scan,
                                const uint32_t *qmul, int max, int nb, int shift)
{
    return read_block(sl, block, n, scan, qmul, max, nb, shift);
}

static av_always_inline int read_coded_4x4(H264SliceContext *sl, int n, int cat, const uint8_t *scan,
                                           const uint32_t *qmul, int max, int shift)
{
    return read_4x4(sl, sl->v3doff_words.coefficient, n, scan, qmul, max, 1, shift);
}

/*
 * FFmpeg keeps in cbp_table which quarters of luma have coefficients, for its filter. This is done for every
 * macroblock, because after damage the filter may take one for a macroblock with 8x8 transforms.
 */
static av_always_inline void keep_coded(const H264Context *h, const H264SliceContext *sl, int p, unsigned quarters)
{
    if (!p)
        h->cbp_table[sl->mb_xy] |= quarters << 12;
}

/* An 8x8 block is parsed as four blocks, each with every fourth coefficient (7.3.5.3.1). */
static av_always_inline int read_coded_8x8(const H264Context *h, H264SliceContext *sl, int n, int cat,
                                           const uint8_t *scan, const uint32_t *qmul, int shift)
{
    uint8_t *nnz = &sl->non_zero_count_cache[scan8[n]];
    void *block  = next_block(sl, 4, shift);

    for (int i = 0; i < 4; i++)
        read_4x4(sl, block, n + i, scan + 16 * i, qmul, 16, 0, shift);
    nnz[0] += nnz[1] + nnz[8] + nnz[9];
    keep_coded(h, sl, n >> 4, !!nnz[0] << (n >> 2 & 3));
    return nnz[0];
}

static av_noinline int read_luma_dc(H264SliceContext *sl, void *block, int p, const uint8_t *scan,
                                    int shift)
{
    return read_block(sl, block, 16 * p, scan, NULL, 16, 0, shift);
}

static av_noinline int read_chroma_dc(H264SliceContext *sl, void *block, int n, const uint8_t *scan,
                                      int max, int shift)
{
    return max == 8 ? read_block(sl, block, n, scan, NULL, 8, 0, shift) :
                      read_block(sl, block, n, scan, NULL, 4, 0, shift);
}

static av_always_inline int read_coded_dc(const H264Context *h, H264SliceContext *sl, void *block,
                                          int n, int cat, const uint8_t *scan, int max, int shift)
{
    return max == 16 ? read_luma_dc(sl, block, n - LUMA_DC_BLOCK_INDEX, scan, shift) :
                       read_chroma_dc(sl, block, n, scan, max, shift);
}
