/*
 * H.264: the CABAC arithmetic decoder for pictures that libv3doff reconstructs
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

#ifndef AVCODEC_H264_V3DOFF_CABAC_H
#define AVCODEC_H264_V3DOFF_CABAC_H

/**
 * @file
 * The arithmetic decoder of 9.3.1.2 and 9.3.3.2. Compared with FFmpeg's CABACContext, it keeps more bits
 * in a register and does not branch on symbols. h264_v3doff_parse_template.c compiles h264_cabac.c with
 * it. Both decoders read the same bits. Between two symbols, one can go on where the other was:
 * v3doff_take() and v3doff_give_back().
 */

#include <stdint.h>

#include "libavutil/attributes.h"
#include "libavutil/attributes_internal.h"
#include "libavutil/intmath.h"
#include "libavutil/intreadwrite.h"
#include "libavutil/macros.h"

#include "config.h"

#include "cabac.h"

typedef struct H264V3DoffCabac {
    /** From the top: codIOffset (9 bits), bits of the stream that come next, a 1, and zeros. */
    uint64_t window;
    uint32_t range;      ///< codIRange, in the highest 9 bits
    const uint8_t *next; ///< the first byte of the stream that is not in the window
    const uint8_t *last; ///< from here on, FFmpeg's decoder goes on after the current macroblock
    const uint8_t *end;  ///< of the slice
} H264V3DoffCabac;

/** The number of bits after codIOffset that the window has at least after v3doff_fill(). */
#define V3DOFF_CABAC_BITS 23

FF_VISIBILITY_PUSH_HIDDEN
extern struct H264V3DoffCabacTables {
    uint32_t lps[8][128]; ///< codIRangeLPS in the highest 9 bits, by 4 + qCodIRangeIdx and FFmpeg's state
    uint8_t next[256];    ///< the following state, at 128 + the state after an MPS, at 127 - the state after an LPS
} ff_h264_v3doff_cabac;
FF_VISIBILITY_POP_HIDDEN

/* Reads 4 bytes. Buffers have AV_INPUT_BUFFER_PADDING_SIZE bytes (64) behind the end of the slice. */
static av_always_inline uint64_t v3doff_next_bits(H264V3DoffCabac *c)
{
    const uint64_t bits = c->next < c->end + 56 ? AV_RB32(c->next) : 0;

    c->next += 4;
    return bits;
}

/**
 * To be called before the window is used for up to V3DOFF_CABAC_BITS bits. A symbol with a context needs
 * at most 6 bits (RenormD), one without needs 1.
 */
static av_always_inline uint64_t v3doff_fill(H264V3DoffCabac *c, uint64_t window)
{
    if (!(uint32_t)window) {
        const int end = ff_ctzll(window);

        window += ((2 * v3doff_next_bits(c) + 1) << (end - 32)) - (UINT64_C(1) << end);
    }
    return window;
}

/**
 * Decodes a symbol with a context (9.3.3.2.1). It is in assembler because compilers would branch on the
 * symbol, which processors cannot predict.
 */
static av_always_inline int v3doff_symbol(uint64_t *window, uint32_t *range, uint8_t *state)
{
    uint64_t w    = *window, to = *state;
    uint32_t lps  = ff_h264_v3doff_cabac.lps[*range >> 29][to];
    uint32_t left = *range - lps;
    int shift;

#if HAVE_INLINE_ASM && ARCH_AARCH64
    {
        uint64_t rest;

        __asm__("subs  %[rest], %[w], %[left], lsl #32  \n\t"
                "csel  %[w], %[rest], %[w], hs          \n\t"
                "csel  %w[left], %w[lps], %w[left], hs  \n\t"
                "csinv %[to], %[to], %[to], lo          \n\t"
                : [rest] "=&r"(rest), [w] "+r"(w), [left] "+r"(left), [to] "+r"(to)
                : [lps] "r"(lps)
                : "cc");
    }
#elif HAVE_INLINE_ASM && ARCH_X86_64
    {
        uint64_t border = (uint64_t)left << 32, is_lps;

        __asm__("cmp   %[w], %[border]                  \n\t"
                "cmovb %[lps], %[left]                  \n\t"
                "sbb   %[is_lps], %[is_lps]             \n\t"
                "and   %[is_lps], %[border]             \n\t"
                "xor   %[is_lps], %[to]                 \n\t"
                "sub   %[border], %[w]                  \n\t"
                : [border] "+r"(border), [is_lps] "=&r"(is_lps), [w] "+r"(w), [left] "+r"(left),
                  [to] "+r"(to)
                : [lps] "r"(lps)
                : "cc");
    }
#else
    if (w >= (uint64_t)left << 32) {
        w   -= (uint64_t)left << 32;
        left = lps;
        to   = ~to;
    }
#endif
    shift   = __builtin_clz(left);
    *window = w << shift;
    *range  = left << shift;
    *state  = (ff_h264_v3doff_cabac.next + 128)[(int64_t)to];
    return to & 1;
}

/** Decodes a bypass symbol, which has no context (9.3.3.2.3). */
static av_always_inline int v3doff_bypass(uint64_t *window, uint32_t range)
{
    const uint64_t border = (uint64_t)range << 31;
    const int bit         = *window >= border;

    *window = (bit ? *window - border : *window) << 1;
    return bit;
}

/**
 * Decodes end_of_slice_flag, or the bin of mb_type that says I_PCM (9.3.3.2.2.3, DecodeTerminate). After
 * a 1, the state is as before. Needs 1 bit.
 */
static av_always_inline int v3doff_terminate(uint64_t *window, uint32_t *range)
{
    const uint32_t left = *range - (2u << 23);
    const int shift     = !(left >> 31);

    if (*window >= (uint64_t)left << 32)
        return 1;
    *window <<= shift;
    *range    = left << shift;
    return 0;
}

static av_always_inline int v3doff_get(H264V3DoffCabac *c, uint8_t *state)
{
    uint64_t window = v3doff_fill(c, c->window);
    uint32_t range  = c->range;
    const int bit   = v3doff_symbol(&window, &range, state);

    c->window = window;
    c->range  = range;
    return bit;
}

static av_always_inline int v3doff_get_bypass(H264V3DoffCabac *c)
{
    uint64_t window = v3doff_fill(c, c->window);
    const int bit   = v3doff_bypass(&window, c->range);

    c->window = window;
    return bit;
}

/** Continues where FFmpeg's decoder is. */
static av_always_inline void v3doff_take(H264V3DoffCabac *c, const CABACContext *from)
{
    c->window = (uint64_t)from->low << (62 - CABAC_BITS - 8);
    c->range  = (uint32_t)from->range << 23;
    c->next   = from->bytestream;
    c->end    = from->bytestream_end;
}

/** Lets FFmpeg's decoder continue. It gets the bytes that it would have read itself by now. */
static av_always_inline void v3doff_give_back(const H264V3DoffCabac *c, CABACContext *to)
{
    int end = ff_ctzll(c->window) - (62 - CABAC_BITS - 8);

    to->bytestream = c->next;
    for (; end < 0; end += CABAC_BITS)
        to->bytestream -= CABAC_BITS / 8;
    to->low   = (c->window >> (62 - CABAC_BITS - 8) >> end | 1) << end;
    to->range = c->range >> 23;
}

#endif /* AVCODEC_H264_V3DOFF_CABAC_H */
