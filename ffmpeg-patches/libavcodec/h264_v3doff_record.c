/*
 * H.264: passing what the deblocking filter needs to libv3doff
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

#include "libavutil/mem.h"

#include "h264_ps.h"
#include "h264_v3doff_internal.h"
#include "v3doff_compat.h"

#define MAX_KEPT_SLICES 1024

static void fill_pictures(uint8_t out[2][32], const Slice *slice, int first)
{
    for (int j = 0; j < 2; j++)
        for (int ref = 0; ref < 32; ref++) {
            int frame = slice->ref2frm[j][first + ref];

            out[j][ref] = frame < 0 ? 254 : frame;
        }
}

static void fill_parameters(H264V3Doff *data, int slice_num)
{
    const Slice *slice = &data->slices[slice_num];
    v3doff_h264_slice *out = &data->parameters[slice_num];

    memset(out, 0, sizeof(*out));
    memset(&data->field_pictures[slice_num], 0, sizeof(*data->field_pictures));
    out->disable_deblocking_filter = slice->deblocking_filter < 2 ?
                                     !slice->deblocking_filter : 2;
    if (!slice->pps)
        return;
    out->filter_offset_a = slice->slice_alpha_c0_offset;
    out->filter_offset_b = slice->slice_beta_offset;
    for (int j = 0; j < 2; j++)
        out->chroma_qp_index_offset[j] = slice->pps->chroma_qp_index_offset[j];
    fill_pictures(out->picture, slice, 2);
    fill_pictures(data->field_pictures[slice_num], slice, 16 + 4);
    out->flags = (slice->pps->cabac ? 0 : V3DOFF_H264_SLICE_CAVLC) |
                 (slice->list_count < 2 ? V3DOFF_H264_SLICE_LIST_0_ONLY : 0);
}

void ff_h264_v3doff_add_slice(H264Context *h, H264SliceContext *sl)
{
    H264V3Doff *data = h->v3doff_data;
    v3doff_h264_slice *parameters;
    uint8_t (*field_pictures)[2][32];
    Slice *slices, *slice;

    sl->v3doff_await = ff_h264_v3doff_must_await(sl);
    if (!h->v3doff && !(data && data->pending))
        return;
    /* Each number takes 4 KB in each thread. */
    if (sl->slice_num >= MAX_KEPT_SLICES) {
        data->unordered = 1;
        return;
    }
    slices = av_fast_realloc(data->slices, &data->slices_size,
                             (sl->slice_num + 1) * sizeof(*slices));
    parameters = av_fast_realloc(data->parameters, &data->parameters_size,
                                 (sl->slice_num + 1) * sizeof(*parameters));
    field_pictures = av_fast_realloc(data->field_pictures, &data->field_pictures_size,
                                     (sl->slice_num + 1) * sizeof(*field_pictures));
    if (slices)
        data->slices = slices;
    if (parameters)
        data->parameters = parameters;
    if (field_pictures)
        data->field_pictures = field_pictures;
    if (!slices || !parameters || !field_pictures) {
        data->unordered = 1;
        return;
    }
    for (; data->nb_slices <= sl->slice_num; data->nb_slices++) {
        memset(&slices[data->nb_slices], 0, sizeof(*slices));
        fill_parameters(data, data->nb_slices);
    }
    slice = &slices[sl->slice_num];
    slice->slice_num             = sl->slice_num;
    slice->slice_type            = sl->slice_type;
    slice->list_count            = sl->list_count;
    slice->deblocking_filter     = sl->deblocking_filter;
    slice->qp_thresh             = sl->qp_thresh;
    slice->slice_alpha_c0_offset = sl->slice_alpha_c0_offset;
    slice->slice_beta_offset     = sl->slice_beta_offset;
    av_refstruct_replace(&slice->pps, h->ps.pps);
    memcpy(slice->ref2frm, h->ref2frm[sl->slice_num & (MAX_SLICES - 1)], sizeof(slice->ref2frm));
    fill_parameters(data, sl->slice_num);
    if (h->v3doff_whole || data->pending_whole)
        ff_h264_v3doff_whole_slice(h, sl);
    data->filtered |= !!slice->deblocking_filter;
    data->next_postponed |= slice->deblocking_filter == 1;
    data->predicts_from_filtered |= V3DOFF_PREDICTS_FROM_FILTERED && FIELD_PICTURE(h) &&
                                    slice->deblocking_filter == 2;
}

/* For the last macroblock with coefficients of inter blocks: only these matter. */
static void fill_last(const H264Context *h, H264SliceContext *sl, int start_x, int end_x)
{
    const int top = sl->mb_y;

    for (sl->mb_x = end_x - 1; sl->mb_x >= start_x; sl->mb_x--)
        for (sl->mb_y = top + FRAME_MBAFF(h); sl->mb_y >= top; sl->mb_y--) {
            const int mb_xy   = sl->mb_x + sl->mb_y * h->mb_stride;
            const int mb_type = h->cur_pic.mb_type[mb_xy];

            sl->mb_xy = mb_xy;
            if (FRAME_MBAFF(h))
                sl->mb_mbaff = sl->mb_field_decoding_flag = !!IS_INTERLACED(mb_type);
            if (!IS_INTRA(mb_type) && !ff_h264_fill_filter_caches(h, sl, mb_type))
                return;
        }
}

void ff_h264_v3doff_keep_state(const H264Context *h, H264SliceContext *sl,
                               int start_x, int end_x)
{
    const H264V3Doff *data = h->v3doff_data;
    const int several = h->nb_slice_ctx_queued > 1, afterwards = several && !h->postpone_filter;
    const int mb_x = sl->mb_x, mb_y = sl->mb_y, mb_xy = sl->mb_xy;
    const int mbaff = sl->mb_mbaff, field = sl->mb_field_decoding_flag;
    const int filter = sl->deblocking_filter;

    /* FFmpeg filters several slices either all now, or all afterwards. */
    if (!h->v3doff || sl->slice_num >= data->nb_slices ||
        (several && afterwards != !!data->postponed))
        return;
    if (!afterwards)
        sl->deblocking_filter = data->slices[sl->slice_num].deblocking_filter;
    if (sl->deblocking_filter)
        fill_last(h, sl, start_x, end_x);
    sl->deblocking_filter      = filter;
    sl->mb_x                   = mb_x;
    sl->mb_y                   = mb_y;
    sl->mb_xy                  = mb_xy;
    sl->mb_mbaff               = mbaff;
    sl->mb_field_decoding_flag = field;
    sl->chroma_qp[0]           = get_chroma_qp(h->ps.pps, 0, sl->qscale);
    sl->chroma_qp[1]           = get_chroma_qp(h->ps.pps, 1, sl->qscale);
}

void ff_h264_v3doff_fill_arrays(const H264Context *h, v3doff_h264_arrays *arrays)
{
    const int field = FIELD_PICTURE(h), bottom = h->picture_structure == PICT_BOTTOM_FIELD;
    const ptrdiff_t first_mb = bottom * h->mb_stride;
    const H264Picture *pic = h->cur_pic_ptr;
    const H264V3Doff *data = h->v3doff_data;

    memset(arrays, 0, sizeof(*arrays));
    arrays->struct_size      = sizeof(*arrays);
    arrays->mb_stride        = (size_t)h->mb_stride << field;
    arrays->mb_type          = pic->mb_type + first_mb;
    arrays->qp               = pic->qscale_table + first_mb;
    arrays->slice_table      = h->slice_table + first_mb;
    arrays->non_zero_count   = (const uint8_t (*)[48])h->non_zero_count + first_mb;
    arrays->cbp              = h->cbp_table + first_mb;
    arrays->motion_stride    = h->b_stride;
    arrays->motion_mb_stride = (size_t)4 * h->b_stride << field;
    for (int j = 0; j < 2; j++) {
        arrays->motion[j]    = (const int16_t (*)[2])pic->motion_val[j] + bottom * 4 * h->b_stride;
        arrays->reference[j] = pic->ref_index[j] + 4 * first_mb;
    }
    arrays->slices      = data->parameters;
    arrays->slice_count = data->nb_slices;
    if (!CHROMA(h))
        arrays->flags |= V3DOFF_H264_ARRAYS_LUMA_ONLY; // also where the frame is 4:2:0
    if (FRAME_MBAFF(h)) {
        arrays->flags         |= V3DOFF_H264_ARRAYS_MBAFF;
        arrays->field_pictures = (const uint8_t (*)[2][32])data->field_pictures;
    }
}

v3doff_h264_structure ff_h264_v3doff_structure(const H264Context *h)
{
    if (!FIELD_PICTURE(h))
        return V3DOFF_H264_FRAME;
    return h->picture_structure == PICT_BOTTOM_FIELD ? V3DOFF_H264_BOTTOM_FIELD :
                                                       V3DOFF_H264_TOP_FIELD;
}

/* Records rows while they are in the caches. */
void ff_h264_v3doff_record_rows(const H264Context *h, int end)
{
    H264V3Doff *data = h->v3doff_data;
    v3doff_h264_arrays arrays;

    ff_h264_v3doff_fill_arrays(h, &arrays);
    if (v3doff_h264_record_deblock_rows(ff_v3doff_handle(h->v3doff), ff_h264_v3doff_structure(h),
                                        &arrays, data->recorded, end - data->recorded) < 0)
        data->refused = 1;
    data->recorded = end;
}

void ff_h264_v3doff_add_row(const H264Context *h, const H264SliceContext *sl,
                            int start_x, int end_x)
{
    H264V3Doff *data = h->v3doff_data;
    Row *rows;

    /* FFmpeg filters the complete rows of a damaged slice. It filters none of
     * them if it filters several slices after all are decoded. */
    if (h->nb_slice_ctx_queued > 1 && !sl->deblocking_filter &&
        sl->slice_num < data->nb_slices && data->slices[sl->slice_num].deblocking_filter &&
        (data->postponed || end_x < h->mb_width))
        return;
    rows = av_fast_realloc(data->rows, &data->rows_size, (data->nb_rows + 1) * sizeof(*rows));
    if (!rows) {
        data->unordered = 1;
        return;
    }
    data->rows = rows;
    rows[data->nb_rows++] = (Row) { sl->slice_num, sl->mb_y, start_x, end_x };

    if (sl->mb_y != data->y || start_x != data->x || sl->slice_num >= data->nb_slices)
        data->unordered = 1;
    if (data->unordered)
        return;
    data->x = end_x;
    if (data->x == h->mb_width) {
        const int rows = 1 + FRAME_MBAFF(h);
        const int end  = (data->y >> FIELD_PICTURE(h)) + rows;

        data->x  = 0;
        data->y += rows << FIELD_PICTURE(h);
        if (h->v3doff_whole) {
            ff_h264_v3doff_whole_rows(h, sl, end);
            return;
        }
        if (!data->filtered || data->refused)
            return;
        /* The next row needs unfiltered samples of this one. */
        if (data->recorded == end - rows && end - rows - data->submitted >= data->band_rows &&
            !ff_v3doff_suspended(h->avctx))
            ff_h264_v3doff_submit_band(h, end - rows);
        if (!data->refused)
            ff_h264_v3doff_record_rows(h, end);
    }
}
