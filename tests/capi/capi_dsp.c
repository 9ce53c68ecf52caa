/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DSP tables as a decoder uses them: bound calls record, others are done at once. A call that
 * does not fit the picture is refused, never done wrong.
 */
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/vp9dsp.h"

static v3doff_vp9dsp table;

static v3doff_dsp_counts counts(void) {
    v3doff_dsp_counts now = {.struct_size = sizeof now};
    EXPECT_OK(v3doff_dsp_get_counts(&now));
    return now;
}

/* One 8x8 transform, cleared by the call or left alone. */
static int add_block(uint8_t *dst, ptrdiff_t stride) {
    _Alignas(16) int16_t block[64] = {640, 50, -30, [8] = 20};
    table.itxfm_add[1][0](dst, stride, block, 10);
    return !block[0] && !block[8];
}

static void tables(void) {
    v3doff_vp9dsp other = {0};
    EXPECT_RESULT(v3doff_vp9dsp_init(&other, 8), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_vp9dsp_init(NULL, 8), V3DOFF_ERROR_INVALID_ARGUMENT);
    other.struct_size = sizeof other;
    EXPECT_RESULT(v3doff_vp9dsp_init(&other, 9), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT(!other.itxfm_add[0][0]);
    for (uint32_t depth = 8; depth <= 12; depth += 2) {
        EXPECT_OK(v3doff_vp9dsp_init(&other, depth));
        EXPECT(other.itxfm_add[4][3] && other.loop_filter_mix2[1][1][1]);
    }
    /* An older program has a shorter struct: nothing after its end is written. */
    memset(&other, 0, sizeof other);
    other.struct_size = offsetof(v3doff_vp9dsp, loop_filter_16);
    EXPECT_OK(v3doff_vp9dsp_init(&other, 8));
    EXPECT(other.loop_filter_8[2][1] && !other.loop_filter_16[0]);
}

static void bound_calls_record(v3doff_pool *pool) {
    v3doff_picture *picture = open_tiled(pool, 8);
    v3doff_planes planes = planes_of(picture);
    uint8_t *luma = planes.data[0];
    const uint64_t before = checksum_of(picture);
    const v3doff_dsp_counts first = counts();
    EXPECT_OK(v3doff_dsp_bind(picture, 3));
    EXPECT(add_block(luma + 8 * planes.stride[0] + 16, planes.stride[0]));
    EXPECT(checksum_of(picture) == before); /* nothing computed yet */
    table.loop_filter_8[1][0](luma + 72, planes.stride[0], 48, 8, 1);
    /* Memory that is not the picture's: at once, with the same function. */
    uint8_t elsewhere[64] = {0};
    EXPECT(add_block(elsewhere, 8));
    EXPECT(elsewhere[0] != 0);
    v3doff_dsp_unbind();
    EXPECT(counts().recorded == first.recorded + 2);
    EXPECT(counts().at_once_cpu == first.at_once_cpu + 1);
    finish(picture, V3DOFF_EXECUTOR_GPU);
    EXPECT(report_of(picture).records == 2);
    for (int y = 0; y < 8; y++) /* the same block at the same position, on the old samples */
        for (int x = 0; x < 8; x++)
            EXPECT(luma[(8 + y) * planes.stride[0] + 16 + x] ==
                   (uint8_t)(100 + (2 * 5 + 3) % 7 + elsewhere[8 * y + x]));
    /* Not bound any more: at once, in memory that is a picture's. */
    EXPECT(add_block(luma, planes.stride[0]));
    EXPECT(counts().at_once_gpu == first.at_once_gpu + 1);
    v3doff_picture_close(&picture);
}

static void expect_refused(v3doff_picture *picture, void (*call)(v3doff_planes *)) {
    v3doff_planes planes = planes_of(picture);
    const uint64_t refused = counts().refused, before = checksum_of(picture);
    const int lines = log_lines;
    call(&planes);
    EXPECT(counts().refused == refused + 1);
    EXPECT(log_lines > lines);
    EXPECT(checksum_of(picture) == before);
    /* The picture would be wrong: calls report this until it is begun again. */
    EXPECT_RESULT(v3doff_picture_submit(picture, NULL), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void other_stride(v3doff_planes *planes) {
    EXPECT(!add_block(planes->data[0], planes->stride[0] * 2)); /* coefficients are still there */
}
static void between_blocks(v3doff_planes *planes) {
    EXPECT(!add_block((uint8_t *)planes->data[0] + 2, planes->stride[0]));
}
static void out_of_the_picture(v3doff_planes *planes) {
    EXPECT(!add_block((uint8_t *)planes->data[0] + planes->padded_width[0] - 4, planes->stride[0]));
}
static void other_depth(v3doff_planes *planes) {
    v3doff_vp9dsp deep = {.struct_size = sizeof deep};
    EXPECT_OK(v3doff_vp9dsp_init(&deep, 10));
    int32_t block[16] = {64};
    deep.itxfm_add[0][0](planes->data[1], planes->stride[1], (int16_t *)block, 1);
    EXPECT(block[0] == 64);
}
static void edge_at_the_border(v3doff_planes *planes) {
    table.loop_filter_8[2][1]((uint8_t *)planes->data[2] + 4 * planes->stride[2], planes->stride[2],
                              40, 8, 1);
}
static void filtered_before(v3doff_planes *planes) {
    table.loop_filter_8[0][0]((uint8_t *)planes->data[0] + 8, planes->stride[0], 48, 8, 1);
    EXPECT(!add_block((uint8_t *)planes->data[0] + 32, planes->stride[0]));
}

static void refusals(v3doff_pool *pool) {
    EXPECT_RESULT(v3doff_dsp_bind(NULL, 0), V3DOFF_ERROR_INVALID_HANDLE);
    v3doff_picture *picture = open_tiled(pool, 8);
    EXPECT_RESULT(v3doff_dsp_bind(picture, V3DOFF_LANES), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_OK(v3doff_dsp_bind(picture, 0));
    expect_refused(picture, other_stride);
    expect_refused(picture, between_blocks);
    expect_refused(picture, out_of_the_picture);
    expect_refused(picture, other_depth);
    expect_refused(picture, edge_at_the_border);
    expect_refused(picture, filtered_before);
    /* Bound, but not open any more. */
    v3doff_planes planes = planes_of(picture);
    finish(picture, V3DOFF_EXECUTOR_GPU);
    const uint64_t refused = counts().refused;
    EXPECT(!add_block(planes.data[0], planes.stride[0]));
    EXPECT_RESULT(v3doff_dsp_bind(picture, 0), V3DOFF_ERROR_INVALID_STATE);
    v3doff_picture_close(&picture);
    EXPECT(!add_block(planes.data[0], planes.stride[0]));
    EXPECT(counts().refused == refused + 2);
    v3doff_dsp_unbind();
    v3doff_dsp_unbind();
}

/* Handles and pictures are used again: the bound one has the same address, but is another one. */
static void bound_to_an_earlier_picture(v3doff_pool *pool) {
    v3doff_picture *picture = open_tiled(pool, 8), *const bound = picture;
    const uint64_t refused = counts().refused;
    int reopenings = 0;
    EXPECT_OK(v3doff_dsp_bind(picture, 0));
    do {
        v3doff_picture_close(&picture);
        EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
        EXPECT(++reopenings < 1000);
    } while (picture != bound);
    v3doff_planes planes = planes_of(picture);
    EXPECT(!add_block(planes.data[0], planes.stride[0]));
    EXPECT(counts().refused == refused + 1);
    v3doff_dsp_unbind();
    EXPECT_OK(v3doff_picture_submit(picture, NULL)); /* the refused call was not for this one */
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).records == 0);
    v3doff_picture_close(&picture);
}

/* Filters that no VP9 picture has: done all the same, in the order of the calls, and reported. */
static void filters_of_no_picture(v3doff_pool *pool) {
    v3doff_picture *bound = open_tiled(pool, 8), *direct = open_tiled(pool, 8);
    v3doff_planes planes = planes_of(bound), other = planes_of(direct);
    EXPECT_OK(v3doff_dsp_bind(bound, 0));
    for (uint32_t y = 8; y < 64; y += 8) /* between rows first */
        table.loop_filter_16[1]((uint8_t *)planes.data[0] + y * planes.stride[0], planes.stride[0],
                                193, 63, 3);
    for (uint32_t x = 8; x < 64; x += 8)
        table.loop_filter_16[0]((uint8_t *)planes.data[0] + x, planes.stride[0], 193, 63, 3);
    v3doff_dsp_unbind();
    finish(bound, V3DOFF_EXECUTOR_CPU);
    EXPECT(strstr(report_of(bound).reason, "do not form a VP9 picture"));
    for (uint32_t y = 8; y < 64; y += 8)
        table.loop_filter_16[1]((uint8_t *)other.data[0] + y * other.stride[0], other.stride[0],
                                193, 63, 3);
    for (uint32_t x = 8; x < 64; x += 8)
        table.loop_filter_16[0]((uint8_t *)other.data[0] + x, other.stride[0], 193, 63, 3);
    EXPECT(checksum_of(bound) == checksum_of(direct));
    v3doff_picture_close(&bound);
    v3doff_picture_close(&direct);
}

/* A picture takes its filter through the table or through its own interface, not both. */
static void one_filter_a_picture(v3doff_pool *pool) {
    v3doff_vp9_superblock superblocks[4];
    memset(superblocks, 0, sizeof superblocks);
    v3doff_picture *picture = open_tiled(pool, 8);
    v3doff_planes planes = planes_of(picture);
    EXPECT_OK(v3doff_dsp_bind(picture, 0));
    table.loop_filter_8[0][0]((uint8_t *)planes.data[0] + 8, planes.stride[0], 48, 8, 1);
    EXPECT_RESULT(v3doff_vp9_record_loopfilter(picture, 0, superblocks, 4),
                  V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(v3doff_vp9_record_loopfilter(picture, 0, superblocks, 4));
    const uint64_t refused = counts().refused;
    table.loop_filter_8[0][0]((uint8_t *)planes.data[0] + 8, planes.stride[0], 48, 8, 1);
    EXPECT(counts().refused == refused + 1);
    v3doff_dsp_unbind();
    v3doff_picture_close(&picture);
}

int main(void) {
    watch_log();
    tables();
    table.struct_size = sizeof table;
    EXPECT_OK(v3doff_vp9dsp_init(&table, 8));
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    EXPECT_OK(v3doff_dsp_set_device(device));
    v3doff_pool *pool = open_test_pool(device, 128, 128);
    bound_calls_record(pool);
    refusals(pool);
    bound_to_an_earlier_picture(pool);
    filters_of_no_picture(pool);
    one_filter_a_picture(pool);
    EXPECT_OK(v3doff_dsp_set_device(NULL));
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    printf("calls were recorded, done at once or refused as documented\n");
    return 0;
}
