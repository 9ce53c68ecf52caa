/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264 work that a picture can record. Coefficients, their order and their counts are those of
 * FFmpeg's H.264 decoder, which can pass its arguments unchanged.
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
 * Coefficients are dequantised, int16_t with 8 bits and int32_t with more. A call copies what it
 * needs and clears what FFmpeg's function would clear. At submit the residual is added to the
 * samples that are in the picture then. Bit depths are 8 to 14, with every chroma format except
 * 4:4:0.
 *
 * lane: any number below V3DOFF_LANES; calls in one lane must not overlap in time. Blocks of one
 * picture must not overlap in space. The position of a block is a multiple of its size, and the
 * block is in the plane's memory, padding included (v3doff_planes.padded_*). x and y are samples of
 * that plane.
 *
 * rows: in a field macroblock of an MBAFF frame, a block has every second row of the frame. y is
 * then the first of them: twice a multiple of the block's height, plus one for the bottom field.
 * Fields that are separate pictures (PAFF) have frame rows.
 *
 * A refused call has recorded nothing and cleared nothing. LIMIT: more blocks in a lane than the
 * picture has room for. UNSUPPORTED: 4:4:0.
 */
typedef enum v3doff_h264_rows V3DOFF_ENUM {
    V3DOFF_H264_FRAME_ROWS = 0,
    V3DOFF_H264_FIELD_ROWS = 1
} v3doff_h264_rows;

/*
 * One block. Transforms take coefficients column after column: row r of column c is at [c * n + r].
 * DC: all coefficients but the first must be zero. Bypass: the residual itself, row after row. Its
 * sums are not clipped, but taken modulo 2^8 with 8 bits and modulo 2^16 with more.
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
 * The blocks of a macroblock whose first sample is (x, y), chosen as FFmpeg's functions choose
 * them. coefficients: 16 for each 4x4 block in the order of ITU-T H.264 6.4.3. 4x4 block n begins
 * at [16 * n], 8x8 block n at [64 * n]. Cb begins at [16 * 16], Cr at [32 * 16]. nnz: the number of
 * coefficients of each block, in rows of 8 bytes. The 4x4 luma block in column bx and row by has
 * its number at [(by + 1) * 8 + bx + 4]. Cb is 5 rows further, Cr 10 (FFmpeg's scan8).
 *
 * ADD16 has 16 4x4 blocks, ADD4 four 8x8 blocks. With nnz 0 a block is skipped; with nnz 1 and a
 * first coefficient it is DC only; otherwise the whole transform is done. ADD16_INTRA, ADD8: with
 * nnz not 0 the whole transform is done; with nnz 0 and a first coefficient the block is DC only.
 * ADD8 is for both chroma planes of 4:2:0 or 4:2:2: plane is 1, and both planes have the same x and
 * y. In 4:4:4 the other groups also do Cb and Cr; coefficients and nnz then point to those of the
 * plane. The coefficients of a block are cleared, except those of a skipped one.
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
 * Lossless blocks with prediction in one direction: each sample is the one above it (vertical) or
 * to its left (horizontal) plus a difference. The neighbours of the first samples must be in the
 * picture. The CPU immediately does what this lane has recorded for them and writes the prediction.
 * The sums of the differences are recorded. Differences are row after row in a block. CHROMA and
 * 16X16 take blocks of 4x4 as v3doff_h264_record_macroblock does. CHROMA is 8x8, in 4:2:2 8x16.
 *
 * neighbours: V3DOFF_H264_HAS_* for 8X8_FILTERED, whose prediction is filtered (8.3.2.2.1);
 * otherwise 0.
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
 * Transforms and scales separately coded DC coefficients, and writes them into the blocks. The CPU
 * does it immediately. Call it before the macroblock is recorded.
 *
 * Luma of Intra_16x16 (8.5.10): input[4 * column + row], not changed; the DC of block n goes to
 * output[16 * n]: (value * qmul + 128) >> 8. Chroma (8.5.11), in place on block[16 * n]: 4:2:0
 * four values, (value * qmul) >> 7; 4:2:2 eight, (value * qmul + 128) >> 8.
 */
V3DOFF_API v3doff_result v3doff_h264_luma_dc_dequant(uint32_t bit_depth, void *output,
                                                     const void *input, int32_t qmul);
V3DOFF_API v3doff_result v3doff_h264_chroma_dc_dequant(uint32_t bit_depth, v3doff_chroma chroma,
                                                       void *block, int32_t qmul);

/* -- deblocking (ITU-T H.264 8.7) -------------------------------------------------------------- */

/* Which lines of the picture the macroblocks cover. */
typedef enum v3doff_h264_structure V3DOFF_ENUM {
    V3DOFF_H264_FRAME = 0,       /* all; also a field whose planes have twice the stride */
    V3DOFF_H264_TOP_FIELD = 1,   /* every other line, from the first on */
    V3DOFF_H264_BOTTOM_FIELD = 2 /* from the second on */
} v3doff_h264_structure;

enum {
    V3DOFF_H264_DEBLOCK = 1,       /* the macroblock is filtered: its disable_deblocking_filter_idc
                                      is not 1; without this flag the others mean nothing */
    V3DOFF_H264_DEBLOCK_LEFT = 2,  /* its left edge is: filterLeftMbEdgeFlag */
    V3DOFF_H264_DEBLOCK_TOP = 4,   /* its upper edge is: filterTopMbEdgeFlag */
    V3DOFF_H264_TRANSFORM_8X8 = 8, /* transform_size_8x8_flag: no luma edges 1 and 3 */
    V3DOFF_H264_FIELD_MB = 16      /* MBAFF: both macroblocks of the pair are field macroblocks */
};

/*
 * strength: bS, 0 to 4, of [0 edges between columns, 1 between rows][edge, at 4 * edge
 * samples][segment of 4 samples along the edge]. As in 8.7.2.1, only edge 0 can have 4, and then on
 * all four segments. Edges that the flags exclude may have any legal value. The picture's border is
 * never filtered. Chroma uses the strengths of luma's edges. With 8x8 transforms, 4:2:2 also uses
 * edges 1 and 3 between rows, which luma does not have then. qp: qPp of 8.7.2.2 for a sample of
 * this macroblock, in luma, Cb and Cr, at most 51: QPY and the two QPC. For I_PCM they follow from
 * a QPY of 0. The bit depth's offset is not added, so qp can be negative with more than 8 bits.
 * offset_a, offset_b: FilterOffsetA and FilterOffsetB of the macroblock's slice, -12 to 12.
 */
typedef struct v3doff_h264_deblock_mb {
    uint8_t strength[2][4][4];
    int8_t qp[3];
    int8_t offset_a, offset_b;
    uint8_t flags;
    uint8_t reserved[2]; /* ignored */
} v3doff_h264_deblock_mb;

/*
 * Records the deblocking of a whole picture or of one of its fields, which runs after its
 * transforms. macroblocks: all of them in raster order; they are copied. count: ceil(width / 16) *
 * ceil(height / 16); for a field, ceil(width / 16) * ceil(height / 32). Call it once for a frame,
 * or once for each field, and not while other threads record.
 *
 * The memory of the planes must hold whole macroblocks (v3doff_planes.padded_*). Supported are 8 to
 * 14 bits with 4:0:0, 4:2:0, 4:2:2 and 4:4:4; others are UNSUPPORTED. 4:4:4 is filtered as in 8.7
 * with separate_colour_plane_flag 0: chroma like luma. A call that breaks the rules above is
 * refused and records nothing.
 */
V3DOFF_API v3doff_result v3doff_h264_record_deblock(v3doff_picture *picture,
                                                    v3doff_h264_structure structure,
                                                    const v3doff_h264_deblock_mb *macroblocks,
                                                    size_t count);

/*
 * A macroblock of an MBAFF frame. In both macroblocks of a field pair, mb.flags has
 * V3DOFF_H264_FIELD_MB. The strengths between rows of such a macroblock are at most 3.
 *
 * left replaces mb.strength[0][0] if the pair on the left is of the other kind (frame or field). In
 * a field macroblock, each element is for two lines: the first four elements are for the edge to
 * the upper macroblock on the left, the others to the lower one. In a frame macroblock, [2 * i] is
 * for the even and [2 * i + 1] for the odd ones of the lines 4 * i to 4 * i + 3; the even lines
 * border on the top, the odd ones on the bottom field macroblock. Of the lines that border on one
 * macroblock, all have 4 or none. top replaces mb.strength[1][0] in the upper macroblock of a frame
 * pair under a field pair. It has two upper edges: [0] to the top, [1] to the bottom field
 * macroblock. These strengths are at most 3.
 */
typedef struct v3doff_h264_deblock_mbaff_mb {
    v3doff_h264_deblock_mb mb;
    uint8_t left[8];
    uint8_t top[2][4];
} v3doff_h264_deblock_mbaff_mb;

/*
 * The same for an MBAFF frame. macroblocks: row after row of the picture; so the second macroblock
 * of a pair is in the next row. count: ceil(width / 16) * 2 * ceil(height / 32).
 */
V3DOFF_API v3doff_result v3doff_h264_record_deblock_mbaff(
    v3doff_picture *picture, const v3doff_h264_deblock_mbaff_mb *macroblocks, size_t count);

/* -- a decoder's macroblocks ------------------------------------------------------------------- */

enum {
    V3DOFF_H264_SLICE_CAVLC = 1,     /* entropy_coding_mode_flag is 0 */
    V3DOFF_H264_SLICE_SWITCHING = 2, /* an SP or SI slice: to the filter all of it is intra */
    /* Only list 0 of its macroblocks and of their neighbours is compared. This is not in the
     * standard, but FFmpeg does it in P slices. It makes a difference next to B slices. */
    V3DOFF_H264_SLICE_LIST_0_ONLY = 4
};

/* Parameters of a slice. */
typedef struct v3doff_h264_slice {
    uint32_t disable_deblocking_filter;       /* _idc: 0, 1 or 2 */
    int32_t filter_offset_a, filter_offset_b; /* -12 to 12 */
    int32_t chroma_qp_index_offset[2];        /* of Cb and Cr, -12 to 12 */
    uint32_t flags;                           /* V3DOFF_H264_SLICE_* */
    /* [list][reference index]: a number from 0 to 254 that identifies the reference picture: the
     * same picture has the same number. In fields a reference is a field, so the two fields of a
     * frame have different numbers. Elements that no macroblock uses may have any value. */
    uint8_t picture[2][32];
} v3doff_h264_slice;

enum {
    /* The picture is a field whose planes have twice the stride. Not needed if the structure is a
     * field. */
    V3DOFF_H264_ARRAYS_FIELD = 1,
    /* The picture is an MBAFF frame: whole pairs of rows, in which the second macroblock of a pair
     * is in the next row, and its vectors are 4 rows further down. */
    V3DOFF_H264_ARRAYS_MBAFF = 2,
    /* chroma_format_idc is 0. If the picture has chroma planes, they stay as they are. All calls
     * for a picture must have the same value of this flag. */
    V3DOFF_H264_ARRAYS_LUMA_ONLY = 4,
    /* No macroblock is deblocked, whatever its slice says, for instance because the decoder does it
     * itself. qp, non_zero_count, cbp and slices are not read. A macroblock whose slice is not
     * among slice_count is none. All calls for a picture must have the same value. */
    V3DOFF_H264_ARRAYS_UNFILTERED = 8
};

/*
 * A decoder's arrays of one frame or field, in FFmpeg's layout. The element of macroblock (x, y) is
 * at y * mb_stride + x. For a field in a frame's arrays, mb_stride is twice the frame's, and the
 * pointers begin at the field's first row.
 */
typedef struct v3doff_h264_arrays {
    size_t struct_size;
    uint32_t flags; /* V3DOFF_H264_ARRAYS_* */
    size_t mb_stride;
    /* FFmpeg's MB_TYPE_* bits. Read are 0 to 2: intra; 3: 16x16; 4: 16x8; 5: 8x16 (with none of
     * these, partitions are smaller); 7: a field macroblock, in an MBAFF frame; 8: direct; 12 and
     * 13: the first and second partition use list 0; 14 and 15: they use list 1; 24:
     * transform_size_8x8_flag.
     *
     * Damage can give a direct macroblock several vectors or references in one 16x8 or 8x16
     * partition. Where it is deblocked it is refused, because only the decoder's own filter knows
     * its edges. */
    const uint32_t *mb_type;
    /* QP'Y, which includes 6 * (bit depth - 8). For I_PCM it is qPp with the same addition (8.7.2.2
     * takes 0 before the addition, FFmpeg takes 0 after it). */
    const int8_t *qp;
    /* The index of the macroblock's slice in slices. 0xffff: there is no macroblock. */
    const uint16_t *slice_table;
    /* The first 16 bytes are for the 4x4 luma blocks in raster order. Not 0: the block has
     * coefficients. With CABAC and 8x8 transforms, all four bytes of an 8x8 block have its number.
     */
    const uint8_t (*non_zero_count)[48];
    /* Read for macroblocks with CAVLC and 8x8 transforms. Bits 12 to 15: 8x8 block 0 to 3 has
     * coefficients. May be NULL if there are no such macroblocks. */
    const uint16_t *cbp;
    /* Vectors between a row of 4x4 blocks and the next, and between a row of macroblocks and the
     * next. */
    size_t motion_stride, motion_mb_stride;
    /* [list]: vectors of 4x4 blocks, x and y in quarter samples. That of block (bx, by) is at
     * y * motion_mb_stride + by * motion_stride + 4 * x + bx. It is read only if the macroblock
     * uses the list, but the memory must be there for all macroblocks. May be NULL if none uses
     * it. */
    const int16_t (*motion[2])[2];
    /* [list]: reference indices of the four 8x8 blocks in raster order, from 4 * (y * mb_stride +
     * x) on, at most 31. Negative: the block does not use the list. May be NULL as motion may. */
    const int8_t *reference[2];
    const v3doff_h264_slice *slices;
    size_t slice_count; /* 1 to 65535 */
    /* For an MBAFF frame: v3doff_h264_slice.picture of each slice for field macroblocks, whose
     * references are fields. */
    const uint8_t (*field_pictures)[2][32];
} v3doff_h264_arrays;

#define V3DOFF_H264_ALL_ROWS UINT32_MAX

/*
 * Hands over rows of macroblocks: `rows` of them from first_row on (in a field, the field's own
 * rows), or all with first_row 0 and V3DOFF_H264_ALL_ROWS. Checks what it needs of the arrays and
 * copies it. The arrays are described as for the whole picture. The library reads these rows of
 * them and the row above, which must not have changed. slices may have grown at the end.
 *
 * Unless the arrays are UNFILTERED, this records the deblocking of these rows. The device derives
 * the boundary strengths (8.7.2.1), the thresholds and the filtered edges, with one more dispatch
 * for each picture or field. v3doff_h264_record_picture() (v3doff/h264_words.h) predicts inter
 * macroblocks by their motion here.
 *
 * Rows can be handed over while the decoder works on later ones. They follow what was recorded
 * before. Rows that are not recorded are not filtered. Rows above first_row that are not recorded
 * in the same submit count as filtered already. The edges to first_row change 3 of their luma lines
 * and read 4. So a band of rows [a, b) of a frame reads and changes lines 16a - 4 to 16b of luma,
 * and of chroma in 4:4:4 and 4:2:2; in 4:2:0, lines 8a - 2 to 8b of chroma. If the device writes
 * other rows, it writes the samples that they have.
 *
 * An MBAFF frame has 2 * ceil(height / 32) rows of macroblocks, and its structure is
 * V3DOFF_H264_FRAME. It must begin with its first row and proceed in pairs of rows. None of its
 * rows is filtered before the whole picture is submitted.
 *
 * A call that breaks the rules is refused and records nothing. So are more than 256 different sets
 * of offsets in one picture.
 */
V3DOFF_API v3doff_result v3doff_h264_record_rows(v3doff_picture *picture,
                                                 v3doff_h264_structure structure,
                                                 const v3doff_h264_arrays *arrays,
                                                 uint32_t first_row, uint32_t rows);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264_H */
