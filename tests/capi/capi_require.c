/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples required before the submit are done at once, only once, and counted. The rest is left to
 * the device.
 * The block of the test adds 6 to each of its samples (see capi_sizes.c).
 */
#include <string.h>

#include "capi_helpers.h"

static void record_block(v3doff_picture *picture, uint32_t lane, uint32_t x, uint32_t y,
                         uint32_t depth, int32_t dc, uint32_t eob) {
    union {
        int16_t narrow[64];
        int32_t wide[64];
    } coefficients = {.wide = {0}};
    if (depth > 8)
        coefficients.wide[0] = dc;
    else
        coefficients.narrow[0] = (int16_t)dc;
    EXPECT_OK(v3doff_vp9_record_itx(picture, lane, 0, x, y, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT,
                                    eob, &coefficients));
}

static int sample(v3doff_picture *picture, uint32_t x, uint32_t y, uint32_t depth) {
    const v3doff_planes planes = planes_of(picture);
    const uint8_t *row = (const uint8_t *)planes.data[0] + y * planes.stride[0];
    uint16_t wide;
    if (depth == 8) return row[x];
    memcpy(&wide, row + 2 * x, 2);
    return wide;
}

static v3doff_picture *open_flat(v3doff_pool *pool) {
    v3doff_picture *picture = open_test_picture(pool);
    const v3doff_planes planes = planes_of(picture);
    memset(planes.data[0], 0, planes.padded_height[0] * (size_t)planes.stride[0]);
    return picture;
}

static void blocks(v3doff_device *device, uint32_t depth, int large) {
    v3doff_pool *pool = open_format_pool(device, 128, 128, depth, V3DOFF_CHROMA_420);
    v3doff_picture *picture = open_flat(pool);
    /* Beyond 130,000 a block of more than 8 bits is the CPU's anyway (docs/architecture.md). */
    const int32_t dc = large ? 140000 : 400;
    const uint32_t eob = large ? 2 : 1;
    record_block(picture, 3, 8, 8, depth, dc, eob);   /* asked for */
    record_block(picture, 3, 16, 8, depth, dc, eob);  /* its neighbour: not */
    record_block(picture, 4, 8, 16, depth, dc, eob);  /* of another lane: not */
    record_block(picture, 3, 96, 96, depth, dc, eob); /* far away: not */
    const int after = large ? 2187 : 6; /* 140000 * 11585^2 / 2^28 / 32, rounded at each step */

    EXPECT_OK(v3doff_picture_prepare(picture));
    EXPECT_OK(v3doff_picture_require(picture, 3, 0, 15, 0, 1, 9)); /* one sample of it */
    EXPECT(sample(picture, 8, 8, depth) == after && sample(picture, 15, 15, depth) == after);
    EXPECT(sample(picture, 16, 8, depth) == 0 && sample(picture, 8, 16, depth) == 0);
    EXPECT_OK(v3doff_picture_require(picture, 3, 0, 15, 0, 1, 9)); /* not twice */
    EXPECT_OK(v3doff_picture_require(picture, 3, 0, 0, 0, 0, 0));
    EXPECT_OK(v3doff_picture_require(picture, 3, 1, 0, 0, 64, 64));
    EXPECT_OK(v3doff_picture_require(picture, 3, 0, 100000, 0, 1, 1));
    EXPECT_OK(v3doff_picture_require(picture, 63, 0, 0, 0, UINT32_MAX, UINT32_MAX));
    EXPECT(sample(picture, 96, 96, depth) == 0);
    record_block(picture, 4, 64, 64, depth, dc, eob); /* as many as were prepared */

    submit_and_wait(picture);
    v3doff_picture_report report = report_of(picture);
    EXPECT(report.executor == V3DOFF_EXECUTOR_GPU);
    EXPECT(report.records == 5 && report.cpu_records == (large ? 5u : 1u));
    EXPECT(sample(picture, 8, 8, depth) == after && sample(picture, 16, 8, depth) == after);
    EXPECT(sample(picture, 8, 16, depth) == after && sample(picture, 103, 103, depth) == after);
    EXPECT(sample(picture, 64, 64, depth) == after);
    EXPECT(sample(picture, 104, 104, depth) == 0 && sample(picture, 7, 8, depth) == 0);

    EXPECT_RESULT(v3doff_picture_require(picture, 3, 0, 0, 0, 1, 1), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_reopen(picture)); /* the old records are forgotten */
    EXPECT_OK(v3doff_picture_require(picture, 3, 0, 0, 0, 128, 128));
    EXPECT(sample(picture, 16, 8, depth) == after);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

static void refusals(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *picture = open_flat(pool);
    EXPECT_RESULT(v3doff_picture_require(NULL, 0, 0, 0, 0, 1, 1), V3DOFF_ERROR_INVALID_HANDLE);
    EXPECT_RESULT(v3doff_picture_require(picture, V3DOFF_LANES, 0, 0, 0, 1, 1),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_picture_require(picture, 0, 3, 0, 0, 1, 1), V3DOFF_ERROR_INVALID_ARGUMENT);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

int main(void) {
    watch_log();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    blocks(device, 8, 0);
    blocks(device, 10, 0);
    blocks(device, 12, 1);
    refusals(device);
    v3doff_device_destroy(&device);
    puts("required samples are there");
    return 0;
}
