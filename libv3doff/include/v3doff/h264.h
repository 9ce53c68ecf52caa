/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264 work that a picture can record.
 */
#ifndef V3DOFF_H264_H
#define V3DOFF_H264_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_H264_H */
