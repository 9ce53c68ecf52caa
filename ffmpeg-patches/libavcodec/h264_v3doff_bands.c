/*
 * H.264: bands of rows that libv3doff filters while others are decoded
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

#include <stdatomic.h>

#include "libavutil/common.h"
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "h264_v3doff_internal.h"
#include "v3doff_compat.h"
#include "threadframe.h"

/* The rows of a picture's fields, or of a frame, that can be read, without frame threads. With
 * them: whether the first field's thread still has the picture. */
typedef struct H264V3DoffProgress {
    AVMutex mutex;
    AVCond  cond;
    int initialised;         ///< 2: both, 1: the mutex
    atomic_int rows[2];
    int claimed;
    const AVCodecContext *decoders[2]; ///< with frame threads: those that decode the fields
} H264V3DoffProgress;

/* The end of bands and of the filter, on any thread. */
typedef struct Done {
    ThreadFrame tf;
    H264V3DoffProgress *progress; ///< RefStruct reference, or NULL
    int field_picture, field, report;
} Done;

static void free_progress(AVRefStructOpaque opaque, void *object)
{
    H264V3DoffProgress *progress = object;

    if (progress->initialised > 1)
        ff_cond_destroy(&progress->cond);
    if (progress->initialised > 0)
        ff_mutex_destroy(&progress->mutex);
}

H264V3DoffProgress *ff_h264_v3doff_alloc_progress(void)
{
    H264V3DoffProgress *progress = av_refstruct_alloc_ext(sizeof(*progress), 0, NULL,
                                                          free_progress);

    if (progress && !ff_mutex_init(&progress->mutex, NULL))
        progress->initialised = 1 + !ff_cond_init(&progress->cond, NULL);
    if (progress && progress->initialised < 2)
        av_refstruct_unref(&progress);
    for (int i = 0; progress && i < 2; i++)
        atomic_init(&progress->rows[i], INT_MAX);
    return progress;
}

static void report_rows(H264V3DoffProgress *progress, int rows, int field)
{
    ff_mutex_lock(&progress->mutex);
    atomic_store_explicit(&progress->rows[field], rows, memory_order_release);
    ff_cond_broadcast(&progress->cond);
    ff_mutex_unlock(&progress->mutex);
}

static void set_claimed(H264V3DoffProgress *progress, int claimed)
{
    ff_mutex_lock(&progress->mutex);
    progress->claimed = claimed;
    ff_cond_broadcast(&progress->cond);
    ff_mutex_unlock(&progress->mutex);
}

void ff_h264_v3doff_claim(H264V3Doff *data, H264V3DoffProgress *progress)
{
    av_refstruct_replace(&data->claimed, progress);
    set_claimed(progress, 1);
}

void ff_h264_v3doff_unclaim(H264V3Doff *data)
{
    if (data->claimed)
        set_claimed(data->claimed, 0);
    av_refstruct_unref(&data->claimed);
}

void ff_h264_v3doff_await_unclaimed(H264V3DoffProgress *progress)
{
    ff_mutex_lock(&progress->mutex);
    while (progress->claimed)
        ff_cond_wait(&progress->cond, &progress->mutex);
    ff_mutex_unlock(&progress->mutex);
}

void ff_h264_v3doff_set_decoder(const H264Context *h)
{
    H264V3DoffProgress *progress = h->cur_pic_ptr->v3doff_progress;

    ff_mutex_lock(&progress->mutex);
    progress->decoders[h->picture_structure == PICT_BOTTOM_FIELD] = h->avctx;
    ff_mutex_unlock(&progress->mutex);
}

int ff_h264_v3doff_has_begun(const H264Picture *pic, int field)
{
    H264V3DoffProgress *progress = pic->v3doff_progress;
    int begun;

    if (!pic->field_picture || !progress)
        return 1;
    ff_mutex_lock(&progress->mutex);
    begun = !!progress->decoders[field];
    ff_mutex_unlock(&progress->mutex);
    return begun;
}

int ff_h264_v3doff_reports(const H264Context *h)
{
    H264V3DoffProgress *progress = h->cur_pic_ptr->v3doff_progress;
    const AVCodecContext *decoder;

    if (h->v3doff_submitted || !progress)
        return h->v3doff_submitted;
    ff_mutex_lock(&progress->mutex);
    decoder = progress->decoders[h->picture_structure == PICT_BOTTOM_FIELD];
    ff_mutex_unlock(&progress->mutex);
    return decoder && decoder != h->avctx;
}

void ff_h264_v3doff_await(const H264Picture *pic, int row, int field)
{
    H264V3DoffProgress *progress = pic->v3doff_progress;

    if (atomic_load_explicit(&progress->rows[field], memory_order_acquire) >= row ||
        v3doff_process_was_forked())
        return;
    ff_mutex_lock(&progress->mutex);
    while (atomic_load_explicit(&progress->rows[field], memory_order_relaxed) < row)
        ff_cond_wait(&progress->cond, &progress->mutex);
    ff_mutex_unlock(&progress->mutex);
}

int ff_h264_v3doff_must_await(const H264SliceContext *sl)
{
    for (int j = 0; j < sl->list_count; j++)
        for (int i = 0; i < sl->ref_count[j]; i++) {
            const H264Picture *ref = sl->ref_list[j][i].parent;

            for (int field = 0; ref && ref->v3doff_progress && field < 2; field++)
                if (atomic_load_explicit(&ref->v3doff_progress->rows[field],
                                         memory_order_acquire) != INT_MAX)
                    return 1;
        }
    return 0;
}

/* Each band costs a submit. Other frame threads, if there are any, wait for rows.
 * Without frame threads, the end of the picture only waits for the last band, so
 * only that one is small. */
int ff_h264_v3doff_band_rows(const H264Context *h)
{
    const int rows = h->mb_height >> FIELD_PICTURE(h);
    const int wanted = ff_v3doff_debug(h->avctx)->band_rows;
    int bands;

    if (FRAME_MBAFF(h))
        return INT_MAX; // libv3doff filters them whole
    if (wanted >= 0)
        return wanted ? wanted : INT_MAX;
    if (!(h->avctx->active_thread_type & FF_THREAD_FRAME))
        return FFMAX(rows * 3 / 4, 4);
    bands = h->droppable || ff_v3doff_alone(h->avctx) ? 1 : av_clip(h->avctx->thread_count, 4, 8);
    return FFMAX((rows + bands - 1) / bands, 4);
}

static void report(Done *done, int rows)
{
    if (done->progress)
        report_rows(done->progress, rows, done->field);
    if (done->report)
        ff_thread_report_progress(&done->tf, rows, done->field);
}

static void done(void *opaque)
{
    report(opaque, INT_MAX);
}

/* The next band changes 3 rows above it, so they are not reported yet. No thread
 * waits for only the first of them. */
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
    av_refstruct_unref(&done->progress);
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
    if (!(h->avctx->active_thread_type & FF_THREAD_FRAME))
        av_refstruct_replace(&done->progress, h->cur_pic_ptr->v3doff_progress);
    if (done->progress)
        report_rows(done->progress, -1, done->field);
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
    ff_v3doff_count(h->v3doff, FF_V3DOFF_MACROBLOCKS, 1, h->mb_num >> FIELD_PICTURE(h));
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
        data->done->report = 0; // what the decoder does itself comes first
    if (data->submitted)
        ff_v3doff_end_rows(h->v3doff);
    if (data->done) {
        done(data->done);
        release(data->done);
    }
    data->done = NULL;
}
