/*
 * H.264: pictures are submitted to libv3doff, perhaps in bands of rows, and report their progress
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

#include "libavutil/common.h"
#include "libavutil/mem.h"

#include "h264_v3doff_internal.h"
#include "threadframe.h"

/** The current frame or field as libv3doff's callbacks see it, which report its progress on any thread. */
typedef struct Progress {
    ThreadFrame tf;          ///< reference
    FFV3DoffPicture *pic;    ///< without frame threads: gets the final rows; else NULL
    int field_picture, field;
    int is_reference;        ///< FFmpeg's own progress is reported, too
} Progress;

/* ---- Waiting --------------------------------------------------------------- */

int ff_h264_v3doff_reports(const H264Context *h)
{
    const AVCodecContext *decoder;

    if (h->v3doff_submitted || !h->cur_pic_ptr->v3doff)
        return h->v3doff_submitted;
    decoder = ff_v3doff_decoder(h->cur_pic_ptr->v3doff, h->picture_structure == PICT_BOTTOM_FIELD);
    return decoder && decoder != h->avctx;
}

int ff_h264_v3doff_must_await(const H264SliceContext *sl)
{
    for (int j = 0; j < sl->list_count; j++)
        for (int i = 0; i < sl->ref_count[j]; i++) {
            const H264Picture *ref = sl->ref_list[j][i].parent;

            for (int field = 0; ref && ref->v3doff && field < 2; field++)
                if (!ff_v3doff_is_final(ref->v3doff, field, INT_MAX))
                    return 1;
        }
    return 0;
}

/* ---- Submitting ------------------------------------------------------------ */

/*
 * Each band costs a submit. With frame threads, other threads wait for rows to predict from, so a
 * picture has several bands, unless no other picture is being decoded or none is predicted from it.
 * Without frame threads, the decoder waits only for the end of the picture, so the last of two bands is
 * small.
 */
int ff_h264_v3doff_band_rows(const H264Context *h, int alone)
{
    const int rows = h->mb_height >> FIELD_PICTURE(h);
    const int wanted = ff_v3doff_debug(h->avctx)->band_rows;
    int bands;

    if (FRAME_MBAFF(h))
        return INT_MAX; // libv3doff only filters whole MBAFF frames
    if (wanted >= 0)
        return wanted ? wanted : INT_MAX;
    if (!(h->avctx->active_thread_type & FF_THREAD_FRAME))
        return FFMAX(rows * 3 / 4, 4);
    bands = h->droppable || alone ? 1 : av_clip(h->avctx->thread_count, 4, 8);
    return FFMAX((rows + bands - 1) / bands, 4);
}

static void report(Progress *progress, int rows)
{
    if (progress->pic)
        ff_v3doff_report_final(progress->pic, progress->field, rows);
    if (progress->is_reference)
        ff_thread_report_progress(&progress->tf, rows, progress->field);
}

/* libv3doff calls this when the picture is done. */
static void done(void *opaque)
{
    report(opaque, INT_MAX);
}

/*
 * libv3doff calls this when a band is done. As in FFmpeg, its last 4 rows of samples are not final yet,
 * because filtering the next band changes 3 of them (8.7).
 */
static void band_done(void *opaque, v3doff_picture *picture, uint32_t row_end)
{
    Progress *progress = opaque;

    report(progress, (int)(row_end >> progress->field_picture) - 5);
}

static void release(void *opaque)
{
    Progress *progress = opaque;

    ff_thread_release_ext_buffer(&progress->tf);
    av_frame_free(&progress->tf.f);
    av_free(progress);
}

/* Returns what the callbacks of all bands share, from the picture's first submit on; NULL: no memory. */
static Progress *get_progress(const H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    Progress *progress = data->progress;

    if (progress)
        return progress;
    progress = av_mallocz(sizeof(*progress));
    if (!progress)
        return NULL;
    progress->field         = data->field;
    progress->field_picture = FIELD_PICTURE(h);
    progress->is_reference  = !h->droppable;
    progress->tf.f          = av_frame_alloc();
    if (!progress->tf.f || ff_thread_ref_frame(&progress->tf, &h->cur_pic_ptr->tf) < 0) {
        release(progress);
        return NULL;
    }
    if (!(h->avctx->active_thread_type & FF_THREAD_FRAME)) {
        progress->pic = h->v3doff;
        ff_v3doff_report_final(progress->pic, progress->field, -1);
    }
    return data->progress = progress;
}

void ff_h264_v3doff_submit_band(const H264Context *h, int end)
{
    H264V3Doff *data = h->v3doff_data;
    Progress *progress = get_progress(h);
    int ret = progress ? ff_v3doff_submit_rows(h->v3doff, (end * 16) << FIELD_PICTURE(h), band_done,
                                               progress) : AVERROR(ENOMEM);

    if (ret < 0)
        data->refused = 1;
    else if (ret)
        data->submitted = end;
}

int ff_h264_v3doff_submit(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    int ret = AVERROR_EXTERNAL;

    if (!data->refused && get_progress(h))
        ret = ff_v3doff_submit(h->avctx, h->v3doff, data->references, data->nb_references, done,
                               release, data->progress);
    if (ret >= 0)
        data->progress = NULL; // release() frees it
    return ret;
}

void ff_h264_v3doff_end_bands(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    if (!data->progress)
        return;
    if (data->progress->pic)
        ff_v3doff_report_final(data->progress->pic, data->progress->field, INT_MAX);
    release(data->progress);
    data->progress = NULL;
}
