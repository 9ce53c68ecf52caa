/*
 * H.264: FFmpeg's own deblocking filter, for pictures that libv3doff gives up, and its state after damage
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

#include "h264_ps.h"
#include "h264_v3doff_internal.h"

/* Filters the recorded rows below the submitted bands, each with the parameters of its slice. */
static void filter_rows(H264Context *h, H264SliceContext *sl)
{
    const H264V3Doff *data = h->v3doff_data;
    int last = -1;

    sl->linesize   = h->cur_pic_ptr->f->linesize[0];
    sl->uvlinesize = h->cur_pic_ptr->f->linesize[1];
    /* These may be those of a slice header that was refused, of another picture structure. */
    sl->mb_mbaff   = 0;
    sl->mb_field_decoding_flag = FIELD_PICTURE(h);
    for (int i = 0; i < data->nb_rows; i++) {
        const Row *row = &data->rows[i];
        const Slice *slice = &data->slices[row->slice];

        if (row->slice >= data->nb_slices || row->mb_y >> FIELD_PICTURE(h) < data->submitted)
            continue;
        /* The filter compares references with those of neighbouring slices, too (8.7.2.1). */
        if (row->slice != last)
            for (int s = FFMAX(1, row->slice - MAX_SLICES + 1); s <= row->slice; s++)
                memcpy(h->ref2frm[s & (MAX_SLICES - 1)], data->slices[s].ref2frm,
                       sizeof(data->slices[s].ref2frm));
        last = row->slice;
        COPY_FILTER_PARAMETERS(sl, slice);
        h->ps.pps = slice->pps;
        sl->mb_y  = row->mb_y;
        ff_h264_loop_filter_row(h, sl, row->start_x, row->end_x);
    }
}

/*
 * Finds a slice context that has buffers for a picture of this width, because the filter writes to its
 * top_borders. With slice threads the first context may have decoded nothing yet. Returns NULL if none
 * has.
 */
static H264SliceContext *context_with_borders(H264Context *h)
{
    const int size = h->mb_width * 16 * 3 * 2;

    for (int i = 0; i < h->nb_slice_ctx; i++) {
        H264SliceContext *sl = &h->slice_ctx[i];

        if (sl->top_borders_allocated[0] >= size && sl->top_borders_allocated[1] >= size)
            return sl;
    }
    return NULL;
}

/* Afterwards, the context is as before, because what a damaged slice left there affects the next slices. */
void ff_h264_v3doff_filter_on_cpu(H264Context *h)
{
    H264SliceContext *sl = context_with_borders(h);
    H264V3Doff *data = h->v3doff_data;
    const PPS *pps = h->ps.pps;
    const int postpone = h->postpone_filter;

    if (!sl || !data->nb_rows)
        return; // nothing was decoded
    memcpy(&data->kept, sl, sizeof(*sl));
    h->postpone_filter = 0;
    filter_rows(h, sl);
    h->postpone_filter = postpone;
    memcpy(sl, &data->kept, sizeof(*sl));
    h->ps.pps = pps;
}

/*
 * Fills non_zero_count_cache as FFmpeg's filter leaves it. The last inter macroblock that it filters
 * decides, because others do not change the cache.
 */
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
    /* FFmpeg filters several queued slices either all while it decodes them, or all afterwards. */
    const int several = h->nb_slice_ctx_queued > 1, afterwards = several && !h->postpone_filter;
    const int mb_x = sl->mb_x, mb_y = sl->mb_y, mb_xy = sl->mb_xy;
    const int mbaff = sl->mb_mbaff, field = sl->mb_field_decoding_flag;
    const int filter = sl->deblocking_filter;

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
