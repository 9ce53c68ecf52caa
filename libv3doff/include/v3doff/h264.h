/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264 work that a picture can record. Coefficients, their order and the counts of them are those
 * of FFmpeg's H.264 decoder, so that its arguments can be handed over as they are.
 */
#ifndef V3DOFF_H264_H
#define V3DOFF_H264_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Residuals
 *
 * Coefficients are int16_t at 8 bit and int32_t above, scaled (dequantised). A call copies what
 * it needs and clears what FFmpeg's function would. What it records is done at submit: added to
 * the samples that then stand there. Bit depths 8 to 14, every chroma format but 4:4:0.
 *
 * lane: any number below V3DOFF_LANES; calls in one lane must not overlap in time. Blocks of one
 * picture must not overlap in space; each stands at a multiple of its own size and in the plane's
 * memory, padding included (v3doff_planes.padded_*). x and y are samples of that plane.
 *
 * rows: in a field macroblock of an MBAFF frame a block's rows are every second one of the
 * frame's. y is then the first of them: twice a multiple of the block's height, plus one for the
 * bottom field. Fields that are pictures of their own (PAFF) have frame rows.
 *
 * A refused call has recorded nothing and cleared nothing. LIMIT: more blocks in a lane than the
 * picture has room for. UNSUPPORTED: 4:4:0.
 */
typedef enum v3doff_h264_rows V3DOFF_ENUM {
    V3DOFF_H264_FRAME_ROWS = 0,
    V3DOFF_H264_FIELD_ROWS = 1
} v3doff_h264_rows;

/*
 * One block. Transforms take coefficients column after column: that of row r and column c at
 * [c * n + r]. DC: all but the first one must be zero. Bypass: the residual itself, row after row;
 * sums are not clipped, but taken modulo 2^8 at 8 bit and 2^16 above.
 */
typedef enum v3doff_h264_transform V3DOFF_ENUM {
    V3DOFF_H264_IDCT_4X4 = 0,
    V3DOFF_H264_IDCT_8X8 = 1,
    V3DOFF_H264_DC_4X4 = 2,
    V3DOFF_H264_DC_8X8 = 3,
    V3DOFF_H264_BYPASS_4X4 = 4,
    V3DOFF_H264_BYPASS_8X8 = 5
} v3doff_h264_transform;

V3DOFF_API v3doff_result v3doff_h264_record_idct(v3doff_picture *picture, uint32_t lane,
                                                 uint32_t plane, uint32_t x, uint32_t y,
                                                 v3doff_h264_rows rows,
                                                 v3doff_h264_transform transform,
                                                 void *coefficients);

/*
 * The blocks of a macroblock whose first sample is (x, y), as FFmpeg's functions for that choose
 * them. coefficients: 16 for each 4x4 block in the order of ITU-T H.264 6.4.3; block n begins at
 * [16 * n], 8x8 block n at [64 * n]. Cb's begin at [16 * 16], Cr's at [32 * 16].
 * nnz: how many coefficients a block has, in rows of 8 bytes: that of the luma block at (bx, by) of
 * 4x4 at [(by + 1) * 8 + bx + 4], Cb's 5 rows further, Cr's 10 (FFmpeg's scan8).
 *
 * ADD16, ADD4 (16 blocks of 4x4, 4 of 8x8): nnz 0, left out; nnz 1 and a first coefficient, DC
 * alone; else the whole transform. ADD16_INTRA, ADD8: nnz not 0, the whole transform; nnz 0 and a
 * first coefficient, DC alone. ADD8 is both chroma planes of 4:2:0 or 4:2:2: plane is 1, and both
 * have the same x and y. In 4:4:4 the other groups take Cb and Cr too, coefficients and nnz
 * pointing to that plane's. What a block had is cleared; one left out is not touched.
 */
typedef enum v3doff_h264_group V3DOFF_ENUM {
    V3DOFF_H264_ADD16 = 0,
    V3DOFF_H264_ADD16_INTRA = 1,
    V3DOFF_H264_ADD4 = 2,
    V3DOFF_H264_ADD8 = 3
} v3doff_h264_group;

V3DOFF_API v3doff_result v3doff_h264_record_macroblock(v3doff_picture *picture, uint32_t lane,
                                                       uint32_t plane, uint32_t x, uint32_t y,
                                                       v3doff_h264_rows rows,
                                                       v3doff_h264_group group, void *coefficients,
                                                       const uint8_t *nnz);

/*
 * Lossless blocks predicted along a direction: each sample is the one above it (vertical) or left
 * of it (horizontal) plus a difference. The first ones' neighbours must be in the picture. What is
 * recorded for them in this lane is done on the CPU now, the prediction is written at once, the
 * differences' sums are recorded. Differences are row after row in a block; CHROMA and 16X16 take
 * blocks of 4x4 as v3doff_h264_record_macroblock does. CHROMA is 8x8, in 4:2:2 8x16.
 *
 * neighbours: of 8X8_FILTERED, whose prediction is filtered (8.3.2.2.1), else 0.
 */
typedef enum v3doff_h264_predict V3DOFF_ENUM {
    V3DOFF_H264_PREDICT_4X4 = 0,
    V3DOFF_H264_PREDICT_8X8 = 1,
    V3DOFF_H264_PREDICT_8X8_FILTERED = 2,
    V3DOFF_H264_PREDICT_CHROMA = 3,
    V3DOFF_H264_PREDICT_16X16 = 4
} v3doff_h264_predict;

typedef enum v3doff_h264_direction V3DOFF_ENUM {
    V3DOFF_H264_VERTICAL = 0,
    V3DOFF_H264_HORIZONTAL = 1
} v3doff_h264_direction;

#define V3DOFF_H264_HAS_TOP_LEFT 1u
#define V3DOFF_H264_HAS_TOP_RIGHT 2u

V3DOFF_API v3doff_result v3doff_h264_record_predict_add(v3doff_picture *picture, uint32_t lane,
                                                        uint32_t plane, uint32_t x, uint32_t y,
                                                        v3doff_h264_rows rows,
                                                        v3doff_h264_predict shape,
                                                        v3doff_h264_direction direction,
                                                        uint32_t neighbours, void *coefficients);

/*
 * DC coefficients that were coded apart, transformed and scaled into those of the blocks: done at
 * once, on the CPU, before the macroblock is recorded.
 *
 * Luma of Intra_16x16 (8.5.10): input[4 * column + row], not changed; the DC of block n goes to
 * output[16 * n]: (value * qmul + 128) >> 8. Chroma (8.5.11), in place on block[16 * n]: 4:2:0
 * four values, (value * qmul) >> 7; 4:2:2 eight, (value * qmul + 128) >> 8.
 */
V3DOFF_API v3doff_result v3doff_h264_luma_dc_dequant(uint32_t bit_depth, void *output,
                                                     const void *input, int32_t qmul);
V3DOFF_API v3doff_result v3doff_h264_chroma_dc_dequant(uint32_t bit_depth, v3doff_chroma chroma,
                                                       void *block, int32_t qmul);

/* -- inter prediction (ITU-T H.264 8.4.2) ------------------------------------------------------- */

/*
 * How predictions are weighted in explicit and implicit mode, by plane: luma, Cb, Cr.
 * denominator: log2 of it, 0 to 7, of luma and chroma. weight: -128 to 128. offset: -128 to 127, as
 * for 8 bits at every depth. Implicit weights have a denominator of 5 and no offsets.
 */
typedef struct v3doff_h264_inter_weights {
    uint8_t denominator[2];
    int16_t weight[2][3]; /* [list][plane] */
    int16_t offset[2][3];
} v3doff_h264_inter_weights;

/* A rectangle of luma with what chroma has there, predicted from one reference or two. */
typedef struct v3doff_h264_inter_block {
    uint16_t x, y;         /* luma samples, multiples of 4 */
    uint8_t width, height; /* luma samples: 4, 8 or 16 */
    int8_t reference[2];   /* [list]: number among the references; -1: the list is not used */
    uint16_t weights;      /* 0: default; n: entry n - 1 of the weights */
    int16_t vector[2][2];  /* [list]: quarter luma samples, across before down */
} v3doff_h264_inter_block;

typedef struct v3doff_h264_inter {
    size_t struct_size;
    v3doff_picture *const *references; /* null where no block names it */
    size_t reference_count;            /* at most 16 */
    const v3doff_h264_inter_weights *weights;
    size_t weights_count;
    const v3doff_h264_inter_block *blocks;
    size_t block_count;
} v3doff_h264_inter;

/*
 * Records the inter prediction of a picture, which is done before its residuals; once a picture, in
 * lane 0. Blocks must not overlap; they may end in whole macroblocks, beyond the picture's size.
 * Everything is copied. Frames only: a reference is a whole picture.
 *
 * references: pictures that are done, of this device and of the same format; other than that as for
 * v3doff_vp9_record_mc. Outside of a reference's whole macroblocks stands its nearest sample, so
 * its memory must hold those.
 *
 * UNSUPPORTED: 4:4:0; nothing was recorded.
 */
V3DOFF_API v3doff_result v3doff_h264_record_inter(v3doff_picture *picture,
                                                  const v3doff_h264_inter *inter);

/* -- deblocking (ITU-T H.264 8.7) -------------------------------------------------------------- */

/* Which lines of the picture the macroblocks stand on. */
typedef enum v3doff_h264_structure V3DOFF_ENUM {
    V3DOFF_H264_FRAME = 0,       /* all; also a field whose planes have twice the stride */
    V3DOFF_H264_TOP_FIELD = 1,   /* every other line, from the first on */
    V3DOFF_H264_BOTTOM_FIELD = 2 /* from the second on */
} v3doff_h264_structure;

enum {
    V3DOFF_H264_DEBLOCK = 1,       /* the macroblock is filtered: disable_deblocking_filter_idc is
                                      not 1 for it; without this flag nothing else counts */
    V3DOFF_H264_DEBLOCK_LEFT = 2,  /* its left edge is: filterLeftMbEdgeFlag */
    V3DOFF_H264_DEBLOCK_TOP = 4,   /* its upper edge is: filterTopMbEdgeFlag */
    V3DOFF_H264_TRANSFORM_8X8 = 8, /* transform_size_8x8_flag: no luma edges 1 and 3 */
    V3DOFF_H264_FIELD_MB = 16      /* MBAFF: both macroblocks of the pair are field macroblocks */
};

/*
 * strength: bS of [0 edges between columns, 1 between rows][edge, at 4 * edge samples][segment of 4
 * samples along the edge], 0 to 4. 4 stands on edge 0 only, and there on all four segments, as
 * 8.7.2.1 has it. Edges that the flags rule out may hold any legal value; the picture's border is
 * never filtered. Chroma takes the strengths of luma's edges; with 8x8 transforms 4:2:2 also those
 * of edges 1 and 3 between rows, which luma then leaves out.
 * qp: what 8.7.2.2 calls qPp for a sample of this macroblock, in luma, Cb and Cr, without the bit
 * depth's offset (so it can be negative above 8 bits), 51 at most: QPY and the two QPC; of
 * a QPY of 0 for I_PCM.
 * offset_a, offset_b: FilterOffsetA and FilterOffsetB of the macroblock's slice, -12 to 12.
 */
typedef struct v3doff_h264_deblock_mb {
    uint8_t strength[2][4][4];
    int8_t qp[3];
    int8_t offset_a, offset_b;
    uint8_t flags;
    uint8_t reserved[2]; /* not looked at */
} v3doff_h264_deblock_mb;

/*
 * Records the deblocking of a whole picture, or of one field of it, which runs after its transforms.
 * macroblocks: all of them in raster order, copied. count: ceil(width / 16) * ceil(height / 16), of
 * a field with ceil(height / 32). A frame once a picture, or each field once; not while other
 * threads record.
 *
 * The memory of the planes must hold whole macroblocks (v3doff_planes.padded_*). 8 to 14 bits;
 * 4:0:0, 4:2:0, 4:2:2 and 4:4:4, the latter filtered as 8.7 does with separate_colour_plane_flag 0:
 * chroma as luma. UNSUPPORTED for others. What does not keep to the rules above is refused, and
 * nothing is recorded then.
 */
V3DOFF_API v3doff_result v3doff_h264_record_deblock(v3doff_picture *picture,
                                                    v3doff_h264_structure structure,
                                                    const v3doff_h264_deblock_mb *macroblocks,
                                                    size_t count);

/*
 * A macroblock of an MBAFF frame. In both macroblocks of a field pair mb.flags has
 * V3DOFF_H264_FIELD_MB; strengths between rows of such a macroblock are 3 at most.
 *
 * left: looked at in place of mb.strength[0][0] where the pair on the left is of the other kind. Of
 * a field macroblock: two lines each, the first four to the upper macroblock there, the others to the
 * lower. Of a frame macroblock: [2 * i] the even and [2 * i + 1] the odd lines of 4 * i to
 * 4 * i + 3, to the top and to the bottom field macroblock. 4 on all lines to one macroblock, or none.
 * top: looked at in place of mb.strength[1][0] in the upper macroblock of a frame pair under a
 * field pair, which has two upper edges: [0] to the top, [1] to the bottom field macroblock, 3 at
 * most.
 */
typedef struct v3doff_h264_deblock_mbaff_mb {
    v3doff_h264_deblock_mb mb;
    uint8_t left[8];
    uint8_t top[2][4];
} v3doff_h264_deblock_mbaff_mb;

/*
 * The same for an MBAFF frame. macroblocks: by rows of the picture, so that the macroblocks of a
 * pair are one below the other; count: ceil(width / 16) * 2 * ceil(height / 32).
 */
V3DOFF_API v3doff_result
v3doff_h264_record_deblock_mbaff(v3doff_picture *picture,
                                 const v3doff_h264_deblock_mbaff_mb *macroblocks, size_t count);

/* -- deblocking with bS derived by the library (8.7.2.1) ------------------------------------- */

enum {
    V3DOFF_H264_SLICE_CAVLC = 1,     /* entropy_coding_mode_flag is 0 */
    V3DOFF_H264_SLICE_SWITCHING = 2, /* an SP or SI slice: all of it counts as intra */
    /* Only list 0 of its macroblocks and of their neighbours is compared. The standard knows no
     * such thing; FFmpeg does it in P slices, which matters next to B slices. */
    V3DOFF_H264_SLICE_LIST_0_ONLY = 4
};

/*
 * Parameters of a slice. picture[list][reference index] tells reference pictures apart: equal
 * where it is the same one, 0 to 254; in fields a picture is a field, so parities differ. Indices
 * that no macroblock uses may hold anything.
 */
typedef struct v3doff_h264_slice {
    uint32_t disable_deblocking_filter;       /* _idc: 0, 1 or 2 */
    int32_t filter_offset_a, filter_offset_b; /* -12 to 12 */
    int32_t chroma_qp_index_offset[2];        /* of Cb and Cr, -12 to 12 */
    uint32_t flags;                           /* V3DOFF_H264_SLICE_* */
    uint8_t picture[2][32];
} v3doff_h264_slice;

enum {
    /* The picture is a field whose planes have twice the stride. Known where the structure says so.
     */
    V3DOFF_H264_ARRAYS_FIELD = 1,
    /* The picture is an MBAFF frame: field_pictures is looked at, mb_type says which macroblocks are
     * field macroblocks, and its rows are those of whole pairs. */
    V3DOFF_H264_ARRAYS_MBAFF = 2,
    /* chroma_format_idc is 0: chroma planes, where the picture has any, are left as they are. The
     * same for all that is recorded of a picture. */
    V3DOFF_H264_ARRAYS_LUMA_ONLY = 4
};

/*
 * A decoder's arrays of one picture or field, in the layout that FFmpeg keeps them in. What belongs
 * to macroblock (x, y) stands at y * mb_stride + x; of a field of a frame's arrays, mb_stride is
 * twice the frame's, and the pointers begin at the field's first row.
 *
 * mb_type: FFmpeg's MB_TYPE_* bits. Looked at: 0 to 2 intra, 3 16x16, 4 16x8, 5 8x16 (with none of
 * these: smaller), 7 of an MBAFF frame: a field macroblock, 12 and 13 its first and second partition
 * use list 0, 14 and 15 list 1, 24 transform_size_8x8_flag. A macroblock with bit 8 (direct) whose
 * 16x8 or 8x16 partition has several vectors or references, which damage can bring about, is refused:
 * there only the decoder's own filter knows which edges it has.
 * qp: QP'Y, that is with 6 * (bit depth - 8) added; for I_PCM what qPp is to be, likewise (8.7.2.2
 * has 0 without the addition there, FFmpeg with it).
 * slice_table: index of its slice in slices, or 0xffff: there is no macroblock.
 * non_zero_count: the first 16 bytes are of its luma blocks of 4x4 in raster order; with CABAC and
 * 8x8 transforms all four of a block have that block's. Not 0: it has coefficients. cbp: looked at
 * in macroblocks with CAVLC and 8x8 transforms: bits 12 to 15, whether 8x8 block 0 to 3 has
 * coefficients. May be NULL where there are none of these. motion[list]: vectors of its 4x4 blocks,
 * x and y in quarter samples: of block (bx, by) at y * motion_mb_stride + by * motion_stride + 4 *
 * x + bx. Looked at where the list is used, but there must be memory for all macroblocks. May be
 * NULL where no macroblock uses the list; so may reference. reference[list]: indices of its 8x8
 * blocks, four from 4 * (y * mb_stride + x) on in raster order; negative: the block does not use the
 * list. 31 at most.
 *
 * field_pictures, of an MBAFF frame: slice n's v3doff_h264_slice.picture for field macroblocks, whose
 * references are fields. Of macroblocks of a pair the field's first line is that of the pair, so
 * rows and strides of all arrays are as in any frame: the second macroblock of a pair stands in the
 * next row, its vectors 4 rows down.
 */
typedef struct v3doff_h264_arrays {
    size_t struct_size;
    uint32_t flags; /* V3DOFF_H264_ARRAYS_* */
    size_t mb_stride;
    const uint32_t *mb_type;
    const int8_t *qp;
    const uint16_t *slice_table;
    const uint8_t (*non_zero_count)[48];
    const uint16_t *cbp;
    size_t motion_stride, motion_mb_stride; /* in vectors */
    const int16_t (*motion[2])[2];
    const int8_t *reference[2];
    const v3doff_h264_slice *slices;
    size_t slice_count; /* 1 to 65535 */
    const uint8_t (*field_pictures)[2][32];
} v3doff_h264_arrays;

/*
 * As v3doff_h264_record_deblock, with the boundary strengths, the thresholds and the edges to be
 * filtered derived from a decoder's arrays: on the GPU, by one more dispatch a picture or field. At
 * the call what is needed of the arrays is checked and copied in a compact form.
 *
 * More than 256 different sets of offsets in one picture are refused.
 *
 * An MBAFF frame (V3DOFF_H264_ARRAYS_MBAFF) has 2 * ceil(height / 32) rows of macroblocks, and its
 * structure is V3DOFF_H264_FRAME. By rows it goes in pairs from the first row on; no row of it is
 * filtered before the whole picture is submitted.
 */
V3DOFF_API v3doff_result v3doff_h264_record_deblock_arrays(v3doff_picture *picture,
                                                           v3doff_h264_structure structure,
                                                           const v3doff_h264_arrays *arrays);

/*
 * The same for some rows of macroblocks, while the decoder is at work on later ones: `rows` of them
 * from first_row on (of a field, of its own rows), which follow what was recorded before. The arrays
 * are described as for the whole picture; those rows of them are looked at and the one above, which
 * must be as it was. slices may have grown at the end. Rows that are not recorded are not filtered.
 *
 * Rows above first_row that are not recorded in the same submit are taken to be filtered: of them
 * the edges to first_row change 3 lines of luma, and read 4. So a band of rows [a, b) of a frame
 * reads and changes lines 16a - 4 to 16b of luma and of 4:4:4 and 4:2:2, 8a - 2 to 8b of 4:2:0's
 * chroma; other rows of it that are written get the samples that they have.
 */
V3DOFF_API v3doff_result v3doff_h264_record_deblock_rows(v3doff_picture *picture,
                                                         v3doff_h264_structure structure,
                                                         const v3doff_h264_arrays *arrays,
                                                         uint32_t first_row, uint32_t rows);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264_H */
