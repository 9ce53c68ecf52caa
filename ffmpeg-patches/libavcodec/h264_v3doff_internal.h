/*
 * H.264: what the files of the libv3doff glue share
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

/**
 * @file
 * What the files of libv3doff's part of the H.264 decoder share. h264_v3doff.h has what the decoder
 * calls. Each part below belongs to one source file. A source file calls only those whose part stands
 * above its own. h264_v3doff.c calls all of them.
 *
 * Words that names use: a picture is a frame or a field. A *whole* picture is one that libv3doff
 * reconstructs and the decoder only parses. Its macroblocks are recorded as 32-bit *words*
 * (v3doff/h264_words.h) in *lanes*. A lane is a list that one thread appends to, and each slice context
 * has its own. A *band* is a group of rows that is submitted while the decoder still works on those
 * below.
 */

/** The parameters of a slice that FFmpeg's own filter needs. */
typedef struct Slice {
    int slice_num, slice_type, list_count;
    int deblocking_filter, qp_thresh;
    int slice_alpha_c0_offset, slice_beta_offset;
    const PPS *pps;          ///< RefStruct reference
    int ref2frm[2][16 * 4];
} Slice;

/** Macroblocks of one row and slice that are to be filtered. */
typedef struct Row {
    int slice;               ///< slice_num
    int mb_y, start_x, end_x;
} Row;

/** Copies these between a Slice and a H264SliceContext. ref2frm and the PPS are elsewhere in FFmpeg. */
#define COPY_FILTER_PARAMETERS(to, from) do {                      \
    (to)->slice_num             = (from)->slice_num;               \
    (to)->slice_type            = (from)->slice_type;              \
    (to)->list_count            = (from)->list_count;              \
    (to)->deblocking_filter     = (from)->deblocking_filter;       \
    (to)->qp_thresh             = (from)->qp_thresh;               \
    (to)->slice_alpha_c0_offset = (from)->slice_alpha_c0_offset;   \
    (to)->slice_beta_offset     = (from)->slice_beta_offset;       \
} while (0)

/** The current picture of a decoder's thread. */
typedef struct H264V3Doff {
    /* The slices, by slice_num. Number 0 means no slice. */
    Slice *slices;
    v3doff_h264_slice *parameters;        ///< the same for libv3doff
    uint8_t (*field_pictures)[2][32];     ///< references of field macroblocks in MBAFF frames
    v3doff_h264_prediction *predictions;  ///< references and weights, for reconstruction
    int16_t (*field_implicit)[2][32][32]; ///< implicit weights of field macroblocks in MBAFF frames
    unsigned sizes[5];                    ///< allocated sizes of these arrays
    int nb_slices;

    Row *rows;
    unsigned rows_size;
    int nb_rows;
    int field;               ///< 1: a bottom field; 0: a frame or a top field
    int x, y;                ///< the next macroblock in decoding order, as H264SliceContext.mb_x and mb_y
    int unordered;           ///< another macroblock came, or there was no memory
    int filtered;            ///< at least one slice is filtered
    const char *filters_otherwise; ///< NULL, or why the decoder has to filter
    int postponed;           ///< FFmpeg would have set postpone_filter for the slices that are being decoded
    int next_postponed;      ///< the same for the slices that are queued
    int recorded;            ///< number of rows of macroblocks whose filter is recorded
    int submitted;           ///< number of rows of macroblocks in submitted bands
    int band_rows;           ///< the least number of rows of macroblocks in a band
    int refused;             ///< libv3doff refused to record or to submit something
    struct Progress *progress; ///< for libv3doff's callbacks; NULL: no band was submitted yet

    /* Fields, with frame threads. */
    FFV3DoffPicture *in_first_field; ///< reference to the picture while this thread decodes its first field, or NULL
    enum {
        NOTHING_WAITS,
        FIELD_WAITS,         ///< this second field records nothing before the first one's thread is done with it
        WHOLE_FIELD_WAITS,   ///< the same, and the field is to be whole
    } second_field;
    FFV3DoffPicture *waiting; ///< reference to its picture, which the decoder may lose before the field begins
    const char *obstacle;    ///< why the decoder does this second field itself, or NULL

    /* Whole pictures. */
    AVBufferRef *references[V3DOFF_H264_REFERENCES]; ///< samples that the picture is predicted from
    const H264Picture *parents[V3DOFF_H264_REFERENCES]; ///< the pictures of these samples
    int nb_references;
    int nb_predictions;      ///< sets of weights that libv3doff makes of the slices, at most
    int unpredictable;       ///< some slice has references or weights that cannot be recorded

    H264SliceContext kept;   ///< a copy of a slice context that ff_h264_v3doff_filter_on_cpu() borrows
} H264V3Doff;

/* ---- h264_v3doff_record.c: what libv3doff is told ---------------------------- */

/** Returns whether the current picture is a frame, a top field or a bottom field. */
v3doff_h264_structure ff_h264_v3doff_structure(const H264Context *h);

/** Keeps the parameters of a slice. @return 0: there is no memory, or there are too many slices */
int ff_h264_v3doff_record_slice(const H264Context *h, const H264SliceContext *sl);

/**
 * Hands types, motion and coefficient counts of decoded rows of macroblocks over to libv3doff.
 *
 * @param filtered libv3doff filters them, as their slices say
 */
v3doff_result ff_h264_v3doff_record_rows(const H264Context *h, int first, int end, int filtered);

/* ---- h264_v3doff_filter.c: FFmpeg's own filter -------------------------------- */

/** Filters the rows that are not submitted, as FFmpeg would have done while it decoded. */
void ff_h264_v3doff_filter_on_cpu(H264Context *h);

/* ---- h264_v3doff_parse*.c: parsers of whole pictures ------------------------------ */

/*
 * Limits the DC of an 8-bit block that has no other coefficient (alone). FFmpeg's functions for such a
 * block add (DC + 32) >> 6 to all samples, without overflow. libv3doff's transform adds the 32 in 16
 * bits, where the greatest values would wrap around. With the limit it gives the same samples, because
 * they are clipped. Only damaged streams have such values.
 */
static av_always_inline int ff_h264_v3doff_limited_dc(int dc, int alone)
{
    return alone ? FFMIN(dc, INT16_MAX - 32) : dc;
}

/** The macroblock is skipped. */
#define V3DOFF_SKIPPED 1

/**
 * Parse a macroblock with CABAC and append its coded blocks, but not the macroblock, to the words:
 * for all pictures; for interlaced ones with 8 bits in 4:2:0; for progressive ones with these samples.
 *
 * @return V3DOFF_SKIPPED, 0, or <0: an error
 */
int ff_h264_v3doff_parse(const H264Context *h, H264SliceContext *sl);
int ff_h264_v3doff_parse_interlaced(const H264Context *h, H264SliceContext *sl);
int ff_h264_v3doff_parse_simple(const H264Context *h, H264SliceContext *sl);

/** The same with CAVLC. After an error the slice's context is as before, so that FFmpeg's parser can go on. */
int ff_h264_v3doff_parse_cavlc(const H264Context *h, H264SliceContext *sl);
int ff_h264_v3doff_parse_cavlc_simple(const H264Context *h, H264SliceContext *sl);

/** Fill the tables of the parsers. */
void ff_h264_v3doff_init_cabac(void);
void ff_h264_v3doff_init_cavlc(void);

/* ---- h264_v3doff_words.c: the words of macroblocks ------------------------------ */

/**
 * Returns whether the slice context's block buffer is empty. If not, a damaged macroblock left coefficients
 * there, which FFmpeg adds to later ones.
 */
int ff_h264_v3doff_is_clean(const H264SliceContext *sl);

/** Returns whether residuals of lossless intra macroblocks may be sums along a direction (8.5.15). */
int ff_h264_v3doff_sums_residuals(const H264Context *h);

/* ---- h264_v3doff_whole.c: whole pictures, but for their macroblocks ------------- */

/** Returns whether libv3doff can reconstruct the current picture, and has all its references. */
int ff_h264_v3doff_whole_possible(const H264Context *h);

/** Makes the current picture whole. */
void ff_h264_v3doff_whole_start(H264Context *h);

/** Keeps the references and weights of a slice that is queued. */
void ff_h264_v3doff_whole_slice(const H264Context *h, const H264SliceContext *sl);

/** Makes room for the words of all macroblocks that the queued slices can have. */
int ff_h264_v3doff_whole_make_room(H264Context *h);

/** Reports the number of rows of macroblocks that were parsed. */
void ff_h264_v3doff_whole_rows(const H264Context *h, const H264SliceContext *sl, int rows);

/**
 * Hands the words over, and waits until the references allow the submit. ff_h264_v3doff_record_rows()
 * must be called before.
 *
 * @param partial the picture is damaged: some macroblocks are missing
 */
int ff_h264_v3doff_whole_record(H264Context *h, int partial);

/** Reconstructs what was parsed, and waits for it. The decoder reconstructs the rest itself. */
void ff_h264_v3doff_whole_give_up(H264Context *h);

/** Ends a whole picture, when it was submitted or given up: frees its references. */
void ff_h264_v3doff_whole_over(H264Context *h);

/* ---- h264_v3doff_bands.c: submits, and who waits for them ------------------------ */

/**
 * Returns the least number of rows of macroblocks in a band of the current picture.
 *
 * @param alone no other picture of the decoder is being decoded
 */
int ff_h264_v3doff_band_rows(const H264Context *h, int alone);

/**
 * Submits what is recorded as a band. It must end above row end, and intra prediction must not need the
 * samples of these rows any more.
 */
void ff_h264_v3doff_submit_band(const H264Context *h, int end);

/** Submits everything that is recorded, to the end of the picture. */
int ff_h264_v3doff_submit(H264Context *h);

/** Ends a picture after ff_v3doff_drop(): the decoder does the rest of it, and nobody waits for libv3doff. */
void ff_h264_v3doff_end_bands(H264Context *h);

#endif /* AVCODEC_H264_V3DOFF_INTERNAL_H */
