/* SPDX-License-Identifier: BSD-2-Clause */
/* Deblocking from a decoder's arrays: dispatches, what is refused, pictures without work. */
#include "capi_refused.h"
#include "v3doff/h264.h"

/* 64x64: 4x4 macroblocks, all of one slice, each predicted from one picture. */
enum { WIDTH = 4, COUNT = 16 };

static uint32_t mb_type[COUNT];
static int8_t qp[COUNT], reference[4 * COUNT];
static uint16_t slice_table[COUNT];
static uint8_t counts[COUNT][48];
static int16_t motion[16 * COUNT][2];
static v3doff_h264_slice slice;

static v3doff_h264_arrays good_arrays(void) {
    v3doff_h264_arrays arrays;
    memset(&arrays, 0, sizeof arrays);
    memset(&slice, 0, sizeof slice);
    memset(counts, 0, sizeof counts);
    memset(slice_table, 0, sizeof slice_table);
    memset(reference, 0, sizeof reference);
    for (int i = 0; i < COUNT; i++) {
        mb_type[i] = 1 << 3 | 1 << 12;
        qp[i] = 40;
        counts[i][5] = 1;
    }
    arrays.struct_size = sizeof arrays;
    arrays.mb_stride = WIDTH;
    arrays.mb_type = mb_type;
    arrays.qp = qp;
    arrays.slice_table = slice_table;
    arrays.non_zero_count = (const uint8_t(*)[48])counts;
    arrays.motion_stride = 4 * WIDTH;
    arrays.motion_mb_stride = 16 * WIDTH;
    arrays.motion[0] = (const int16_t(*)[2])motion;
    arrays.reference[0] = reference;
    arrays.slices = &slice;
    arrays.slice_count = 1;
    return arrays;
}

static uint8_t field_pictures[1][2][32];

static v3doff_h264_arrays mbaff_arrays(void) {
    v3doff_h264_arrays arrays = good_arrays();
    memset(field_pictures, 0, sizeof field_pictures);
    arrays.flags = V3DOFF_H264_ARRAYS_MBAFF;
    arrays.field_pictures = (const uint8_t(*)[2][32])field_pictures;
    return arrays;
}

#define RECORD(arrays)                                                                             \
    v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, arrays, 0, V3DOFF_H264_ALL_ROWS)

/* Each spoils one thing of good arrays. */
#define SPOILT(spoil, argument)                                                                    \
    do {                                                                                           \
        v3doff_h264_arrays arrays = good_arrays();                                                 \
        spoil;                                                                                     \
        BAD_ARGUMENT(RECORD(&arrays), argument);                                                   \
    } while (0)

static void refusals(v3doff_picture *picture) {
    v3doff_h264_arrays good = good_arrays();
    EXPECT_RESULT(v3doff_h264_record_rows(NULL, V3DOFF_H264_FRAME, &good, 0, V3DOFF_H264_ALL_ROWS),
                  V3DOFF_ERROR_INVALID_HANDLE);
    BAD_ARGUMENT(RECORD(NULL), "arrays");
    BAD_ARGUMENT(
        v3doff_h264_record_rows(picture, (v3doff_h264_structure)3, &good, 0, V3DOFF_H264_ALL_ROWS),
        "structure");
    SPOILT(arrays.struct_size = 0, "struct_size");
    SPOILT(arrays.flags = 16, "flags");
    SPOILT(arrays.flags = V3DOFF_H264_ARRAYS_MBAFF, "field_pictures");
    SPOILT((arrays = mbaff_arrays(), arrays.flags |= V3DOFF_H264_ARRAYS_FIELD), "flags");
    SPOILT((arrays = mbaff_arrays(), mb_type[5] |= 1 << 7), "mb_type"); /* half a pair */
    SPOILT((arrays = mbaff_arrays(), field_pictures[0][0][0] = 255, mb_type[1] |= 1 << 7,
            mb_type[5] |= 1 << 7),
           "slices");
    SPOILT(arrays.mb_stride = WIDTH - 1, "mb_stride");
    SPOILT(arrays.mb_type = NULL, "mb_type");
    SPOILT(arrays.qp = NULL, "qp");
    SPOILT(arrays.slice_table = NULL, "slice_table");
    SPOILT(arrays.non_zero_count = NULL, "non_zero_count");
    SPOILT(arrays.slices = NULL, "slices");
    SPOILT(arrays.slice_count = 0, "slice_count");
    SPOILT(arrays.slice_count = 65536, "slice_count");
    SPOILT(arrays.motion[0] = NULL, "motion");
    SPOILT(arrays.reference[0] = NULL, "reference");
    SPOILT(arrays.motion_stride = 15, "motion_stride");
    SPOILT(mb_type[9] |= 1 << 14, "motion"); /* list 1 is not there */
    SPOILT(slice_table[15] = 1, "slice_table");
    SPOILT(qp[3] = 52, "qp");
    SPOILT(qp[3] = -1, "qp");
    SPOILT(reference[63] = 32, "reference");
    SPOILT(slice.picture[0][0] = 255, "slices");
    SPOILT(slice.filter_offset_b = 13, "slices");
    SPOILT(slice.chroma_qp_index_offset[0] = -13, "slices");
    SPOILT(slice.disable_deblocking_filter = 3, "slices");
    SPOILT((slice.flags = V3DOFF_H264_SLICE_CAVLC, mb_type[1] |= 1 << 24), "cbp");
}

static uint32_t dispatches(v3doff_picture *picture) {
    finish(picture, V3DOFF_EXECUTOR_GPU);
    const uint32_t count = report_of(picture).dispatches;
    EXPECT_OK(v3doff_picture_reopen(picture));
    return count;
}

static void counts_of_dispatches(v3doff_picture *picture) {
    v3doff_h264_arrays arrays = good_arrays();
    v3doff_h264_deblock_mb given[COUNT];
    memset(given, 0, sizeof given);
    EXPECT_OK(v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, given, COUNT));
    EXPECT_RESULT(RECORD(&arrays), V3DOFF_ERROR_INVALID_STATE);
    const uint32_t without = dispatches(picture);
    EXPECT_OK(RECORD(&arrays));
    EXPECT_RESULT(RECORD(&arrays), V3DOFF_ERROR_INVALID_STATE);
    EXPECT(dispatches(picture) == without + 1);
    /* One field of each kind. */
    EXPECT_OK(
        v3doff_h264_record_rows(picture, V3DOFF_H264_TOP_FIELD, &arrays, 0, V3DOFF_H264_ALL_ROWS));
    EXPECT_OK(v3doff_h264_record_deblock(picture, V3DOFF_H264_BOTTOM_FIELD, given, COUNT / 2));
    EXPECT(dispatches(picture) == 2 * without + 1);
    EXPECT_OK(
        v3doff_h264_record_rows(picture, V3DOFF_H264_TOP_FIELD, &arrays, 0, V3DOFF_H264_ALL_ROWS));
    EXPECT_OK(v3doff_h264_record_rows(picture, V3DOFF_H264_BOTTOM_FIELD, &arrays, 0,
                                      V3DOFF_H264_ALL_ROWS));
    EXPECT(dispatches(picture) == 2 * without + 2);
    /* No macroblock at all: nothing is filtered, and no missing data is read. */
    memset(slice_table, 0xff, sizeof slice_table);
    EXPECT_OK(RECORD(&arrays));
    dispatches(picture);
}

static void mbaff_frames(v3doff_picture *picture) {
    v3doff_h264_arrays arrays = mbaff_arrays();
    v3doff_h264_deblock_mbaff_mb given[COUNT];
    memset(given, 0, sizeof given);
    EXPECT_OK(v3doff_h264_record_deblock_mbaff(picture, given, COUNT));
    EXPECT_RESULT(RECORD(&arrays), V3DOFF_ERROR_INVALID_STATE);
    const uint32_t without = dispatches(picture);
    EXPECT_OK(RECORD(&arrays));
    EXPECT_RESULT(RECORD(&arrays), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_RESULT(v3doff_h264_record_deblock_mbaff(picture, given, COUNT),
                  V3DOFF_ERROR_INVALID_STATE);
    EXPECT(dispatches(picture) == without + 1);
    BAD_ARGUMENT(
        v3doff_h264_record_rows(picture, V3DOFF_H264_TOP_FIELD, &arrays, 0, V3DOFF_H264_ALL_ROWS),
        "flags");
    memset(slice_table, 0xff, sizeof slice_table);
    EXPECT_OK(RECORD(&arrays));
    dispatches(picture);
}

#define ROWS(first, rows) v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, first, rows)

static void rows_of_macroblocks(v3doff_picture *picture) {
    v3doff_h264_arrays arrays = good_arrays();
    v3doff_h264_deblock_mb given[COUNT];
    v3doff_rows_info band = {.struct_size = sizeof band, .row_end = 32};
    memset(given, 0, sizeof given);
    BAD_ARGUMENT(ROWS(0, 0), "first_row, rows");
    BAD_ARGUMENT(ROWS(4, 1), "first_row, rows");
    BAD_ARGUMENT(ROWS(1, 4), "first_row, rows");
    EXPECT_OK(ROWS(0, 1));
    EXPECT_RESULT(ROWS(2, 1), V3DOFF_ERROR_INVALID_STATE); /* a gap */
    EXPECT_RESULT(ROWS(0, 1), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(ROWS(1, 2));
    BAD_ARGUMENT(v3doff_picture_submit_rows(picture, &band), "rows"); /* row 2 is below it */
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(ROWS(0, 2));
    EXPECT_OK(v3doff_picture_submit_rows(picture, &band));
    BAD_ARGUMENT(ROWS(1, 1), "first_row");
    BAD_ARGUMENT(RECORD(&arrays), "picture");
    BAD_ARGUMENT(v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, given, COUNT), "picture");
    qp[11] = 52;
    BAD_ARGUMENT(ROWS(2, 2), "qp");
    qp[11] = 40;
    EXPECT_OK(ROWS(2, 2));
    EXPECT(dispatches(picture) == 10); /* of two bands */
}

static void pairs_of_rows(v3doff_picture *picture) {
    v3doff_h264_arrays arrays = mbaff_arrays();
    v3doff_rows_info band = {.struct_size = sizeof band, .row_end = 32};
    BAD_ARGUMENT(ROWS(0, 1), "half a pair");
    BAD_ARGUMENT(ROWS(1, 2), "half a pair");
    BAD_ARGUMENT(ROWS(2, 2), "first_row");
    EXPECT_OK(ROWS(0, 2));
    /* The frame goes whole. */
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, &band), V3DOFF_NOT_READY);
    EXPECT_RESULT(ROWS(0, 2), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(ROWS(2, 2));
    EXPECT(dispatches(picture) == 5);
}

/* Noise, which every filtered edge changes; returns a sum over each plane after the work. */
static void filter_noise(v3doff_picture *picture, const v3doff_h264_arrays *arrays,
                         uint64_t sum[3]) {
    const v3doff_planes planes = planes_of(picture);
    uint32_t random = 7;
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++)
            for (uint32_t x = 0; x < planes.width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(120 + ((random = random * 1664525u + 1013904223u) >> 28));
    if (arrays) EXPECT_OK(RECORD(arrays));
    submit_and_wait(picture);
    for (uint32_t p = 0; p < planes.count; p++) {
        sum[p] = 0;
        for (uint32_t y = 0; y < planes.height[p]; y++)
            for (uint32_t x = 0; x < planes.width[p]; x++)
                sum[p] = sum[p] * 31 + ((uint8_t *)planes.data[p])[y * planes.stride[p] + x];
    }
    EXPECT_OK(v3doff_picture_reopen(picture));
}

/* A 4:0:0 stream in 4:2:0 pictures. */
static void luma_alone(v3doff_picture *picture) {
    uint64_t none[3], all[3], luma[3];
    v3doff_h264_arrays arrays = good_arrays();
    filter_noise(picture, NULL, none);
    filter_noise(picture, &arrays, all);
    arrays.flags = V3DOFF_H264_ARRAYS_LUMA_ONLY;
    filter_noise(picture, &arrays, luma);
    EXPECT(luma[0] == all[0] && luma[0] != none[0]);
    for (int p = 1; p < 3; p++)
        EXPECT(luma[p] == none[p] && all[p] != none[p]);
    EXPECT_OK(ROWS(0, 2));
    arrays.flags = 0;
    BAD_ARGUMENT(ROWS(2, 2), "LUMA_ONLY");
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void luma_alone_on(v3doff_mode mode) {
    v3doff_device *device = open_test_device(mode);
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *picture = open_test_picture(pool);
    luma_alone(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
}

int main(void) {
    watch_log();
    luma_alone_on(V3DOFF_MODE_FORCE);
    luma_alone_on(V3DOFF_MODE_CPU);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *picture = open_test_picture(pool);
    refusals(picture);
    submit_and_wait(picture);
    EXPECT(report_of(picture).records == 0); /* nothing was recorded */
    EXPECT_OK(v3doff_picture_reopen(picture));
    counts_of_dispatches(picture);
    rows_of_macroblocks(picture);
    mbaff_frames(picture);
    pairs_of_rows(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return 0;
}
