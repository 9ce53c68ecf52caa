/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_planes: pictures in the caller's memory whose planes lie close together, in any order. The
 * caller says that each plane has padding as far as its allocation goes, as FFmpeg's decoders do.
 * That padding reaches into the planes behind it. Every plane must be right, and what belongs to no
 * plane must stay as the caller left it, even if the caller changes it in the meantime.
 */
#include <string.h>

#include "capi_helpers.h"

enum { width = 80, height = 48, stride = 96, rows_behind = 9, guard = 0x5a };
enum { memory_bytes = (height + rows_behind) * stride * 2 };

typedef struct layout {
    const char *name;
    size_t offset[3];
    ptrdiff_t stride[3];
} layout;

enum { luma = height * stride, chroma = luma / 4, half = stride / 2 };

static const layout layouts[] = {
    {"Y U V", {0, luma, luma + chroma}, {stride, half, half}},
    {"Y V U", {0, luma + chroma, luma}, {stride, half, half}},
    {"U Y V", {chroma, 0, chroma + luma}, {stride, half, half}},
    {"V Y U", {chroma, chroma + luma, 0}, {stride, half, half}},
    {"U V Y", {2 * chroma, 0, chroma}, {stride, half, half}},
    {"V U Y", {2 * chroma, chroma, 0}, {stride, half, half}},
    {"Y, U beside V", {0, luma, luma + half}, {stride, stride, stride}},
    {"Y, V beside U", {0, luma + half, luma}, {stride, stride, stride}},
    {"V beside U, Y", {luma / 2, half, 0}, {stride, stride, stride}},
};

static _Alignas(4096) uint8_t memory[memory_bytes];

static uint32_t min(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static v3doff_planes planes_in(const layout *at) {
    v3doff_planes planes = {.struct_size = sizeof planes, .count = 3};
    for (int p = 0; p < 3; p++) {
        planes.data[p] = memory + at->offset[p];
        planes.stride[p] = at->stride[p];
        planes.width[p] = p ? width / 2 : width;
        planes.height[p] = p ? height / 2 : height;
        planes.padded_width[p] = min(p ? 64 : 128, (uint32_t)at->stride[p]);
        planes.padded_height[p] =
            min(p ? 32 : 64, (uint32_t)((memory_bytes - at->offset[p]) / (size_t)at->stride[p]));
    }
    return planes;
}

static uint8_t *sample(const v3doff_planes *planes, uint32_t p, uint32_t x, uint32_t y) {
    return (uint8_t *)planes->data[p] + y * planes->stride[p] + x;
}

/* The visible samples alone, then a transform on every 8x8 block. */
static void record(v3doff_picture *picture, const v3doff_planes *planes) {
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t y = 0; y < planes->height[p]; y++)
            for (uint32_t x = 0; x < planes->width[p]; x++) {
                *sample(planes, p, x, y) = (uint8_t)(70 + x * 3 + y * 5 + p * 40);
                int16_t coefficients[64] = {(int16_t)(600 + 90 * p + x), (int16_t)(y - x)};
                if (x % 8 == 7 && y % 8 == 7)
                    EXPECT_OK(v3doff_vp9_record_itx(picture, 0, p, x - 7, y - 7, V3DOFF_VP9_TX_8X8,
                                                    V3DOFF_VP9_DCT_DCT, 64, coefficients));
            }
}

/* Fills what belongs to no plane, or returns how many of these bytes have another value. */
static int check_rest(const v3doff_planes *planes, uint8_t value, int fill) {
    static uint8_t is_sample[memory_bytes];
    int wrong = 0;
    memset(is_sample, 0, sizeof is_sample);
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t y = 0; y < planes->height[p]; y++)
            memset(is_sample + (sample(planes, p, 0, y) - memory), 1, planes->width[p]);
    for (int i = 0; i < memory_bytes; i++) {
        if (is_sample[i]) continue;
        if (fill) memory[i] = value;
        wrong += memory[i] != value;
    }
    return wrong;
}

/* Only rows below the planes: a device that works in the caller's memory has whole words. */
static int change_end(const layout *at, uint8_t value, int fill) {
    size_t end = 0;
    int wrong = 0;
    for (int p = 0; p < 3; p++) {
        const size_t last = at->offset[p] + (size_t)at->stride[p] * (p ? height / 2 : height);
        if (last > end) end = last;
    }
    for (size_t i = end; i < memory_bytes; i++) {
        if (fill) memory[i] = value;
        wrong += memory[i] != value;
    }
    return wrong;
}

static int try_layout(v3doff_pool *pool, const layout *at, uint64_t expected) {
    v3doff_planes planes = planes_in(at);
    v3doff_picture *picture = NULL;
    check_rest(&planes, guard, 1);
    EXPECT_OK(v3doff_picture_open(&picture, pool, &planes));
    record(picture, &planes);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    change_end(at, guard + 1, 1);
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_GPU);
    const int changed = change_end(at, guard + 1, 0), is_right = checksum_of(picture) == expected;
    change_end(at, guard, 1);
    const int rest = check_rest(&planes, guard, 0);
    v3doff_picture_close(&picture);
    if (is_right && !changed && !rest) return 0;
    printf("%s: samples %s, bytes changed between planes: %d, behind them: %d\n", at->name,
           is_right ? "right" : "wrong", rest, changed);
    return 1;
}

static v3doff_pool *open_pool(v3doff_device *device, v3doff_memory_path path) {
    v3doff_pool_info info = {.struct_size = sizeof info, .width = width, .height = height};
    info.bit_depth = 8;
    info.chroma = V3DOFF_CHROMA_420;
    info.memory = path;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    return pool;
}

static uint64_t expected_sum(void) {
    v3doff_device *device = open_test_device(V3DOFF_MODE_CPU);
    v3doff_pool *pool = open_pool(device, V3DOFF_MEMORY_AUTO);
    v3doff_picture *picture = open_test_picture(pool);
    const v3doff_planes planes = planes_of(picture);
    record(picture, &planes);
    finish(picture, V3DOFF_EXECUTOR_CPU);
    const uint64_t sum = checksum_of(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return sum;
}

int main(void) {
    static const v3doff_memory_path paths[] = {V3DOFF_MEMORY_STAGING, V3DOFF_MEMORY_HOST_IMPORT};
    watch_log();
    const uint64_t expected = expected_sum();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    int wrong = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        v3doff_pool *pool = open_pool(device, paths[i]);
        for (size_t j = 0; j < sizeof layouts / sizeof *layouts; j++)
            wrong += try_layout(pool, &layouts[j], expected);
        v3doff_pool_destroy(&pool);
    }
    v3doff_device_destroy(&device);
    EXPECT(!wrong);
    return 0;
}
