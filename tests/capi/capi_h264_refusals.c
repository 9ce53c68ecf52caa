/* SPDX-License-Identifier: BSD-2-Clause */
/* Refused deblockings of H.264, as capi_refusals.c: nothing is recorded then. */
#include <string.h>

#include "capi_refused.h"
#include "v3doff/h264.h"

static v3doff_h264_deblock_mbaff_mb plain_mb(void) {
    v3doff_h264_deblock_mbaff_mb mb;
    memset(&mb, 0, sizeof mb);
    memset(mb.mb.strength, 3, sizeof mb.mb.strength);
    mb.mb.flags = V3DOFF_H264_DEBLOCK | V3DOFF_H264_DEBLOCK_LEFT | V3DOFF_H264_DEBLOCK_TOP;
    return mb;
}

/* 64x64: 16 macroblocks, or 8 of a field. */
static void deblockings(v3doff_picture *picture) {
    v3doff_h264_deblock_mb mbs[16];
    for (int i = 0; i < 16; i++)
        mbs[i] = plain_mb().mb;
#define DEBLOCK(structure, macroblocks, count)                                                     \
    v3doff_h264_record_deblock(picture, (v3doff_h264_structure)(structure), macroblocks, count)
#define REFUSED_MB(change, undo)                                                                   \
    do {                                                                                           \
        change;                                                                                    \
        BAD_ARGUMENT(DEBLOCK(0, mbs, 16), "macroblocks");                                          \
        undo;                                                                                      \
    } while (0)
    BAD_HANDLE(v3doff_h264_record_deblock(NULL, V3DOFF_H264_FRAME, mbs, 16), "picture");
    BAD_ARGUMENT(DEBLOCK(3, mbs, 16), "structure");
    BAD_ARGUMENT(DEBLOCK(-1, mbs, 16), "structure");
    BAD_ARGUMENT(DEBLOCK(0, NULL, 16), "macroblocks");
    BAD_ARGUMENT(DEBLOCK(0, mbs, 15), "count");
    BAD_ARGUMENT(DEBLOCK(1, mbs, 16), "count");
    REFUSED_MB(mbs[7].strength[1][0][2] = 4, mbs[7].strength[1][0][2] = 3); /* a part of an edge */
    REFUSED_MB(memset(mbs[7].strength[0][1], 4, 4), memset(mbs[7].strength[0][1], 3, 4));
    REFUSED_MB(memset(mbs[7].strength[0][0], 5, 4), memset(mbs[7].strength[0][0], 3, 4));
    REFUSED_MB(mbs[15].qp[2] = 52, mbs[15].qp[2] = 0);
    REFUSED_MB(mbs[15].qp[0] = -1, mbs[15].qp[0] = 0); /* 8 bit */
    REFUSED_MB(mbs[3].offset_a = 13, mbs[3].offset_a = 0);
    REFUSED_MB(mbs[3].offset_b = -13, mbs[3].offset_b = 0);
    REFUSED_MB(mbs[3].flags |= V3DOFF_H264_FIELD_MB, mbs[3].flags = 7);
    EXPECT_OK(DEBLOCK(0, mbs, 16));
    REFUSED(DEBLOCK(0, mbs, 16), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    REFUSED(DEBLOCK(2, mbs, 8), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(DEBLOCK(1, mbs, 8));
    REFUSED(DEBLOCK(1, mbs, 8), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    REFUSED(DEBLOCK(0, mbs, 16), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    EXPECT_OK(DEBLOCK(2, mbs, 8));
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void mbaff_deblockings(v3doff_picture *picture) {
    v3doff_h264_deblock_mbaff_mb mbs[16]; /* rows of 4: the second pair is a field pair */
    for (int i = 0; i < 16; i++) {
        mbs[i] = plain_mb();
        if (i % 4 == 1) mbs[i].mb.flags |= V3DOFF_H264_FIELD_MB;
    }
#define MBAFF(count) v3doff_h264_record_deblock_mbaff(picture, mbs, count)
    BAD_HANDLE(v3doff_h264_record_deblock_mbaff(NULL, mbs, 16), "picture");
    BAD_ARGUMENT(v3doff_h264_record_deblock_mbaff(picture, NULL, 16), "macroblocks");
    BAD_ARGUMENT(MBAFF(8), "count");
    mbs[5].mb.flags &= (uint8_t)~V3DOFF_H264_FIELD_MB; /* half a field pair */
    BAD_ARGUMENT(MBAFF(16), "macroblocks");
    mbs[5].mb.flags |= V3DOFF_H264_FIELD_MB;
    memset(mbs[9].mb.strength[1][0], 4, 4); /* between rows of a field macroblock */
    BAD_ARGUMENT(MBAFF(16), "macroblocks");
    memset(mbs[9].mb.strength[1][0], 3, 4);
    mbs[2].left[6] = 4; /* beside the field pair: of the even lines, not all */
    BAD_ARGUMENT(MBAFF(16), "macroblocks");
    mbs[2].left[0] = mbs[2].left[2] = mbs[2].left[4] = 4;
    mbs[2].mb.qp[1] = 99;
    BAD_ARGUMENT(MBAFF(16), "macroblocks");
    mbs[2].mb.qp[1] = 9;
    EXPECT_OK(MBAFF(16));
    REFUSED(MBAFF(16), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    v3doff_h264_deblock_mb mb = plain_mb().mb;
    v3doff_h264_deblock_mb field[8];
    for (int i = 0; i < 8; i++)
        field[i] = mb;
    REFUSED(DEBLOCK(1, field, 8), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    EXPECT_OK(v3doff_picture_discard(picture));
}

/* A pool has the records of one codec. */
static void h264_pool(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *picture = open_test_picture(pool);
    deblockings(picture);
    mbaff_deblockings(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

int main(void) {
    watch_log();
    const v3doff_mode modes[] = {V3DOFF_MODE_CPU, V3DOFF_MODE_FORCE};
    for (int i = 0; i < 2; i++) {
        v3doff_device *device = open_test_device(modes[i]);
        h264_pool(device);
        v3doff_device_destroy(&device);
    }
    printf("every refused deblocking named its argument\n");
    return 0;
}
