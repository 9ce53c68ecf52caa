/*
 * H.264: slices and rows of macroblocks, as libv3doff gets them from the decoder's arrays
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

/* Limits memory: each slice of a picture takes 8 KB in each frame thread. */
#define MAX_KEPT_SLICES 1024

v3doff_h264_structure ff_h264_v3doff_structure(const H264Context *h)
{
    return !FIELD_PICTURE(h) ? V3DOFF_H264_FRAME :
           h->v3doff_data->field ? V3DOFF_H264_BOTTOM_FIELD : V3DOFF_H264_TOP_FIELD;
}

/* Numbers the frames or fields that reference indices mean, so that equal ones have equal numbers (8.7.2.1). */
static void fill_pictures(uint8_t out[2][32], const Slice *slice, int first)
{
    for (int j = 0; j < 2; j++)
        for (int ref = 0; ref < 32; ref++) {
            int frame = slice->ref2frm[j][first + ref];

            out[j][ref] = frame < 0 ? 254 : frame;
        }
}

/* FFmpeg's deblocking_filter is disable_deblocking_filter_idc with 0 and 1 exchanged. */
static void fill_parameters(H264V3Doff *data, int slice_num)
{
    const Slice *slice = &data->slices[slice_num];
    v3doff_h264_slice *out = &data->parameters[slice_num];

    out->disable_deblocking_filter = slice->deblocking_filter < 2 ?
                                     !slice->deblocking_filter : 2;
    out->filter_offset_a = slice->slice_alpha_c0_offset;
    out->filter_offset_b = slice->slice_beta_offset;
    for (int j = 0; j < 2; j++)
        out->chroma_qp_index_offset[j] = slice->pps->chroma_qp_index_offset[j];
    fill_pictures(out->picture, slice, 2);
    fill_pictures(data->field_pictures[slice_num], slice, 16 + 4);
    out->flags = (slice->pps->cabac ? 0 : V3DOFF_H264_SLICE_CAVLC) |
                 (slice->list_count < 2 ? V3DOFF_H264_SLICE_LIST_0_ONLY : 0);
}

/*
 * Gives the arrays of slices room for a number. Slices that are not recorded are not filtered. Returns 0
 * if there is no memory, or if the number is too large.
 */
static int make_room(H264V3Doff *data, int slice_num)
{
    const struct { void **array; size_t element; } arrays[] = {
        { (void **)&data->slices, sizeof(*data->slices) },
        { (void **)&data->parameters, sizeof(*data->parameters) },
        { (void **)&data->field_pictures, sizeof(*data->field_pictures) },
        { (void **)&data->predictions, sizeof(*data->predictions) },
        { (void **)&data->field_implicit, sizeof(*data->field_implicit) },
    };

    if (slice_num >= MAX_KEPT_SLICES)
        return 0;
    for (int i = 0; i < FF_ARRAY_ELEMS(arrays); i++) {
        uint8_t *array = av_fast_realloc(*arrays[i].array, &data->sizes[i],
                                         (slice_num + 1) * arrays[i].element);

        if (!array)
            return 0;
        *arrays[i].array = array;
        if (slice_num >= data->nb_slices)
            memset(array + data->nb_slices * arrays[i].element, 0,
                   (slice_num + 1 - data->nb_slices) * arrays[i].element);
    }
    for (; data->nb_slices <= slice_num; data->nb_slices++)
        data->parameters[data->nb_slices].disable_deblocking_filter = 1;
    return 1;
}

int ff_h264_v3doff_record_slice(const H264Context *h, const H264SliceContext *sl)
{
    H264V3Doff *data = h->v3doff_data;
    Slice *slice;

    if (!make_room(data, sl->slice_num))
        return 0;
    slice = &data->slices[sl->slice_num];
    COPY_FILTER_PARAMETERS(slice, sl);
    av_refstruct_replace(&slice->pps, h->ps.pps);
    memcpy(slice->ref2frm, h->ref2frm[sl->slice_num & (MAX_SLICES - 1)], sizeof(slice->ref2frm));
    fill_parameters(data, sl->slice_num);
    return 1;
}

/* In a field, rows of macroblocks are two of the frame's rows apart. */
static void fill_arrays(const H264Context *h, v3doff_h264_arrays *arrays)
{
    const H264V3Doff *data = h->v3doff_data;
    const int field = FIELD_PICTURE(h);
    const ptrdiff_t first_mb = data->field * h->mb_stride;
    const H264Picture *pic = h->cur_pic_ptr;

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
        arrays->motion[j]    = (const int16_t (*)[2])pic->motion_val[j] + data->field * 4 * h->b_stride;
        arrays->reference[j] = pic->ref_index[j] + 4 * first_mb;
    }
    arrays->slices      = data->parameters;
    arrays->slice_count = data->nb_slices;
    if (!CHROMA(h))
        arrays->flags |= V3DOFF_H264_ARRAYS_LUMA_ONLY; // even if the frame is 4:2:0
    if (FRAME_MBAFF(h)) {
        arrays->flags         |= V3DOFF_H264_ARRAYS_MBAFF;
        arrays->field_pictures = (const uint8_t (*)[2][32])data->field_pictures;
    }
}

v3doff_result ff_h264_v3doff_record_rows(const H264Context *h, int first, int end, int filtered)
{
    v3doff_h264_arrays arrays;

    fill_arrays(h, &arrays);
    if (!filtered)
        arrays.flags |= V3DOFF_H264_ARRAYS_UNFILTERED;
    return v3doff_h264_record_rows(ff_v3doff_handle(h->v3doff), ff_h264_v3doff_structure(h),
                                   &arrays, first, end - first);
}
