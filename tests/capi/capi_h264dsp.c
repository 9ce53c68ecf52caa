/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DSP table of H.264: fields by their stride, refusals, and several threads that record into
 * one picture.
 */
#include <pthread.h>
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/h264.h"
#include "v3doff/h264dsp.h"

enum { width = 96, height = 64 };

static v3doff_h264dsp table;
static v3doff_pool *pool;

static uint64_t refused(void) {
    v3doff_dsp_counts now = {.struct_size = sizeof now};
    EXPECT_OK(v3doff_dsp_get_counts(&now));
    return now.refused;
}

/* Adds n to every sample of a 4x4 block. */
static int add_dc(uint8_t *dst, int stride, int n) {
    _Alignas(16) int16_t block[16] = {0};
    block[0] = (int16_t)(n * 64);
    table.h264_idct_dc_add(dst, block, stride);
    return block[0] == 0;
}

static void tables(void) {
    EXPECT_RESULT(v3doff_h264dsp_init(NULL, 8, 1), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_h264dsp_init(&table, 8, 1), V3DOFF_ERROR_INVALID_ARGUMENT);
    table.struct_size = sizeof table;
    EXPECT_RESULT(v3doff_h264dsp_init(&table, 11, 1), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT_RESULT(v3doff_h264dsp_init(&table, 8, 4), V3DOFF_ERROR_UNSUPPORTED);
    static const uint32_t depths[] = {14, 12, 10, 9, 8};
    for (int i = 0; i < 5; i++)
        for (uint32_t chroma = 4; chroma-- > 0;)
            EXPECT_OK(v3doff_h264dsp_init(&table, depths[i], chroma));
    EXPECT_OK(v3doff_h264dsp_init(&table, 8, 1));
}

/* A stride of twice the plane's: every second line, from wherever dst is. */
static void fields(void) {
    v3doff_picture *picture = open_tiled(pool, 4);
    v3doff_planes planes = planes_of(picture);
    uint8_t *luma = planes.data[0], before[8];
    const ptrdiff_t stride = planes.stride[0];
    for (int y = 0; y < 8; y++)
        before[y] = luma[(8 + y) * stride + 16];
    EXPECT_OK(v3doff_dsp_bind(picture, 0));
    EXPECT(add_dc(luma + 9 * stride + 16, (int)(2 * stride), 5));
    v3doff_dsp_unbind();
    finish(picture, V3DOFF_EXECUTOR_GPU);
    for (int y = 0; y < 8; y++)
        EXPECT(luma[(8 + y) * stride + 16] == before[y] + (y % 2 ? 5 : 0));
    v3doff_picture_close(&picture);
}

static void expect_refused(v3doff_picture *picture, int done) {
    static uint64_t known;
    EXPECT(!done);
    EXPECT(refused() == known + 1);
    known = refused();
    EXPECT_RESULT(v3doff_picture_submit(picture, NULL), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void refusals(void) {
    v3doff_picture *picture = open_tiled(pool, 4);
    v3doff_planes planes = planes_of(picture);
    uint8_t *luma = planes.data[0];
    const int stride = (int)planes.stride[0];
    int8_t tc0[4] = {1, 1, 1, 1};
    const uint64_t before = checksum_of(picture);
    EXPECT_OK(v3doff_dsp_bind(picture, 0));
    expect_refused(picture, add_dc(luma, 3 * stride, 5));
    expect_refused(picture, add_dc(luma + 2, stride, 5));
    expect_refused(picture, add_dc(luma + 2 * stride, stride, 5));
    expect_refused(picture, add_dc(luma + (planes.padded_height[0] - 4) * stride, 2 * stride, 5));
    table.h264_h_loop_filter_luma(luma, stride, 20, 5, tc0); /* nothing left of it */
    expect_refused(picture, 0);
    table.h264_h_loop_filter_luma(luma + 16, stride, 20, 5, tc0);
    expect_refused(picture, add_dc(luma + 4, stride, 5)); /* the filter has been here */
    EXPECT(checksum_of(picture) == before);

    /* The table or the picture's own interface, not both. */
    v3doff_h264_deblock_mb macroblocks[6 * 4];
    memset(macroblocks, 0, sizeof macroblocks);
    table.h264_h_loop_filter_luma(luma + 16, stride, 20, 5, tc0);
    EXPECT_RESULT(v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, macroblocks, 6 * 4),
                  V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(v3doff_h264_record_deblock(picture, V3DOFF_H264_FRAME, macroblocks, 6 * 4));
    table.h264_h_loop_filter_luma(luma + 16, stride, 20, 5, tc0);
    expect_refused(picture, 0);
    v3doff_dsp_unbind();
    v3doff_picture_close(&picture);
}

/* MBAFF edges and other orders are done as called, on the CPU, and the report says so. */
static void filters_of_no_picture(void) {
    v3doff_picture *bound = open_tiled(pool, 4), *direct = open_tiled(pool, 4);
    int8_t tc0[4] = {3, 2, 1, 0};
    for (int i = 0; i < 2; i++) {
        v3doff_planes planes = planes_of(i ? direct : bound);
        uint8_t *luma = planes.data[0];
        if (!i) EXPECT_OK(v3doff_dsp_bind(bound, 0));
        table.h264_h_loop_filter_luma_mbaff(luma + 16, 2 * planes.stride[0], 60, 12, tc0);
        table.h264_v_loop_filter_luma(luma + 16 * planes.stride[0], planes.stride[0], 60, 12, tc0);
        table.h264_h_loop_filter_luma(luma + 16 * planes.stride[0] + 12, planes.stride[0], 60, 12,
                                      tc0);
        v3doff_dsp_unbind();
    }
    finish(bound, V3DOFF_EXECUTOR_CPU);
    EXPECT(strstr(report_of(bound).reason, "do not form an H.264 picture"));
    EXPECT(checksum_of(bound) == checksum_of(direct));
    v3doff_picture_close(&bound);
    v3doff_picture_close(&direct);
}

/* Rows of macroblocks by different threads, each bound to a lane of its own. */
static v3doff_picture *shared;

static void *reconstruct_row(void *opaque) {
    const int row = *(int *)opaque;
    v3doff_planes planes = planes_of(shared);
    EXPECT_OK(v3doff_dsp_bind(shared, (uint32_t)row));
    for (int y = 16 * row; y < 16 * row + 16; y += 4)
        for (int x = 0; x < width; x += 4)
            EXPECT(add_dc((uint8_t *)planes.data[0] + y * planes.stride[0] + x,
                          (int)planes.stride[0], 1 + row));
    v3doff_dsp_unbind();
    return NULL;
}

static void threads(void) {
    enum { rows = height / 16 };
    shared = open_tiled(pool, 4);
    v3doff_planes planes = planes_of(shared);
    const uint64_t before = checksum_of(shared);
    pthread_t thread[rows];
    int number[rows];
    for (int row = 0; row < rows; row++) {
        number[row] = row;
        EXPECT(!pthread_create(&thread[row], NULL, reconstruct_row, &number[row]));
    }
    for (int row = 0; row < rows; row++)
        EXPECT(!pthread_join(thread[row], NULL));
    EXPECT(checksum_of(shared) == before);
    finish(shared, V3DOFF_EXECUTOR_GPU);
    EXPECT(report_of(shared).records == (uint64_t)width * height / 16);
    const uint8_t *luma = planes.data[0];
    EXPECT(luma[0] == 100 + 1 && luma[48 * planes.stride[0]] == 100 + 12 * 3 % 7 + 4);
    EXPECT(checksum_of(shared) != before);
    v3doff_picture_close(&shared);
}

int main(void) {
    watch_log();
    tables();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    EXPECT_OK(v3doff_dsp_set_device(device));
    pool = open_test_pool(device, width, height);
    fields();
    refusals();
    filters_of_no_picture();
    threads();
    EXPECT_OK(v3doff_dsp_set_device(NULL));
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    printf("calls were recorded, done at once or refused as documented\n");
    return 0;
}
