/*
 * H.264: template of the macroblock parsers for pictures that libv3doff reconstructs
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
 * Compiles FFmpeg's h264_cabac.c or h264_cavlc.c once more with three parts replaced: the residual
 * (h264_v3doff_residual.h), with CABAC the arithmetic decoder (h264_v3doff_cabac.h), and in progressive
 * frames fill_decode_caches() (h264_v3doff_caches.h). A file that includes this one defines:
 * V3DOFF_PARSE, the name of the function;
 * V3DOFF_CABAC, 1 for CABAC, 0 for CAVLC;
 * V3DOFF_420, 1 if all pictures have 8 bits and 4:2:0;
 * V3DOFF_PROGRESSIVE, 1 if, moreover, all are frames without field macroblocks.
 */

#include <string.h>

#if V3DOFF_CABAC
#define CABAC(h) 1
#else
#define CABAC(h) 0
#endif
#define UNCHECKED_BITSTREAM_READER 1

#include "config.h"
#include "cabac.h"
#include "cabac_functions.h"
#include "h264_ps.h"
#include "h264_v3doff_cabac.h"
#include "h264_v3doff_cavlc.h"
#include "h264_v3doff_internal.h"
#include "h264data.h"
#include "h264dsp.h"
#include "v3doff_compat.h"

#if V3DOFF_420
#undef CHROMA422
#undef CHROMA444
#define CHROMA422(h)     0
#define CHROMA444(h)     0
#define RESIDUAL_SHIFT   0
#else
#define RESIDUAL_SHIFT   h->pixel_shift
#endif
#if V3DOFF_PROGRESSIVE
#undef MB_MBAFF
#undef MB_FIELD
#undef FRAME_MBAFF
#undef FIELD_PICTURE
#define MB_MBAFF(h)      0
#define MB_FIELD(sl)     0
#define FRAME_MBAFF(h)   0
#define FIELD_PICTURE(h) 0
#define H264_V3DOFF_CACHES
#endif

#define H264_V3DOFF_RESIDUAL

#if V3DOFF_CABAC

/* The bin of mb_type that says I_PCM. FFmpeg's skip_bytes() then finds the samples by its own decoder's state. */
static av_noinline int parse_terminate(H264SliceContext *sl)
{
    H264V3DoffCabac *c = &sl->v3doff_cabac;

    c->window = v3doff_fill(c, c->window);
    if (!v3doff_terminate(&c->window, &c->range))
        return 0;
    v3doff_give_back(c, &sl->cabac);
    return 1;
}

static int parse_init(H264SliceContext *sl, const uint8_t *buf, int size)
{
    const int ret = ff_init_cabac_decoder(&sl->cabac, buf, size);

    v3doff_take(&sl->v3doff_cabac, &sl->cabac);
    return ret;
}

/* FFmpeg's code calls these with its own CABACContext, c. */
#undef get_cabac_bypass
#undef get_cabac_bypass_sign
#undef get_cabac_terminate
#define get_cabac(c, state)              v3doff_get(&sl->v3doff_cabac, state)
#define get_cabac_noinline(c, state)     v3doff_get(&sl->v3doff_cabac, state)
#define get_cabac_bypass(c)              v3doff_get_bypass(&sl->v3doff_cabac)
#define get_cabac_bypass_sign(c, val)    (v3doff_get_bypass(&sl->v3doff_cabac) ? (val) : -(val))
#define get_cabac_terminate(c)           parse_terminate(sl)
#define ff_init_cabac_decoder(c, buf, n) parse_init(sl, buf, n)

#define ff_h264_init_cabac_states        av_unused init_cabac_states
#define ff_h264_decode_mb_cabac          parse_after_skip_flag

static void init_cabac_states(const H264Context *h, H264SliceContext *sl);
static int parse_after_skip_flag(const H264Context *h, H264SliceContext *sl);
#include "h264_cabac.c"

#undef decode_cabac_mb_skip

/*
 * Reads mb_skip_flag here, because a skipped macroblock needs so little that entering FFmpeg's large
 * function is a part of its cost. In MBAFF frames that function has to read the flags of both macroblocks.
 */
int V3DOFF_PARSE(const H264Context *h, H264SliceContext *sl)
{
    const int mb_xy = sl->mb_x + sl->mb_y * h->mb_stride;

    if (sl->slice_type_nos == AV_PICTURE_TYPE_I || FRAME_MBAFF(h))
        return parse_after_skip_flag(h, sl);
    sl->mb_xy = mb_xy;
    if (!decode_cabac_mb_skip(h, sl, sl->mb_x, sl->mb_y))
        return parse_after_skip_flag(h, sl);
    decode_mb_skip(h, sl);
    h->cbp_table[mb_xy] = 0;
    h->chroma_pred_mode_table[mb_xy] = 0;
    sl->last_qscale_diff = 0;
    return V3DOFF_SKIPPED;
}

#else

/* After an error, FFmpeg's own parser parses the macroblock again, and logs what is wrong. */
#define av_log(...)              do { } while (0)
#define ff_h264_decode_init_vlc  av_unused init_vlc
#define ff_h264_decode_mb_cavlc  parse_after_skip_run

static void init_vlc(void);
static int parse_after_skip_run(const H264Context *h, H264SliceContext *sl);
#include "h264_cavlc.c"

/* Restores after an error what the second attempt needs. */
static av_noinline int parse_or_restore(const H264Context *h, H264SliceContext *sl)
{
    const int index = sl->gb.index, run = sl->mb_skip_run, qscale = sl->qscale;
    void *coefficient = sl->v3doff_words.coefficient;
    /* In fields, the macroblock's modes overwrite those of the macroblock above. */
    int8_t *place = sl->intra4x4_pred_mode + h->mb2br_xy[sl->mb_x + sl->mb_y * h->mb_stride];
    const uint64_t modes = V3DOFF_PROGRESSIVE ? 0 : AV_RN64(place);

    if (parse_after_skip_run(h, sl) >= 0)
        return 0;
    if (!V3DOFF_PROGRESSIVE)
        AV_WN64(place, modes);
    sl->v3doff_damaged = 0;
    sl->gb.index       = index;
    sl->mb_skip_run    = run;
    sl->qscale         = qscale;
    sl->v3doff_words.coefficient = coefficient;
    return -1;
}

int V3DOFF_PARSE(const H264Context *h, H264SliceContext *sl)
{
    if (sl->mb_skip_run <= 0 || FRAME_MBAFF(h))
        return parse_or_restore(h, sl);
    sl->mb_skip_run--;
    sl->mb_xy = sl->mb_x + sl->mb_y * h->mb_stride;
    decode_mb_skip(h, sl);
    return V3DOFF_SKIPPED;
}

#endif /* V3DOFF_CABAC */
