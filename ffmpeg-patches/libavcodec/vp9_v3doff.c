/*
 * VP9: the loop filter, transforms or reconstruction of a frame are left to libv3doff
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

#include <v3doff/vp9.h>
#include <v3doff/vp9dsp.h>

#include "libavutil/mem.h"

#include "avcodec.h"
#include "internal.h"
#include "v3doff.h"
#include "vp9_v3doff_internal.h"

/**
 * @file
 * The functions that vp9.c calls for each frame; vp9dec.h describes them. libv3doff may reconstruct a
 * frame, which is then called *whole* (VP9Context.v3doff_whole), while the decoder only parses it. Or the
 * decoder reconstructs the frame, and libv3doff does its loop filter, and perhaps large transforms. In the
 * second case, rows of superblocks may be submitted in *bands* before those below are decoded.
 */

_Static_assert(sizeof(VP9Filter) == sizeof(v3doff_vp9_superblock),
               "VP9Filter is handed over as it is");

/* The number of threads that record: each has a *lane* of its own in libv3doff's picture. */
static int nb_lanes(const AVCodecContext *avctx, const VP9Context *s)
{
    return avctx->active_thread_type == FF_THREAD_SLICE ? s->active_tile_cols : 1;
}

/*
 * Returns the number of superblock rows in a band. A band costs the CPU 30 us or more, and an
 * integrated GPU some dispatches. Other frame threads wait for the rows that they predict from, so a
 * frame has several bands, unless no other frame is being decoded (alone) or none is predicted from it.
 * Without frame threads, the decoder waits only for the end of the frame, so the last of two bands is
 * small.
 */
static int choose_band_rows(const AVCodecContext *avctx, const VP9Context *s, int alone)
{
    const int wanted = ff_v3doff_debug(avctx)->band_rows;
    const int bands  = (s->sb_rows + 1) / 4;

    if (wanted >= 0)
        return wanted ? wanted : INT_MAX;
    if (!(avctx->active_thread_type & FF_THREAD_FRAME))
        return s->sb_rows >= 16 ? s->sb_rows * 3 / 4 : INT_MAX;
    if (s->sb_rows < 8 || !s->s.h.refreshrefmask || alone)
        return INT_MAX;
    return (s->sb_rows + bands - 1) / bands;
}

/* Takes a reference to the frame's progress for done() and release(). Returns 0 if there is no memory. */
static int hold_frame(VP9Context *s)
{
    s->v3doff_frame = av_mallocz(sizeof(*s->v3doff_frame));
    if (!s->v3doff_frame)
        return 0;
    ff_progress_frame_ref(s->v3doff_frame, &s->s.frames[CUR_FRAME].tf);
    return 1;
}

static void release(void *opaque)
{
    ff_progress_frame_unref(opaque);
    av_free(opaque);
}

/* The frame is not submitted. */
static void forget_frame(VP9Context *s)
{
    release(s->v3doff_frame);
    s->v3doff       = NULL;
    s->v3doff_frame = NULL;
}

/* Gives the frame up: the decoder does the rest. */
static void drop(AVCodecContext *avctx, const char *reason)
{
    VP9Context *s = avctx->priv_data;

    ff_vp9_v3doff_whole_over(avctx);
    ff_v3doff_drop(s->v3doff, reason);
    forget_frame(s);
}

/* The decoder leaves out blocks that are predicted from a reference with an invalid scale. */
static int may_leave_blocks_out(const VP9Context *s)
{
    for (int i = 0; i < 3 && !s->s.h.keyframe && !s->s.h.intraonly; i++)
        if (s->mvscale[i][0] == REF_INVALID_SCALE)
            return 1;
    return 0;
}

void ff_vp9_v3doff_start(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;
    AVFrame *f = s->s.frames[CUR_FRAME].tf.f;
    const int leftovers = s->v3doff_leftovers || may_leave_blocks_out(s);
    const int intra = s->s.h.keyframe || s->s.h.intraonly;
    v3doff_policy_answer answer;
    unsigned possible = 0;
    int transforms;

    s->v3doff_sb_rows = s->v3doff_recorded = s->v3doff_submitted = s->v3doff_refused = 0;
    s->v3doff_transforms = s->v3doff_whole = 0;
    s->pass = 0; // nothing is parsed yet
    s->td->v3doff_blocks = 0;
    memset(s->td->v3doff_reach, 0, sizeof(s->td->v3doff_reach));
    /*
     * Slice threads record no transforms, because bands of the rows above are submitted at the same
     * time. Leftovers are coefficients that stay in the decoder's block buffers because a first pass was
     * aborted or blocks were left out. The decoder adds them to later blocks, and each of its functions
     * uses up a different part of them, so it must do all transforms itself.
     */
    transforms = !intra && !leftovers &&
                 avctx->active_thread_type != FF_THREAD_SLICE ?
                 ff_v3doff_debug(avctx)->vp9_transforms : V3DOFF_NO_TRANSFORMS;
    if (s->s.h.filter.level)
        possible |= 1u << V3DOFF_FAMILY_VP9_LOOPFILTER;
    if (transforms)
        possible |= 1u << V3DOFF_FAMILY_VP9_ITX;
    if (!leftovers && ff_vp9_v3doff_whole_possible(avctx))
        possible |= 1u << V3DOFF_FAMILY_VP9_RECONSTRUCTION |
                    (intra ? 1u << V3DOFF_FAMILY_VP9_INTRA : 0);
    ff_v3doff_ask(avctx, possible, s->s.h.refreshrefmask, NULL, &answer);
    if (answer.scope == V3DOFF_SCOPE_NONE && !answer.reason) {
        ff_v3doff_frame_idle(avctx);
        return;
    }
    s->v3doff = ff_v3doff_frame_start(avctx, f, answer.reason);
    if (s->v3doff && !hold_frame(s)) {
        ff_v3doff_drop(s->v3doff, "no memory");
        s->v3doff = NULL;
    }
    if (answer.scope == V3DOFF_SCOPE_RECONSTRUCTION && s->v3doff &&
        !ff_vp9_v3doff_whole_start(avctx, nb_lanes(avctx, s)))
        drop(avctx, "no memory");
    if (s->v3doff && answer.families & 1u << V3DOFF_FAMILY_VP9_ITX)
        s->v3doff_transforms = transforms;
    s->v3doff_band_rows = choose_band_rows(avctx, s, answer.alone);
}

/*
 * Before the decoder predicts from the previous frame, it waits until that is filtered. If frames are
 * returned one later (v3doff_delay), a first pass decodes entropy meanwhile. If not, the previous frame is
 * final already, and a second pass costs more than it gains. With leftovers there is one pass,
 * because the number of passes decides to which blocks they are added.
 */
int ff_vp9_v3doff_two_passes(const AVCodecContext *avctx)
{
    const VP9Context *s = avctx->priv_data;
    const int wanted = ff_v3doff_debug(avctx)->vp9_passes;

    if (avctx->active_thread_type == FF_THREAD_SLICE || !avctx->internal->v3doff ||
        s->v3doff_leftovers || may_leave_blocks_out(s))
        return 0;
    return wanted ? wanted == 2 : ff_v3doff_delays(avctx);
}

/* FFmpeg's own loop filter, for rows of superblocks. */
static void filter_on_cpu(AVCodecContext *avctx, int first, int end)
{
    VP9Context *s = avctx->priv_data;
    AVFrame *f = s->s.frames[CUR_FRAME].tf.f;
    ptrdiff_t ls_y = f->linesize[0], ls_uv = f->linesize[1];
    VP9Filter *lflvl = s->lflvl + s->sb_cols * first;

    if (!s->s.h.filter.level)
        return;
    for (int row = first; row < end; row++) {
        ptrdiff_t yoff = ls_y * 64 * row, uvoff = (ls_uv * 64 >> s->ss_v) * row;

        for (int col = 0; col < s->cols; col += 8, lflvl++) {
            ff_vp9_loopfilter_sb(avctx, lflvl, row * 8, col, yoff, uvoff);
            yoff  += 64 * s->bytesperpixel;
            uvoff += 64 * s->bytesperpixel >> s->ss_h;
        }
    }
}

/*
 * libv3doff calls this when a band is done. As in FFmpeg, its last row of superblocks is not reported yet:
 * filtering the next band changes 8 rows of samples.
 */
static void rows_done(void *opaque, v3doff_picture *picture, uint32_t row_end)
{
    ff_progress_frame_report(opaque, (int)(row_end >> 6) - 1);
}

/* libv3doff calls this when the frame is done. */
static void done(void *opaque)
{
    ff_progress_frame_report(opaque, INT_MAX);
}

/* Records the loop filter of the first sb_rows rows of superblocks, as far as it is not recorded yet. */
static int record_filter(VP9Context *s, int sb_rows)
{
    const int first = s->v3doff_recorded, n = sb_rows - first;
    const VP9Filter *lflvl = s->lflvl + s->sb_cols * first;

    if (!s->s.h.filter.level || n <= 0)
        return 0;
    if (v3doff_vp9_record_loopfilter_rows(ff_v3doff_handle(s->v3doff), s->s.h.filter.sharpness,
                                          (const v3doff_vp9_superblock *)lflvl, first, n) < 0)
        return AVERROR_EXTERNAL;
    s->v3doff_recorded = sb_rows;
    return 0;
}

void ff_vp9_v3doff_rows(AVCodecContext *avctx, int sb_rows)
{
    VP9Context *s = avctx->priv_data;

    s->v3doff_sb_rows = sb_rows;
    if (s->v3doff_whole) {
        ff_v3doff_report_parsed(s->v3doff, 0, sb_rows);
        return;
    }
    if (!ff_vp9_v3doff_begins_band(s, sb_rows) || s->v3doff_refused)
        return;
    if (record_filter(s, sb_rows) < 0)
        s->v3doff_refused = 1;
    else if (ff_v3doff_submit_rows(s->v3doff, sb_rows * 64, rows_done, s->v3doff_frame) > 0)
        s->v3doff_submitted = sb_rows;
}

/*
 * Submits a whole frame. Of a damaged frame (partial), libv3doff reconstructs the blocks that were parsed,
 * and filters the complete rows.
 */
static int submit_whole(AVCodecContext *avctx, int partial)
{
    VP9Context *s = avctx->priv_data;
    const int refused =
        ff_vp9_v3doff_whole_record(avctx, nb_lanes(avctx, s), partial,
                                   partial ? s->v3doff_sb_rows : s->sb_rows) < 0 ||
        ff_v3doff_submit(avctx, s->v3doff, s->v3doff_ref, FF_ARRAY_ELEMS(s->v3doff_ref), done,
                         release, s->v3doff_frame) < 0;

    ff_vp9_v3doff_whole_over(avctx);
    if (!refused)
        return 0;
    av_log(avctx, AV_LOG_ERROR, "libv3doff: a frame could not be reconstructed\n");
    drop(avctx, "the reconstruction was refused");
    return AVERROR(ENOMEM);
}

/*
 * A whole frame is damaged. What was parsed is reconstructed as FFmpeg would have done it: nothing if
 * FFmpeg would have two passes, because the error is in the first one.
 */
static void give_up_whole(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (s->s.frames[CUR_FRAME].uses_2pass)
        drop(avctx, "the frame is damaged");
    else
        submit_whole(avctx, 1);
}

/*
 * With frame threads, FFmpeg has two passes even without libv3doff. After an error in the first one, each
 * thread has leftovers for later frames, so FFmpeg's own parser parses the frame again to leave the same.
 */
int ff_vp9_v3doff_parses_again(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (!s->v3doff_whole || !s->s.frames[CUR_FRAME].uses_2pass ||
        !(avctx->active_thread_type & FF_THREAD_FRAME))
        return 0;
    drop(avctx, "the frame is damaged");
    s->s.frames[CUR_FRAME].v3doff_whole = NULL;
    s->td[0].nb_block_structure = 0; // with frame threads there is no other
    return 1;
}

/* Gives up a frame that the decoder reconstructs: it does recorded transforms and the loop filter itself. */
static void give_up(AVCodecContext *avctx, const char *reason)
{
    VP9Context *s = avctx->priv_data;
    const int first = s->v3doff_submitted;

    /* Transforms that are recorded and missing from the samples are done on the CPU now. */
    for (int p = 0; p < 3 && s->td->v3doff_blocks; p++)
        v3doff_picture_require(ff_v3doff_handle(s->v3doff), 0, p, 0, 0, UINT32_MAX, UINT32_MAX);
    if (first)
        av_log(avctx, AV_LOG_WARNING, "libv3doff: rows from %d on: %s\n", first * 64, reason);
    drop(avctx, reason);
    filter_on_cpu(avctx, first, s->v3doff_sb_rows);
}

/* Submits what is recorded of a frame that the decoder reconstructs. */
static void submit(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (s->v3doff_refused || record_filter(s, s->v3doff_sb_rows) < 0 ||
        ff_v3doff_submit(avctx, s->v3doff, NULL, 0, done, release, s->v3doff_frame) < 0)
        give_up(avctx, "the loop filter was refused");
}

int ff_vp9_v3doff_submit(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (s->td->error_info < 0)
        s->v3doff_leftovers = 1; // a block was left out, because of the scale of its reference
    if (!s->v3doff)
        return 0;
    if (s->v3doff_whole)
        return submit_whole(avctx, 0);
    s->v3doff_sb_rows = s->sb_rows;
    if (!s->td->v3doff_blocks && !s->s.h.filter.level && !s->v3doff_submitted) {
        forget_frame(s);
        ff_v3doff_frame_idle(avctx);
    } else
        submit(avctx);
    return 0;
}

/* The first of two passes was aborted, so it left coefficients over. */
static void note_leftovers(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (avctx->active_thread_type & FF_THREAD_FRAME)
        s->v3doff_leftovers = 1;
    else
        av_freep(&s->td->b_base); // allocated again, it is cleared: FFmpeg's single pass leaves nothing
}

void ff_vp9_v3doff_end(AVCodecContext *avctx)
{
    VP9Context *s = avctx->priv_data;

    if (s->pass == 1 && s->s.frames[CUR_FRAME].uses_2pass &&
        !s->s.frames[CUR_FRAME].v3doff_whole)
        note_leftovers(avctx);
    if (s->v3doff && !ff_v3doff_submitted(s->v3doff)) {
        if (s->v3doff_whole)
            give_up_whole(avctx);
        else if (s->v3doff_submitted)
            submit(avctx);
        else
            give_up(avctx, "the frame is damaged");
        if (!s->v3doff)
            ff_progress_frame_report(&s->s.frames[CUR_FRAME].tf, INT_MAX);
    }
    s->v3doff = NULL; // done() reports the progress
    ff_v3doff_turn_over(avctx);
}
