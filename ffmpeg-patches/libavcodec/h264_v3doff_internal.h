/*
 * H.264: what is left to libv3doff, for its own files
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

#ifndef AVCODEC_H264_V3DOFF_INTERNAL_H
#define AVCODEC_H264_V3DOFF_INTERNAL_H

#include <v3doff/h264.h>
#include <v3doff/h264_words.h>

#include "h264dec.h"
#include "h264_v3doff.h"

/** What the filter of a slice's macroblocks depends on. */
typedef struct Slice {
    int slice_num, slice_type, list_count;
    int deblocking_filter, qp_thresh;
    int slice_alpha_c0_offset, slice_beta_offset;
    const PPS *pps;          ///< RefStruct reference
    int ref2frm[2][16 * 4];
} Slice;

/** Macroblocks of one row and slice that are to be filtered. */
typedef struct Row {
    int slice;
    int mb_y, start_x, end_x;
} Row;

typedef struct H264V3Doff {
    Slice *slices;           ///< by slice_num; the first one means no slice
    unsigned slices_size;
    int nb_slices;
    Row *rows;
    unsigned rows_size;
    int nb_rows;
    v3doff_h264_slice *parameters; ///< by slice_num, too
    unsigned parameters_size;
    uint8_t (*field_pictures)[2][32]; ///< by slice_num: of field macroblocks in MBAFF frames
    unsigned field_pictures_size;
    int x, y;                ///< the macroblock after those in rows, while these are in order
    int unordered;           ///< they are not in order, or there was no memory
    int filtered;            ///< some slice is
    int predicts_from_filtered; ///< macroblocks of some slice are, so that the decoder has to filter
    int postponed;           ///< with several slice contexts, FFmpeg would filter those at work afterwards
    int next_postponed;      ///< the same of the slices that are queued
    int recorded;            ///< rows of macroblocks that libv3doff knows
    int submitted;           ///< rows of macroblocks in bands under way, or done
    int band_rows;           ///< that a band has at least
    struct Done *done;       ///< of the bands, until it is that of the picture
    int refused;             ///< libv3doff did not take some
    struct H264V3DoffProgress *claimed; ///< RefStruct reference to the picture's, or NULL
    int pending;             ///< a second field that has not checked its picture yet
    int pending_whole;       ///< libv3doff is to reconstruct this field
    const char *unsupported; ///< why it is not to be left to libv3doff, or NULL
    /* Of a frame that libv3doff reconstructs. */
    const uint32_t *lane_end[V3DOFF_LANES]; ///< where a lane's memory for macroblocks ends, or NULL
    v3doff_h264_prediction *predictions; ///< by slice_num
    unsigned predictions_size;
    int nb_predictions;
    AVBufferRef *references[V3DOFF_H264_REFERENCES]; ///< samples that it is predicted from
    const H264Picture *parents[V3DOFF_H264_REFERENCES]; ///< of these
    int nb_references;
    int unpredictable;       ///< some slice has references or weights that cannot be recorded
    H264SliceContext kept;   ///< copy of the decoder's, while the decoder filters
} H264V3Doff;

/* h264_v3doff_record.c */

/** Which lines the current picture is made of. */
v3doff_h264_structure ff_h264_v3doff_structure(const H264Context *h);

void ff_h264_v3doff_fill_arrays(const H264Context *h, v3doff_h264_arrays *arrays);

/** The filter of rows that are decoded and were not recorded yet. */
void ff_h264_v3doff_record_rows(const H264Context *h, int end);

/* h264_v3doff_whole.c: frames and fields that are only parsed */

/** Can libv3doff reconstruct this one, and has it all that it is predicted from? */
int ff_h264_v3doff_whole_possible(const H264Context *h);

/** Begin it. */
void ff_h264_v3doff_whole_start(H264Context *h);

/** References and weights of a slice that is queued. */
void ff_h264_v3doff_whole_slice(const H264Context *h, const H264SliceContext *sl);

/** For all macroblocks that the queued slices can have. */
int ff_h264_v3doff_whole_make_room(H264Context *h);

/** This number of rows of macroblocks was parsed. */
void ff_h264_v3doff_whole_rows(const H264Context *h, const H264SliceContext *sl, int rows);

/** Record what was parsed for the submit. The filter must be recorded before. */
int ff_h264_v3doff_whole_record(H264Context *h, int partial);

/** The decoder reconstructs the rest itself. Samples done before are final when this returns. */
void ff_h264_v3doff_whole_give_up(H264Context *h);

void ff_h264_v3doff_whole_over(H264Context *h);

/* h264_v3doff_bands.c */

struct H264V3DoffProgress *ff_h264_v3doff_alloc_progress(void);

/** Only this thread may use the picture until it unclaims it. */
void ff_h264_v3doff_claim(H264V3Doff *data, struct H264V3DoffProgress *progress);
void ff_h264_v3doff_unclaim(H264V3Doff *data);
void ff_h264_v3doff_await_unclaimed(struct H264V3DoffProgress *progress);

/** This thread decodes the current field, and reports its progress. */
void ff_h264_v3doff_set_decoder(const H264Context *h);

/** With frame threads: has a thread begun or finished this field? The other field may be missing. */
int ff_h264_v3doff_has_begun(const H264Picture *pic, int field);

/** Rows of macroblocks that a band of the current picture has at least. */
int ff_h264_v3doff_band_rows(const H264Context *h);

/**
 * Nothing below row end is recorded yet, and its samples are not used any more
 * for intra prediction.
 */
void ff_h264_v3doff_submit_band(const H264Context *h, int end);

/** Submit everything that is recorded, to the end of the picture. */
int ff_h264_v3doff_submit(H264Context *h);

/** Wait for the bands in flight. The decoder does the rest of the picture. */
void ff_h264_v3doff_end_bands(H264Context *h);

#endif /* AVCODEC_H264_V3DOFF_INTERNAL_H */
