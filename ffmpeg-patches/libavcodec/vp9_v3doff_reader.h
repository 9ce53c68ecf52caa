/*
 * VP9: the bool decoder of the parser for frames that libv3doff reconstructs
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

#ifndef AVCODEC_VP9_V3DOFF_READER_H
#define AVCODEC_VP9_V3DOFF_READER_H

#include <stddef.h>
#include <stdint.h>

#include "config.h"

#include "libavutil/attributes.h"
#include "libavutil/intmath.h"
#include "libavutil/intreadwrite.h"

#include "vpx_rac.h"

/*
 * The bool decoder of 9.2, as VPXRangeCoder, with more bits read ahead. Functions keep it in a local
 * variable, so that it is in registers. ff_v3doff_begin() continues where a VPXRangeCoder is. Afterwards,
 * ff_v3doff_end() leaves that as if it had read everything itself.
 *
 * distance is BoolRange - 1 - BoolValue: the distance of the value to the end of the range. A decoded one
 * leaves it as it is. Below the bits that were read ahead, it has a 1 and then only zeros.
 */
typedef struct V3DoffReader {
    uint64_t range, distance; ///< the top 8 bits are those of BoolRange
    const uint8_t *end;       ///< of the data
    ptrdiff_t at;             ///< the next byte to read ahead, counted from the end: mostly negative
    ptrdiff_t limit;          ///< from here on, counted in the same way, bytes are zero
} V3DoffReader;

/* The number of bits that decisions may shift out after ff_v3doff_need(). Each shifts at most 7. */
#define V3DOFF_READER_BITS 24

static av_always_inline int ff_v3doff_leading_zeros(uint64_t x)
{
#if AV_GCC_VERSION_AT_LEAST(3, 4) || defined(__clang__)
    return __builtin_clzll(x);
#else
    return ff_clz(x >> 32);
#endif
}

/* Returns the bytes at the end of the data, and zeros after them. */
static av_noinline av_unused uint32_t ff_v3doff_last_bytes(const uint8_t *end, ptrdiff_t at,
                                                           ptrdiff_t limit)
{
    uint32_t bytes = 0;

    for (int i = 0; i < 4; i++, at++)
        bytes = bytes << 8 | (at < limit ? end[at] : 0);
    return bytes;
}

/* Reads 32 bits ahead. The lower 32 bits of distance must be zero. */
static av_always_inline void ff_v3doff_refill(V3DoffReader *r)
{
    const uint32_t bytes = r->at <= -4 ? AV_RB32(r->end + r->at) :
                                         ff_v3doff_last_bytes(r->end, r->at, r->limit);
    const uint64_t fresh = (uint64_t)~bytes << 32 | 1U << 31;

    r->at += 4;
    r->distance = (r->distance & (r->distance - 1)) | fresh >> (63 - ff_ctzll(r->distance));
}

/* Reads ahead if less than V3DOFF_READER_BITS may be left. */
static av_always_inline void ff_v3doff_need(V3DoffReader *r)
{
    if (!(uint32_t)r->distance)
        ff_v3doff_refill(r);
}

/* Normalises the range, and returns the part of it that means a one. probability: of a zero, of 256 */
static av_always_inline uint64_t ff_v3doff_split(V3DoffReader *r, unsigned probability)
{
    const int shift = ff_v3doff_leading_zeros(r->range);
    uint64_t last;

    r->range    <<= shift;
    r->distance <<= shift;
    last = r->range - (1ULL << 56);
#ifdef __SIZEOF_INT128__
    return last - ((uint64_t)((unsigned __int128)last * probability >> 64) << 56);
#else
    return last - ((last >> 32) * probability >> 32 << 56);
#endif
}

/* Decodes a decision on which the caller branches. */
static av_always_inline int ff_v3doff_read(V3DoffReader *r, unsigned probability)
{
    const uint64_t one = ff_v3doff_split(r, probability);

    if (r->distance < one) {
        r->range = one;
        return 1;
    }
    r->range    -= one;
    r->distance -= one;
    return 0;
}

/*
 * Decodes a decision without a branch, for callers that use it as a value, because processors cannot
 * predict it. Returns 0 or, for a one, all bits set.
 */
static av_always_inline uint64_t ff_v3doff_read_mask(V3DoffReader *r, unsigned probability)
{
    const uint64_t one = ff_v3doff_split(r, probability);
#if ARCH_AARCH64 && HAVE_INLINE_ASM
    uint64_t mask, zero = r->range - one, distance;

    /* Compilers make branches of these conditions. */
    __asm__ ("subs %[distance], %[old], %[one]         \n\t"
             "csel %[distance], %[old], %[distance], lo \n\t"
             "csel %[zero],     %[one], %[zero],     lo \n\t"
             "csetm %[mask],    lo"
             : [distance] "=&r" (distance), [zero] "+r" (zero), [mask] "=r" (mask)
             : [old] "r" (r->distance), [one] "r" (one)
             : "cc");
    r->distance = distance;
    r->range    = zero;
#else
    const uint64_t mask = -(uint64_t)(r->distance < one);

    r->distance -= one & ~mask;
    r->range     = (one & mask) | ((r->range - one) & ~mask);
#endif
    return mask;
}

static av_always_inline int ff_v3doff_read_bit(V3DoffReader *r, unsigned probability)
{
    return ff_v3doff_read_mask(r, probability) & 1;
}

/* Decodes 0 to 3, as 0, 10, 110, 111. */
static av_always_inline int ff_v3doff_read_four(V3DoffReader *r, const uint8_t *probabilities)
{
    ff_v3doff_need(r);
    if (!ff_v3doff_read(r, probabilities[0]))
        return 0;
    if (!ff_v3doff_read(r, probabilities[1]))
        return 1;
    return 2 + ff_v3doff_read_bit(r, probabilities[2]);
}

/* Decodes a leaf of one of FFmpeg's trees, from a node on. */
static av_always_inline int ff_v3doff_read_tree(V3DoffReader *r, const int8_t (*tree)[2], int node,
                                                const uint8_t *probabilities)
{
    do {
        ff_v3doff_need(r);
        node = tree[node][ff_v3doff_read_bit(r, probabilities[node])];
    } while (node > 0);
    return -node;
}

static av_unused void ff_v3doff_begin(V3DoffReader *r, const VPXRangeCoder *c)
{
    int ahead = -c->bits; // bits that are read ahead; negative: more than there were
    int skipped = 0;

    r->end   = c->end;
    r->at    = c->buffer - c->end;
    r->limit = r->at < 0 ? -r->at & 1 : r->at; // VPXRangeCoder reads two bytes at a time
    if (ahead <= 0)
        skipped = -ahead / 8 + 1;
    r->at       += skipped;
    ahead       += 8 * skipped;
    r->range     = (uint64_t)c->high << 56;
    r->distance  = r->range - 1 - ((uint64_t)c->code_word << 40);
    r->distance ^= (1ULL << (55 - ahead)) - 1;
    ff_v3doff_need(r);
}

static av_unused void ff_v3doff_end(const V3DoffReader *r, VPXRangeCoder *c)
{
    const int last = ff_ctzll(r->distance);
    uint64_t value = r->range - 1 - (r->distance | ((1ULL << last) - 1));
    ptrdiff_t at = r->at;
    int ahead = 55 - last, unread;

    if (at > r->limit) {
        ahead -= 8 * (at - r->limit);
        at     = r->limit;
    }
    unread = ahead > 16 ? (ahead - 1) / 16 : 0;
    ahead -= 16 * unread;
    at    -= 2 * unread;
    if (ahead > 0)
        value = value >> (56 - ahead) << (56 - ahead);
    c->high      = r->range >> 56;
    c->bits      = -ahead;
    c->buffer    = r->end + at;
    c->code_word = value >> 40;
}

#endif /* AVCODEC_VP9_V3DOFF_READER_H */
