/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every format at the smallest and the longest sizes, and the largest possible picture. If a
 * picture is larger than the device's buffer range, the report must say that the CPU did it.
 */
#include <string.h>

#include "capi_helpers.h"

static void touch_corners(v3doff_picture *picture, uint32_t bit_depth) {
    const v3doff_planes planes = planes_of(picture);
    const size_t bytes = bit_depth > 8 ? 2 : 1;
    for (uint32_t p = 0; p < planes.count; p++) {
        EXPECT((uintptr_t)planes.data[p] % 64 == 0);
        EXPECT(planes.stride[p] % 64 == 0);
        uint8_t *last_row =
            (uint8_t *)planes.data[p] + (planes.padded_height[p] - 1) * planes.stride[p];
        memset(planes.data[p], 1, planes.padded_width[p] * bytes);
        memset(last_row, 2, planes.padded_width[p] * bytes);
    }
}

/* A block in the first and the last place that has room for one. */
static int record_corners(v3doff_picture *picture, uint32_t bit_depth) {
    const v3doff_planes planes = planes_of(picture);
    int recorded = 0;
    for (uint32_t p = 0; p < planes.count; p++) {
        uint32_t x[2] = {0, (planes.width[p] - 1) / 8 * 8},
                 y[2] = {0, (planes.height[p] - 1) / 8 * 8};
        for (int i = 0; i < (x[1] || y[1] ? 2 : 1); i++) {
            union {
                int16_t narrow[64];
                int32_t wide[64];
            } coefficients = {.wide = {0}};
            if (bit_depth > 8)
                coefficients.wide[0] = 400;
            else
                coefficients.narrow[0] = 400;
            v3doff_result result = v3doff_vp9_record_itx(
                picture, 0, p, x[i], y[i], V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT, 1, &coefficients);
            EXPECT(result == V3DOFF_OK || result == V3DOFF_ERROR_UNSUPPORTED);
            EXPECT((coefficients.wide[0] == 0) == (result == V3DOFF_OK));
            recorded += result == V3DOFF_OK;
        }
    }
    return recorded;
}

static void one_size(v3doff_device *device, uint32_t width, uint32_t height, uint32_t bit_depth,
                     v3doff_chroma chroma) {
    v3doff_device_properties properties = {.struct_size = sizeof properties};
    EXPECT_OK(v3doff_device_get_properties(device, &properties));
    v3doff_pool *pool = open_format_pool(device, width, height, bit_depth, chroma);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    touch_corners(picture, bit_depth);
    int recorded = record_corners(picture, bit_depth);
    EXPECT(recorded || (bit_depth != 8 && bit_depth != 10 && bit_depth != 12));
    submit_and_wait(picture);
    v3doff_picture_report report = report_of(picture);
    if (report.executor != V3DOFF_EXECUTOR_GPU) {
        uint64_t luma = (uint64_t)width * height * (bit_depth > 8 ? 2 : 1);
        EXPECT(strstr(report.reason, "range") != NULL || strstr(report.reason, "no GPU") != NULL);
        EXPECT(luma * 3 > properties.max_buffer_range || luma > (1u << 30));
    }
    const v3doff_planes planes = planes_of(picture);
    /* 400 * 11585^2 / 2^28 / 32, rounded at each step as the standard does: 6 more than before. */
    if (recorded && bit_depth == 8) EXPECT(*(uint8_t *)planes.data[0] == 1 + 6);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

/*
 * The caller's planes may be padded further than any record reaches: a device that works on a copy
 * has no room for that. With any stride that a plane can have, the samples are the same.
 */
static void strides_and_padding(v3doff_device *device) {
    enum { width = 40, height = 24, lines = 400 };
    static uint8_t memory[3][lines * 1024] __attribute__((aligned(64)));
    uint64_t sum[4];
    for (int i = 0; i < 4; i++) {
        v3doff_planes planes = {.struct_size = sizeof planes, .count = 3};
        v3doff_pool_info info = {.struct_size = sizeof info, .width = width, .height = height};
        info.bit_depth = 8;
        info.chroma = V3DOFF_CHROMA_444;
        for (int p = 0; p < 3; p++) {
            planes.data[p] = memory[p];
            planes.stride[p] = 1024;
            planes.padded_width[p] = i == 3 ? 1024 : 64;
            planes.padded_height[p] = i == 3 ? lines : 64;
            info.stride[p] = i == 1 ? 48 : 0; /* the pictures are no wider than whole blocks */
        }
        v3doff_pool *pool = NULL;
        v3doff_picture *picture = NULL;
        EXPECT_OK(v3doff_pool_create(&pool, device, &info));
        EXPECT_OK(v3doff_picture_open(&picture, pool, i < 2 ? NULL : &planes));
        EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
        EXPECT(i != 1 || (planes.stride[0] == 48 && planes.padded_width[0] == 48));
        EXPECT(planes.padded_width[0] <= 64 && planes.padded_height[0] <= 64);
        for (int p = 0; p < 3; p++)
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++) {
                    int16_t coefficients[64] = {(int16_t)(x * 20 - y), -80, (int16_t)(40 * p)};
                    ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                        (uint8_t)(x * 7 + y * 13 + p);
                    if (x % 8 == 7 && y % 8 == 7)
                        EXPECT_OK(v3doff_vp9_record_itx(picture, 0, (uint32_t)p, (uint32_t)x - 7,
                                                        (uint32_t)y - 7, V3DOFF_VP9_TX_8X8,
                                                        V3DOFF_VP9_DCT_DCT, 64, coefficients));
                }
        submit_and_wait(picture);
        sum[i] = checksum_of(picture);
        EXPECT(sum[i] == sum[0]);
        v3doff_picture_close(&picture);
        v3doff_pool_destroy(&pool);
    }
}

int main(void) {
    watch_log();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    strides_and_padding(device);
    const uint32_t sizes[][2] = {{1, 1}, {2, 2}, {7, 9}, {65, 1}, {1, 65}, {16384, 1}, {1, 16384}};
    for (uint32_t depth = 8; depth <= 14; depth++)
        for (int chroma = V3DOFF_CHROMA_400; chroma <= V3DOFF_CHROMA_440; chroma++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                one_size(device, sizes[i][0], sizes[i][1], depth, (v3doff_chroma)chroma);
    one_size(device, 4096, 2176, 10, V3DOFF_CHROMA_444);
    one_size(device, 16384, 16384, 8, V3DOFF_CHROMA_420);
    v3doff_device_destroy(&device);
    printf("all sizes\n");
    return 0;
}
