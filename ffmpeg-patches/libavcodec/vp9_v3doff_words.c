/*
 * VP9: begins and ends *whole* frames, which libv3doff reconstructs and the decoder only parses
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

#include "avcodec.h"
#include "internal.h"
#include "v3doff.h"
#include "vp9_v3doff_internal.h"

/*
 * A lane is the list of words, libv3doff's records, that one thread appends to. This begins empty ones with
 * room for a superblock. Returns 0 if there is no memory.
 */
static int begin_lanes(VP9Context *s, v3doff_picture *picture, int nb_lanes)
{
    for (int i = 0; i < nb_lanes; i++) {
        memset(&s->td[i].v3doff_words, 0, sizeof(s->td[i].v3doff_words));
        if (v3doff_vp9_make_room(picture, i, &s->td[i].v3doff_words) < 0)
            return 0;
    }
    return 1;
}

/* Returns 0 if libv3doff cannot predict from a reference. hold: also takes references to their samples */
static int find_references(VP9Context *s, int hold)
{
    for (int i = 0; i < 3 && !s->s.h.keyframe && !s->s.h.intraonly; i++) {
        const AVFrame *f = s->s.refs[s->s.h.refidx[i]].f;

        if (!ff_v3doff_has_samples(f) ||
            hold && !(s->v3doff_ref[i] = ff_v3doff_samples_ref(f)))
            return 0;
    }
    return 1;
}

int ff_vp9_v3doff_whole_possible(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    return ff_v3doff_may_reconstruct(avctx) &&
           ff_v3doff_own(s->s.frames[CUR_FRAME].tf.f) && find_references(s, 0);
}

int ff_vp9_v3doff_whole_start(AVCodecContext *avctx, int nb_lanes)
{
    VP9Context *s = avctx->priv_data;

    if (!find_references(s, 1) ||
        !begin_lanes(s, ff_v3doff_handle(s->v3doff), nb_lanes) ||
        !ff_vp9_v3doff_parse_start(s, nb_lanes))
        return 0;
    s->v3doff_whole = 1;
    s->s.frames[CUR_FRAME].v3doff_whole = s->v3doff;
    ff_v3doff_begin_whole(s->v3doff, 0);
    return 1;
}

void ff_vp9_v3doff_await_parsed(const VP9Frame *frame, int sb_row)
{
    if (frame->uses_2pass || frame->decoded_alone)
        return;
    if (!frame->v3doff_whole || !ff_v3doff_await_parsed(frame->v3doff_whole, 0, sb_row + 1))
        ff_progress_frame_await(&frame->tf, sb_row);
}

/*
 * Waits until the frame may be submitted. A whole reference must be submitted before, because the device
 * does one picture after the other. Any other reference must be final.
 */
static void await_references(const VP9Context *s)
{
    for (int i = 0; i < 3; i++) {
        if (!s->v3doff_ref[i] ||
            ff_v3doff_await_parsed(ff_v3doff_picture_in(s->v3doff_ref[i]), 0, INT_MAX))
            continue;
        ff_progress_frame_await(&s->s.refs[s->s.h.refidx[i]], INT_MAX);
        ff_v3doff_await_samples(s->s.refs[s->s.h.refidx[i]].f, s->v3doff_ref[i]);
    }
}

int ff_vp9_v3doff_whole_record(AVCodecContext *avctx, int nb_lanes, int partial, int sb_rows)
{
    VP9Context *s = avctx->priv_data;
    v3doff_picture *picture = ff_v3doff_handle(s->v3doff);
    v3doff_vp9_picture_info info = { sizeof(info) };
    v3doff_result res = V3DOFF_OK;

    for (int i = 0; i < nb_lanes; i++) {
        if (s->td[i].error_info == AVERROR(ENOMEM))
            return AVERROR(ENOMEM);
        if (res >= 0)
            res = v3doff_vp9_end_lane(picture, i, &s->td[i].v3doff_words);
    }
    info.lossless = s->s.h.lossless;
    info.partial  = partial;
    info.itxfm_add = s->dsp.itxfm_add;
    for (int i = 0; i < 8; i++)
        memcpy(info.dequantisation[i], s->s.h.segmentation.feat[i].qmul,
               sizeof(info.dequantisation[i]));
    if (s->s.h.filter.level) {
        info.filtered_rows = sb_rows;
        info.sharpness     = s->s.h.filter.sharpness;
        for (int i = 0; i < 8; i++)
            memcpy(info.filter_level[i], s->s.h.segmentation.feat[i].lflvl,
                   sizeof(info.filter_level[i]));
    }
    for (int i = 0; i < 3; i++)
        if (s->v3doff_ref[i])
            info.reference[i] = ff_v3doff_handle(ff_v3doff_picture_in(s->v3doff_ref[i]));
    if (res >= 0)
        res = v3doff_vp9_record_picture(picture, &info);
    if (res == V3DOFF_ERROR_OUT_OF_MEMORY) {
        ff_v3doff_wait_all(avctx); // this may free memory
        res = v3doff_vp9_record_picture(picture, &info);
    }
    if (res < 0)
        return AVERROR_EXTERNAL;
    /* Most of a submit's work is done before the wait, so that threads do it at the same time. */
    v3doff_picture_prepare(picture); // if this fails, the submit fails, too
    await_references(s);
    return 0;
}

void ff_vp9_v3doff_whole_over(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    s->v3doff_whole = 0;
    for (int i = 0; i < 3; i++)
        av_buffer_unref(&s->v3doff_ref[i]);
}
