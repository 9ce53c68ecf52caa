/*
 * H.264: references, weights and progress of *whole* pictures, which libv3doff reconstructs and the
 * decoder only parses
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

#include <limits.h>
#include <string.h>

#include "libavutil/cpu.h"
#include "libavutil/thread.h"

#include "h264_ps.h"
#include "h264_v3doff_internal.h"
#include "thread.h"

/*
 * Returns whether libv3doff can predict from a picture. It cannot if the decoder may still write to it (it
 * fills a missing field when it returns the frame), or if it is unknown which fields are decoded.
 */
static int is_reference(const H264Context *h, const H264Picture *pic)
{
    if (!pic || !pic->f || !pic->f->data[0])
        return 0;
    if (pic == h->cur_pic_ptr ? !FIELD_PICTURE(h) :
        pic->field_picture && (pic->field_poc[0] == INT_MAX || pic->field_poc[1] == INT_MAX))
        return 0;
    if (pic->field_picture && !pic->v3doff && h->avctx->active_thread_type & FF_THREAD_FRAME)
        return 0;
    return ff_v3doff_has_samples(pic->f);
}

/*
 * Waits until the threads that decode a frame have submitted or reconstructed it. Returns 1 if all of it
 * is whole and submitted.
 */
static int await_decoded(const H264Picture *pic)
{
    int submitted = 1;

    for (int field = 0; field <= !!pic->field_picture; field++) {
        if (pic->v3doff && ff_v3doff_await_parsed(pic->v3doff, field, INT_MAX))
            continue;
        submitted = 0;
        /* With frame threads, a field may be missing: no thread decodes it. */
        if (!pic->field_picture || !pic->v3doff || ff_v3doff_decoder(pic->v3doff, field))
            ff_thread_await_progress(&pic->tf, INT_MAX, field);
    }
    return submitted;
}

/*
 * Returns whether libv3doff can predict from every frame that the current one may refer to. With await,
 * the other threads know afterwards whether these frames are damaged.
 */
static int has_references(const H264Context *h, int await)
{
    for (int i = 0; i < h->short_ref_count + 16 && !h->picture_idr; i++) {
        const H264Picture *pic = i < h->short_ref_count ? h->short_ref[i] :
                                                          h->long_ref[i - h->short_ref_count];

        if (!pic)
            continue;
        if (!is_reference(h, pic))
            return 0;
        if (await && pic != h->cur_pic_ptr)
            await_decoded(pic);
    }
    return 1;
}

/* Returns why libv3doff only filters the picture, or NULL. */
static const char *why_only_filtered(const H264Context *h)
{
    /* Concealment treats samples as bytes. With more than 8 bits, those that it leaves may exceed the bit
     * depth, and the device would predict differently from them. */
    const int await = h->pixel_shift && h->enable_er &&
                      h->avctx->active_thread_type & FF_THREAD_FRAME;

    for (int i = 0; i < h->nb_slice_ctx; i++)
        if (!ff_h264_v3doff_is_clean(&h->slice_ctx[i]))
            return "damage may have left coefficients over";
    if (ff_h264_v3doff_sums_residuals(h) && h->x264_build < 151U)
        return "lossless macroblocks of an old x264"; // it predicts 8x8 from unfiltered samples
    if (!ff_v3doff_own(h->cur_pic_ptr->f))
        return "the frame is in other memory";
    if (!has_references(h, await))
        return "a reference may be incomplete";
    if (await && ff_v3doff_suspended(h->avctx))
        return "a reference has samples beyond the bit depth";
    return NULL;
}

int ff_h264_v3doff_whole_possible(const H264Context *h)
{
    const char *reason;

    if (!ff_v3doff_may_reconstruct(h->avctx))
        return 0;
    reason = why_only_filtered(h);
    if (reason)
        av_log(h->avctx, AV_LOG_VERBOSE, "libv3doff: only filtered: %s\n", reason);
    return !reason;
}

static AVOnce parser_once = AV_ONCE_INIT;

static void init_parsers(void)
{
    ff_h264_v3doff_init_cabac();
    ff_h264_v3doff_init_cavlc();
}

void ff_h264_v3doff_whole_start(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    ff_thread_once(&parser_once, init_parsers);
    h->v3doff_whole = 1;
    data->band_rows = INT_MAX;
    for (int i = 0; i < h->nb_slice_ctx; i++) {
        memset(&h->slice_ctx[i].v3doff_words, 0, sizeof(h->slice_ctx[i].v3doff_words));
        h->slice_ctx[i].v3doff_lane = i; // the number of the context's own list of words, libv3doff's records
    }
    ff_v3doff_begin_whole(h->v3doff, data->field);
}

void ff_h264_v3doff_whole_over(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    h->v3doff_whole = 0;
    for (int i = 0; i < data->nb_references; i++)
        av_buffer_unref(&data->references[i]);
    data->nb_references = data->nb_predictions = data->unpredictable = 0;
}

/* ---- Slices --------------------------------------------------------------- */

/* Returns the number of a frame among the references, which gets one if it has none. */
static int frame_number(const H264Context *h, const H264Picture *pic)
{
    H264V3Doff *data = h->v3doff_data;
    int i;

    for (i = 0; i < data->nb_references; i++)
        if (data->parents[i] == pic)
            return i;
    if (i == V3DOFF_H264_REFERENCES || !is_reference(h, pic))
        return V3DOFF_H264_NO_REFERENCE;
    data->references[i] = ff_v3doff_samples_ref(pic->f);
    if (!data->references[i])
        return V3DOFF_H264_NO_REFERENCE;
    data->parents[i] = pic;
    return data->nb_references++;
}

/* Returns what v3doff_h264_prediction.reference has for a frame, or for a field in a field. */
static int reference_number(const H264Context *h, const H264Ref *ref)
{
    int number;

    if (!FIELD_PICTURE(h))
        return frame_number(h, ref->parent);
    /* Of its own frame, a second field is only predicted from the first one. */
    if (ref->reference != PICT_TOP_FIELD && ref->reference != PICT_BOTTOM_FIELD ||
        ref->parent == h->cur_pic_ptr && (h->first_field || ref->reference == h->picture_structure))
        return V3DOFF_H264_NO_REFERENCE;
    number = frame_number(h, ref->parent);
    return number == V3DOFF_H264_NO_REFERENCE ? number :
           2 * number + (ref->reference == PICT_BOTTOM_FIELD);
}

/* Explicit weights (8.4.2.3). */
static void fill_explicit(v3doff_h264_prediction *out, const H264SliceContext *sl)
{
    const H264PredWeightTable *pwt = &sl->pwt;

    out->denominator[0] = pwt->luma_log2_weight_denom;
    out->denominator[1] = pwt->use_weight_chroma ? pwt->chroma_log2_weight_denom : 0;
    for (int j = 0; j < sl->list_count; j++)
        for (int i = 0; i < FFMIN(sl->ref_count[j], 32); i++) {
            out->weight[j][i][0] = pwt->luma_weight[i][j][0];
            out->offset[j][i][0] = pwt->luma_weight[i][j][1];
            for (int c = 0; c < 2; c++) {
                out->weight[j][i][1 + c] = pwt->use_weight_chroma ? pwt->chroma_weight[i][j][c][0] : 1;
                out->offset[j][i][1 + c] = pwt->use_weight_chroma ? pwt->chroma_weight[i][j][c][1] : 0;
            }
        }
}

/* Implicit weights (8.4.2.3.1) of frame macroblocks, or of a field. */
static void fill_implicit(v3doff_h264_prediction *out, const H264SliceContext *sl)
{
    for (int i = 0; i < FFMIN(sl->ref_count[0], 32); i++)
        for (int j = 0; j < FFMIN(sl->ref_count[1], 32); j++)
            out->implicit[i][j] = sl->pwt.implicit_weight[i][j][0];
}

/*
 * Implicit weights of field macroblocks in an MBAFF frame. An odd index means the field of the other
 * parity (8.4.2.1). The decoder's table has both fields of each frame from its 16th element on, the top
 * field first.
 */
static void fill_field_implicit(int16_t (*out)[32][32], const H264SliceContext *sl)
{
    for (int lower = 0; lower < 2; lower++)
        for (int i = 0; i < FFMIN(2 * sl->ref_count[0], 32); i++)
            for (int j = 0; j < FFMIN(2 * sl->ref_count[1], 32); j++)
                out[lower][i][j] = sl->pwt.implicit_weight[16 + (i ^ lower)][16 + (j ^ lower)][lower];
}

/*
 * weighted_otherwise() of one plane with explicit weights.
 *
 * range: the least and the greatest weight of the plane in each list
 */
static int plane_otherwise(const int (*range)[2], int is_b, int bits, int denominator)
{
    const int least    = range[0][0] + (is_b ? range[1][0] : 0);
    const int greatest = range[0][1] + (is_b ? FFMAX(range[1][1], 0) : 0);

    if (bits == 10) // a negative weight changes the offset, and large sums wrap around
        return range[0][0] < 0 || is_b && range[1][0] < 0 || greatest * 1023 >> denominator > 30000;
    // With two predictions, a weight of 128 and its rounding are halved, and large sums are clipped.
    return is_b && (FFMAX(range[0][1], range[1][1]) == 128 || greatest > 128 || least < -128);
}

/*
 * Returns whether FFmpeg's x86 functions weight the slice differently from its C functions, from 8.4.2.3
 * of the standard, and from libv3doff.
 */
static int weighted_otherwise(const H264Context *h, const H264SliceContext *sl,
                              const v3doff_h264_prediction *prediction,
                              const int16_t (*field_implicit)[32][32])
{
    const int bits = h->ps.sps->bit_depth_luma;
    const int lists = sl->slice_type_nos == AV_PICTURE_TYPE_B ? 2 : 1;

    if (!ARCH_X86 || !(av_get_cpu_flags() & AV_CPU_FLAG_SSE2) || bits != 8 && bits != 10)
        return 0;
    if (prediction->weighting == V3DOFF_H264_WEIGHTS_IMPLICIT) {
        /* Both weights add up to 64. */
        for (int i = 0; i < FFMIN(sl->ref_count[0], 32) && bits == 10; i++)
            for (int j = 0; j < FFMIN(sl->ref_count[1], 32); j++)
                if ((unsigned)prediction->implicit[i][j] > 64)
                    return 1;
        for (int i = 0; i < FFMIN(2 * sl->ref_count[0], 32) && bits == 10 && FRAME_MBAFF(h); i++)
            for (int j = 0; j < FFMIN(2 * sl->ref_count[1], 32); j++)
                for (int lower = 0; lower < 2; lower++)
                    if ((unsigned)field_implicit[lower][i][j] > 64)
                        return 1;
        return 0;
    }
    for (int p = 0; p < 3; p++) {
        int range[2][2] = { { INT_MAX, INT_MIN }, { INT_MAX, INT_MIN } };

        for (int j = 0; j < lists; j++)
            for (int i = 0; i < FFMIN(sl->ref_count[j], 32); i++) {
                range[j][0] = FFMIN(range[j][0], prediction->weight[j][i][p]);
                range[j][1] = FFMAX(range[j][1], prediction->weight[j][i][p]);
            }
        if (plane_otherwise(range, lists == 2, bits, prediction->denominator[!!p]))
            return 1;
    }
    return 0;
}

/* libv3doff keeps weights for each reference and pair of them, of slices that differ; numbers of 16 bits. */
static int adds_too_many_weights(const H264Context *h, const H264SliceContext *sl)
{
    H264V3Doff *data = h->v3doff_data;

    for (int fields = 0; fields <= !!FRAME_MBAFF(h); fields++) {
        const int first = FFMIN(sl->ref_count[0] << fields, 32);
        const int other = sl->list_count < 2 ? 0 : FFMIN(sl->ref_count[1] << fields, 32);

        data->nb_predictions += first + other + first * other;
    }
    return data->nb_predictions > 60000;
}

void ff_h264_v3doff_whole_slice(const H264Context *h, const H264SliceContext *sl)
{
    H264V3Doff *data = h->v3doff_data;
    v3doff_h264_prediction *out = &data->predictions[sl->slice_num];

    memset(out->reference, V3DOFF_H264_NO_REFERENCE, sizeof(out->reference));
    out->weighting = V3DOFF_H264_WEIGHTS_DEFAULT;
    if (sl->slice_type_nos == AV_PICTURE_TYPE_I)
        return;
    for (int j = 0; j < sl->list_count; j++)
        for (int i = 0; i < FFMIN(sl->ref_count[j], 32); i++) {
            out->reference[j][i] = reference_number(h, &sl->ref_list[j][i]);
            if (out->reference[j][i] == V3DOFF_H264_NO_REFERENCE)
                data->unpredictable = 1;
        }
    if (sl->pwt.use_weight == 1) {
        out->weighting = V3DOFF_H264_WEIGHTS_EXPLICIT;
        fill_explicit(out, sl);
        /* FFmpeg weights chroma here, with weights that other slices have left. */
        if (!CHROMA(h) && sl->slice_type_nos == AV_PICTURE_TYPE_B)
            data->unpredictable = 1;
    } else if (sl->pwt.use_weight == 2) {
        out->weighting = V3DOFF_H264_WEIGHTS_IMPLICIT;
        fill_implicit(out, sl);
        if (FRAME_MBAFF(h))
            fill_field_implicit(data->field_implicit[sl->slice_num], sl);
    }
    if (out->weighting != V3DOFF_H264_WEIGHTS_DEFAULT &&
        (weighted_otherwise(h, sl, out, (const int16_t (*)[32][32])data->field_implicit[sl->slice_num]) ||
         adds_too_many_weights(h, sl)))
        data->unpredictable = 1;
}

/* Returns first_mb_in_slice, in MBAFF frames twice as much: the slice's first macroblock in decoding order. */
static int first_macroblock(const H264Context *h, const H264SliceContext *sl)
{
    if (FRAME_MBAFF(h))
        return sl->mb_y * h->mb_width + 2 * sl->mb_x;
    return (sl->mb_y >> FIELD_PICTURE(h)) * h->mb_width + sl->mb_x;
}

int ff_h264_v3doff_whole_make_room(H264Context *h)
{
    for (int i = 0; i < h->nb_slice_ctx_queued; i++) {
        H264SliceContext *sl = &h->slice_ctx[i];
        const int first = first_macroblock(h, sl);
        int end = h->mb_num >> FIELD_PICTURE(h);

        if (i + 1 < h->nb_slice_ctx_queued) {
            const int next = first_macroblock(h, &sl[1]);

            if (next > first)
                end = next;
        }
        if (v3doff_h264_make_room(ff_v3doff_handle(h->v3doff), sl->v3doff_lane, &sl->v3doff_words,
                                  end - first) < 0)
            return AVERROR(ENOMEM);
    }
    return 0;
}

/*
 * Reports rows no earlier than FFmpeg does, because another thread may read their motion vectors before an
 * error further down is found and concealed. If the slice is filtered, that is when the next row, in an
 * MBAFF frame the next two rows, are parsed.
 */
void ff_h264_v3doff_whole_rows(const H264Context *h, const H264SliceContext *sl, int rows)
{
    const H264V3Doff *data = h->v3doff_data;
    const int filtered = data->slices[sl->slice_num].deblocking_filter;

    if (h->avctx->active_thread_type & FF_THREAD_FRAME)
        ff_v3doff_report_parsed(h->v3doff, data->field,
                               rows - (filtered && rows < h->mb_height >> FIELD_PICTURE(h) ?
                                       1 + FRAME_MBAFF(h) : 0));
}

int ff_h264_v3doff_await_parsed(const H264Ref *ref, int mb_y)
{
    const H264Picture *pic = ref->parent;
    const int rows = FFMIN(mb_y + 1, pic->mb_height);
    int parsed = !!pic->v3doff;

    if (!pic->field_picture)
        return parsed && ff_v3doff_await_parsed(pic->v3doff, 0, rows);
    for (int field = 0; parsed && field < 2; field++)
        if (ref->reference & 1 << field)
            parsed = ff_v3doff_await_parsed(pic->v3doff, field, (rows + 1) >> 1);
    return parsed;
}

/* ---- The end of the picture ------------------------------------------------ */

/*
 * Waits until the picture may be submitted. A whole reference must be submitted before, because the device
 * does one picture after the other. Any other reference must be final.
 */
static void await_references(const H264Context *h)
{
    const H264V3Doff *data = h->v3doff_data;

    for (int i = 0; i < data->nb_references; i++) {
        FFV3DoffPicture *reference = ff_v3doff_picture_in(data->references[i]);
        const H264Picture *parent = data->parents[i];

        if (reference == h->v3doff) // the first field, which was submitted before this one was opened
            continue;
        if (!await_decoded(parent))
            ff_v3doff_await_samples(parent->f, data->references[i]);
    }
}

int ff_h264_v3doff_whole_record(H264Context *h, int partial)
{
    H264V3Doff *data = h->v3doff_data;
    v3doff_picture *picture = ff_v3doff_handle(h->v3doff);
    v3doff_h264_picture_info info = { sizeof(info) };
    v3doff_result res;

    for (int i = 0; i < h->nb_slice_ctx; i++) {
        const H264SliceContext *sl = &h->slice_ctx[i];

        if (sl->v3doff_words.macroblock &&
            v3doff_h264_end_lane(picture, sl->v3doff_lane, &sl->v3doff_words) < 0)
            return AVERROR_EXTERNAL;
    }
    info.predictions = data->predictions;
    info.partial     = partial;
    info.structure   = ff_h264_v3doff_structure(h);
    if (FRAME_MBAFF(h))
        info.field_implicit = (const int16_t (*)[2][32][32])data->field_implicit;
    for (int i = 0; i < data->nb_references; i++)
        info.reference[i] = ff_v3doff_handle(ff_v3doff_picture_in(data->references[i]));
    res = v3doff_h264_record_picture(picture, &info);
    if (res == V3DOFF_ERROR_OUT_OF_MEMORY) {
        ff_v3doff_wait_all(h->avctx); // this may free memory
        res = v3doff_h264_record_picture(picture, &info);
    }
    if (res < 0)
        return AVERROR_EXTERNAL;
    /* Most of a submit's work is done before the wait, so that threads do it at the same time. */
    v3doff_picture_prepare(picture); // if this fails, the submit fails, too
    await_references(h);
    return 0;
}

static int has_macroblocks(const H264Context *h)
{
    for (int i = 0; i < h->nb_slice_ctx; i++)
        if (h->slice_ctx[i].v3doff_words.macroblock)
            return 1;
    return 0;
}

void ff_h264_v3doff_whole_give_up(H264Context *h)
{
    v3doff_picture *picture = ff_v3doff_handle(h->v3doff);

    if (has_macroblocks(h) &&
        (ff_h264_v3doff_record_rows(h, 0, h->mb_height >> FIELD_PICTURE(h), 0) < 0 ||
         ff_h264_v3doff_whole_record(h, 1) < 0 ||
         v3doff_picture_submit(picture, NULL) < 0 ||
         v3doff_picture_wait(picture, UINT64_MAX) < 0 || v3doff_picture_reopen(picture) < 0))
        av_log(h->avctx, AV_LOG_ERROR, "libv3doff: a frame could not be reconstructed\n");
    ff_h264_v3doff_whole_over(h);
}
