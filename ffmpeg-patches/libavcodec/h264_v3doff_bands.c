/*
 * H.264: pictures and bands of rows on their way to libv3doff, and who waits for them
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

/** What is reported when a band or the picture is done, on any thread. */
typedef struct Done {
    ThreadFrame tf;          ///< reference
    FFV3DoffPicture *pic;    ///< reports final rows, without frame threads; else NULL
    int field_picture, field;
    int report;              ///< FFmpeg's own progress is reported, too
} Done;

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
 * Each band costs a submit. With frame threads, other threads wait for rows, so a picture has
 * several bands, unless only one thread is at work. Without frame threads, the decoder waits only
 * for the end of the picture, so the last of two bands is small.
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

static void report(Done *done, int rows)
{
    if (done->pic)
        ff_v3doff_report_final(done->pic, done->field, rows);
    if (done->report)
        ff_thread_report_progress(&done->tf, rows, done->field);
}

static void done(void *opaque)
{
    report(opaque, INT_MAX);
}

/* As in FFmpeg, the last 4 rows are not final yet: the next band changes 3 of them. */
static void band_done(void *opaque, v3doff_picture *picture, uint32_t row_end)
{
    Done *done = opaque;

    report(done, (int)(row_end >> done->field_picture) - 5);
}

static void release(void *opaque)
{
    Done *done = opaque;

    ff_thread_release_ext_buffer(&done->tf);
    av_frame_free(&done->tf.f);
    av_free(done);
}

static Done *get_done(const H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    Done *done = data->done;

    if (done)
        return done;
    done = av_mallocz(sizeof(*done));
    if (!done)
        return NULL;
    done->field         = h->picture_structure == PICT_BOTTOM_FIELD;
    done->field_picture = FIELD_PICTURE(h);
    done->report        = !h->droppable;
    done->tf.f          = av_frame_alloc();
    if (!done->tf.f || ff_thread_ref_frame(&done->tf, &h->cur_pic_ptr->tf) < 0) {
        release(done);
        return NULL;
    }
    if (!(h->avctx->active_thread_type & FF_THREAD_FRAME)) {
        done->pic = h->v3doff;
        ff_v3doff_report_final(done->pic, done->field, -1);
    }
    return data->done = done;
}

void ff_h264_v3doff_submit_band(const H264Context *h, int end)
{
    H264V3Doff *data = h->v3doff_data;
    Done *done = get_done(h);
    int ret    = done ? ff_v3doff_submit_rows(h->v3doff, (end * 16) << FIELD_PICTURE(h), band_done,
                                              done) : AVERROR(ENOMEM);

    if (ret < 0)
        data->refused = 1;
    else if (ret)
        data->submitted = end;
}

int ff_h264_v3doff_submit(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;
    Done *end = data->refused ? NULL : get_done(h);
    int ret;

    if (!end)
        return AVERROR_EXTERNAL;
    data->done = NULL;
    ret = ff_v3doff_submit(h->avctx, h->v3doff, data->references, data->nb_references, done,
                           release, end);
    if (ret < 0)
        data->done = end;
    return ret;
}

void ff_h264_v3doff_end_bands(H264Context *h)
{
    H264V3Doff *data = h->v3doff_data;

    if (data->done)
        data->done->report = 0; // not before the decoder has done the rest
    if (data->submitted)
        ff_v3doff_end_rows(h->v3doff);
    if (data->done) {
        done(data->done);
        release(data->done);
    }
    data->done = NULL;
}
