/* SPDX-License-Identifier: BSD-2-Clause */
/* H.264 residuals: every refused call, and what the others do to samples and coefficients. */
#include "capi_refused.h"
#include "v3doff/h264.h"

static int16_t coefficients[(48 + 1) * 16];
static uint8_t nnz[15 * 8];

static v3doff_picture *open_picture(v3doff_device *device, v3doff_pool **pool, v3doff_chroma chroma,
                                    uint32_t bit_depth) {
    *pool = open_format_pool(device, 64, 64, bit_depth, chroma);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, *pool, NULL));
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            memset((uint8_t *)planes.data[p] + y * planes.stride[p], 100,
                   planes.padded_width[p] * (bit_depth > 8 ? 2 : 1));
    return picture;
}

static void finish_all(v3doff_picture *picture, uint64_t records, v3doff_mode mode) {
    submit_and_wait(picture);
    v3doff_picture_report report = report_of(picture);
    EXPECT(report.records == records);
    EXPECT(report.executor ==
           (mode == V3DOFF_MODE_CPU ? V3DOFF_EXECUTOR_CPU : V3DOFF_EXECUTOR_GPU));
    EXPECT(report.dispatches == (mode == V3DOFF_MODE_CPU || !records ? 0 : 1));
}

static uint8_t sample(v3doff_picture *picture, uint32_t plane, uint32_t x, uint32_t y) {
    const v3doff_planes planes = planes_of(picture);
    return *((uint8_t *)planes.data[plane] + y * planes.stride[plane] + x);
}

#define BLOCK(lane, plane, x, y, rows, transform, data)                                            \
    v3doff_h264_record_idct(picture, lane, plane, x, y, (v3doff_h264_rows)(rows),                  \
                            (v3doff_h264_transform)(transform), data)
#define GROUP(lane, plane, x, y, rows, group, data, counts)                                        \
    v3doff_h264_record_macroblock(picture, lane, plane, x, y, (v3doff_h264_rows)(rows),            \
                                  (v3doff_h264_group)(group), data, counts)
#define PREDICT(lane, plane, x, y, rows, shape, direction, neighbours, data)                       \
    v3doff_h264_record_predict_add(picture, lane, plane, x, y, (v3doff_h264_rows)(rows),           \
                                   (v3doff_h264_predict)(shape),                                   \
                                   (v3doff_h264_direction)(direction), neighbours, data)

static void refused_blocks(v3doff_picture *picture) {
    BAD_HANDLE(v3doff_h264_record_idct(NULL, 0, 0, 0, 0, V3DOFF_H264_FRAME_ROWS,
                                       V3DOFF_H264_IDCT_4X4, coefficients),
               "picture");
    BAD_ARGUMENT(BLOCK(V3DOFF_LANES, 0, 0, 0, 0, 0, coefficients), "lane");
    BAD_ARGUMENT(BLOCK(0, 3, 0, 0, 0, 0, coefficients), "plane");
    BAD_ARGUMENT(BLOCK(0, 0, 0, 0, 2, 0, coefficients), "rows");
    BAD_ARGUMENT(BLOCK(0, 0, 0, 0, 0, 6, coefficients), "transform");
    BAD_ARGUMENT(BLOCK(0, 0, 0, 0, 0, -1, coefficients), "transform");
    BAD_ARGUMENT(BLOCK(0, 0, 0, 0, 0, 0, NULL), "coefficients");
    BAD_ARGUMENT(BLOCK(0, 0, 2, 0, 0, 0, coefficients), "x, y");
    BAD_ARGUMENT(BLOCK(0, 0, 4, 0, 0, 1, coefficients), "x, y");  /* 8x8 at 4 */
    BAD_ARGUMENT(BLOCK(0, 0, 0, 1, 0, 0, coefficients), "x, y");  /* odd row of a frame */
    BAD_ARGUMENT(BLOCK(0, 0, 0, 4, 1, 0, coefficients), "x, y");  /* field: 8 apart */
    BAD_ARGUMENT(BLOCK(0, 0, 64, 0, 0, 0, coefficients), "x, y"); /* begins outside */
    BAD_ARGUMENT(BLOCK(0, 1, 0, 32, 0, 0, coefficients), "x, y"); /* of chroma */
    BAD_ARGUMENT(BLOCK(0, 0, 0, UINT32_MAX - 3, 0, 0, coefficients), "x, y");
    BAD_ARGUMENT(BLOCK(0, 0, 0, UINT32_MAX - 7, 1, 0, coefficients), "x, y");
    EXPECT_OK(BLOCK(0, 0, 0, 1, 1, 2, coefficients));   /* the bottom field's first row */
    EXPECT_OK(BLOCK(0, 0, 60, 57, 1, 2, coefficients)); /* its last one is row 63 */
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void refused_macroblocks(v3doff_picture *picture) {
    BAD_ARGUMENT(GROUP(0, 0, 0, 0, 0, 4, coefficients, nnz), "group");
    BAD_ARGUMENT(GROUP(0, 0, 0, 0, 0, 0, coefficients, NULL), "nnz");
    BAD_ARGUMENT(GROUP(0, 0, 0, 0, 0, 0, NULL, nnz), "coefficients");
    BAD_ARGUMENT(GROUP(0, 1, 0, 0, 0, 0, coefficients, nnz), "group"); /* no room for 16x16 */
    BAD_ARGUMENT(GROUP(0, 0, 0, 0, 0, 3, coefficients, nnz), "group"); /* chroma in luma */
    BAD_ARGUMENT(GROUP(0, 2, 0, 0, 0, 3, coefficients, nnz), "group");
    BAD_ARGUMENT(GROUP(0, 0, 8, 0, 0, 0, coefficients, nnz), "x, y");
    BAD_ARGUMENT(GROUP(0, 0, 0, 16, 1, 0, coefficients, nnz), "x, y"); /* of field rows */
    BAD_ARGUMENT(GROUP(0, 0, 0, 64, 0, 0, coefficients, nnz), "x, y");
    BAD_ARGUMENT(GROUP(0, 1, 4, 0, 0, 3, coefficients, nnz), "x, y");
}

static void refused_predictions(v3doff_picture *picture) {
    BAD_ARGUMENT(PREDICT(0, 0, 4, 4, 0, 5, 0, 0, coefficients), "shape");
    BAD_ARGUMENT(PREDICT(0, 0, 4, 4, 0, 0, 2, 0, coefficients), "direction");
    BAD_ARGUMENT(PREDICT(0, 0, 8, 8, 0, 2, 0, 4, coefficients), "neighbours");
    BAD_ARGUMENT(PREDICT(0, 0, 8, 8, 0, 1, 0, 1, coefficients), "neighbours"); /* not looked at */
    BAD_ARGUMENT(PREDICT(0, 0, 0, 0, 0, 0, 0, 0, coefficients), "x, y");       /* nothing above */
    BAD_ARGUMENT(PREDICT(0, 0, 0, 4, 0, 0, 1, 0, coefficients), "x, y");       /* nothing left */
    BAD_ARGUMENT(PREDICT(0, 0, 0, 1, 1, 0, 0, 0, coefficients), "x, y");       /* of its field */
    BAD_ARGUMENT(PREDICT(0, 0, 0, 8, 0, 2, 0, 1, coefficients), "neighbours"); /* no corner */
    BAD_ARGUMENT(PREDICT(0, 0, 56, 8, 0, 2, 0, 2, coefficients), "neighbours");
    BAD_ARGUMENT(PREDICT(0, 0, 8, 8, 0, 3, 0, 0, coefficients), "shape"); /* chroma in luma */
    BAD_ARGUMENT(PREDICT(0, 1, 8, 8, 0, 1, 0, 0, coefficients), "shape");
    BAD_ARGUMENT(PREDICT(0, 0, 16, 8, 0, 4, 0, 0, coefficients), "x, y");
}

static void refused_dc(void) {
    int16_t values[256] = {0};
    BAD_ARGUMENT(v3doff_h264_luma_dc_dequant(7, values, values, 1), "bit_depth");
    BAD_ARGUMENT(v3doff_h264_luma_dc_dequant(15, values, values, 1), "bit_depth");
    BAD_ARGUMENT(v3doff_h264_luma_dc_dequant(8, NULL, values, 1), "output");
    BAD_ARGUMENT(v3doff_h264_luma_dc_dequant(8, values, NULL, 1), "input");
    BAD_ARGUMENT(v3doff_h264_chroma_dc_dequant(8, V3DOFF_CHROMA_444, values, 1), "chroma");
    BAD_ARGUMENT(v3doff_h264_chroma_dc_dequant(8, V3DOFF_CHROMA_420, NULL, 1), "block");
}

/* A refused call clears nothing and records nothing. */
static void refusals(v3doff_device *device, v3doff_mode mode) {
    v3doff_pool *pool = NULL;
    v3doff_picture *picture = open_picture(device, &pool, V3DOFF_CHROMA_420, 8);
    refused_blocks(picture);
    coefficients[0] = 64;
    nnz[1 * 8 + 4] = 1;
    refused_macroblocks(picture);
    refused_predictions(picture);
    refused_dc();
    EXPECT(coefficients[0] == 64);

    /* As many blocks as the picture has room for, and no more: 64x64 in 4:2:0 has 384 of 4x4. A
     * macroblock of which not all blocks have room is not begun. */
    int16_t none[64] = {0};
    for (int i = 0; i < 383; i++)
        EXPECT_OK(BLOCK(5, 0, 0, 0, 0, 2, none));
    coefficients[16] = 64;
    nnz[1 * 8 + 5] = 1;
    REFUSED(GROUP(5, 0, 0, 0, 0, 0, coefficients, nnz), V3DOFF_ERROR_LIMIT, "more blocks");
    REFUSED(BLOCK(5, 0, 0, 0, 0, 5, coefficients), V3DOFF_ERROR_LIMIT, "more blocks");
    REFUSED(PREDICT(5, 0, 16, 16, 0, 1, 0, 0, coefficients), V3DOFF_ERROR_LIMIT, "more blocks");
    EXPECT(coefficients[0] == 64 && coefficients[16] == 64);
    EXPECT_OK(v3doff_picture_discard(picture));
    finish_all(picture, 0, mode);
    EXPECT(sample(picture, 0, 16, 16) == 100);
    REFUSED(BLOCK(0, 0, 0, 0, 0, 0, coefficients), V3DOFF_ERROR_INVALID_STATE, "record");
    REFUSED(GROUP(0, 0, 0, 0, 0, 0, coefficients, nnz), V3DOFF_ERROR_INVALID_STATE, "record");
    EXPECT(coefficients[0] == 64);
    memset(coefficients, 0, sizeof coefficients);
    memset(nnz, 0, sizeof nnz);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);

    picture = open_picture(device, &pool, V3DOFF_CHROMA_440, 8);
    coefficients[0] = 64;
    EXPECT_RESULT(BLOCK(0, 0, 0, 0, 0, 0, coefficients), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT_RESULT(GROUP(0, 0, 0, 0, 0, 0, coefficients, nnz), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT_RESULT(PREDICT(0, 0, 4, 4, 0, 0, 0, 0, coefficients), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT(coefficients[0] == 64);
    coefficients[0] = 0;
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

/* A DC of 64 is 1 a sample; what is cleared, what is left, what is left out. */
static void macroblocks(v3doff_device *device, v3doff_mode mode) {
    v3doff_pool *pool = NULL;
    v3doff_picture *picture = open_picture(device, &pool, V3DOFF_CHROMA_420, 8);
    for (int n = 0; n < 48; n++)
        coefficients[n * 16] = (int16_t)(64 * (n + 1));
    nnz[1 * 8 + 4] = 1; /* block 0: DC alone */
    nnz[2 * 8 + 7] = 2; /* block 7, the last of the upper half: whole */
    EXPECT_OK(GROUP(0, 0, 16, 0, 0, V3DOFF_H264_ADD16, coefficients, nnz));
    EXPECT(coefficients[0] == 0 && coefficients[7 * 16] == 0);
    EXPECT(coefficients[1 * 16] == 2 * 64); /* left out, not touched */
    EXPECT_OK(GROUP(1, 1, 8, 0, 0, V3DOFF_H264_ADD8, coefficients, nnz));
    EXPECT(coefficients[16 * 16] == 0 && coefficients[35 * 16] == 0);
    EXPECT(coefficients[20 * 16] == 21 * 64); /* 4:2:0 has four blocks */
    finish_all(picture, 2 + 8, mode);
    EXPECT(sample(picture, 0, 16, 0) == 101 && sample(picture, 0, 20, 0) == 100);
    EXPECT(sample(picture, 0, 28, 4) == 108 && sample(picture, 0, 28, 8) == 100);
    EXPECT(sample(picture, 1, 8, 0) == 117 && sample(picture, 1, 12, 4) == 120);
    EXPECT(sample(picture, 2, 8, 0) == 133 && sample(picture, 2, 12, 4) == 136);
    memset(coefficients, 0, sizeof coefficients);
    memset(nnz, 0, sizeof nnz);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

/* A predicted block sees what its lane has recorded for its neighbours. */
static void predictions(v3doff_device *device, v3doff_mode mode) {
    v3doff_pool *pool = NULL;
    v3doff_picture *picture = open_picture(device, &pool, V3DOFF_CHROMA_420, 8);
    coefficients[0] = 640;
    EXPECT_OK(BLOCK(2, 0, 0, 0, 0, V3DOFF_H264_IDCT_4X4, coefficients)); /* 110 */
    for (int i = 0; i < 16; i++)
        coefficients[i] = 3;
    EXPECT_OK(
        PREDICT(2, 0, 4, 0, 0, V3DOFF_H264_PREDICT_4X4, V3DOFF_H264_HORIZONTAL, 0, coefficients));
    EXPECT(coefficients[0] == 0 && coefficients[15] == 0);
    finish_all(picture, 2, mode);
    EXPECT(sample(picture, 0, 3, 0) == 110);
    for (uint32_t x = 0; x < 4; x++)
        EXPECT(sample(picture, 0, 4 + x, 3) == 113 + 3 * x);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

int main(void) {
    watch_log();
    const v3doff_mode modes[] = {V3DOFF_MODE_CPU, V3DOFF_MODE_FORCE};
    for (int i = 0; i < 2; i++) {
        v3doff_device *device = open_test_device(modes[i]);
        refusals(device, modes[i]);
        macroblocks(device, modes[i]);
        predictions(device, modes[i]);
        v3doff_device_destroy(&device);
    }
    printf("every refusal named its argument, every block was where it should be\n");
    return 0;
}
