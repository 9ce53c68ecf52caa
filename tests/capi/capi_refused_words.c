/* SPDX-License-Identifier: BSD-2-Clause */
#include "capi_refused_words.h"

enum { flat = 90 };

static void fill(v3doff_picture *picture) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        memset(planes.data[p], flat, (size_t)planes.stride[p] * planes.padded_height[p]);
}

static void expect_flat(v3doff_picture *picture) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                EXPECT(((uint8_t *)planes.data[p])[y * planes.stride[p] + x] == flat);
}

void open_flat(flat_pictures *pictures, uint32_t width, uint32_t height) {
    pictures->device = open_test_device(V3DOFF_MODE_FORCE);
    pictures->pool = open_test_pool(pictures->device, width, height);
    EXPECT_OK(v3doff_picture_open(&pictures->reference, pictures->pool, NULL));
    fill(pictures->reference);
    EXPECT_OK(v3doff_picture_open(&pictures->picture, pictures->pool, NULL));
}

void close_flat(flat_pictures *pictures) {
    v3doff_picture_close(&pictures->picture);
    v3doff_picture_close(&pictures->reference);
    v3doff_pool_destroy(&pictures->pool);
    v3doff_device_destroy(&pictures->device);
}

void reopen_flat(v3doff_picture *picture) {
    EXPECT_OK(v3doff_picture_reopen(picture));
    fill(picture);
}

void expect_nothing_left(v3doff_picture *picture) {
    submit_and_wait(picture);
    EXPECT(report_of(picture).records == 0);
    expect_flat(picture);
}

void expect_right_after_discard(v3doff_picture *picture, void (*record_right)(void)) {
    static uint64_t sum;
    EXPECT_OK(v3doff_picture_discard(picture));
    expect_flat(picture);
    record_right();
    submit_and_wait(picture);
    EXPECT(report_of(picture).records > 0);
    EXPECT(!sum || sum == checksum_of(picture));
    sum = checksum_of(picture);
}
