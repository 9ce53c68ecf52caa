/* SPDX-License-Identifier: BSD-2-Clause */
#include "capi_helpers.h"

#include <pthread.h>
#include <string.h>

char last_log_line[1024];
int log_lines;

/* Lines come from any thread. */
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;

static void keep_line(void *opaque, v3doff_log_level level, const char *line) {
    (void)opaque;
    (void)level;
    fprintf(stderr, "log: %s\n", line);
    pthread_mutex_lock(&log_mutex);
    snprintf(last_log_line, sizeof last_log_line, "%s", line);
    log_lines++;
    pthread_mutex_unlock(&log_mutex);
}

void watch_log(void) {
    v3doff_log_add(keep_line, NULL, V3DOFF_LOG_INFO);
}

v3doff_device *open_test_device(v3doff_mode mode) {
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = mode;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    return device;
}

v3doff_pool *open_test_pool(v3doff_device *device, uint32_t width, uint32_t height) {
    return open_format_pool(device, width, height, 8, V3DOFF_CHROMA_420);
}

v3doff_pool *open_format_pool(v3doff_device *device, uint32_t width, uint32_t height,
                              uint32_t bit_depth, v3doff_chroma chroma) {
    v3doff_pool_info info = {.struct_size = sizeof info, .width = width, .height = height};
    info.bit_depth = bit_depth;
    info.chroma = chroma;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    return pool;
}

v3doff_planes planes_of(v3doff_picture *picture) {
    v3doff_planes planes = {.struct_size = sizeof planes};
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    return planes;
}

v3doff_picture *open_test_picture(v3doff_pool *pool) {
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    return picture;
}

v3doff_picture *open_tiled(v3doff_pool *pool, uint32_t side) {
    v3doff_picture *picture = open_test_picture(pool);
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(100 + (x / side * 5 + y / side * 3) % 7);
    return picture;
}

void submit_and_wait(v3doff_picture *picture) {
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
}

void finish(v3doff_picture *picture, v3doff_executor executor) {
    submit_and_wait(picture);
    EXPECT(report_of(picture).executor == executor);
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

void record_something(v3doff_picture *picture, unsigned seed) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++) {
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] = (uint8_t)next_random(&seed);
        for (uint32_t y = 0; y < planes.height[p]; y += 8)
            for (uint32_t x = 0; x < planes.width[p]; x += 8) {
                int16_t coefficients[64];
                for (int i = 0; i < 64; i++)
                    coefficients[i] = (int16_t)(next_random(&seed) % 301) - 150;
                EXPECT_OK(v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                                V3DOFF_VP9_DCT_DCT, 64, coefficients));
                for (int i = 0; i < 64; i++)
                    EXPECT(coefficients[i] == 0);
            }
    }
}

uint64_t checksum_of_depth(v3doff_picture *picture, uint32_t bit_depth) {
    const v3doff_planes planes = planes_of(picture);
    const size_t bytes = bit_depth > 8 ? 2 : 1;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++)
            for (size_t x = 0; x < planes.width[p] * bytes; x++)
                hash =
                    (hash ^ ((uint8_t *)planes.data[p])[y * planes.stride[p] + x]) * 0x100000001b3u;
    return hash;
}

uint64_t checksum_of(v3doff_picture *picture) {
    return checksum_of_depth(picture, 8);
}

uint64_t cpu_checksum(uint32_t width, uint32_t height, void (*record)(v3doff_picture *, unsigned),
                      unsigned seed) {
    v3doff_device *device = open_test_device(V3DOFF_MODE_CPU);
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture = open_test_picture(pool);
    record(picture, seed);
    submit_and_wait(picture);
    uint64_t hash = checksum_of(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return hash;
}

uint64_t expected_checksum(uint32_t width, uint32_t height, unsigned seed) {
    return cpu_checksum(width, height, record_something, seed);
}

v3doff_picture_report report_of(v3doff_picture *picture) {
    v3doff_picture_report report = {.struct_size = sizeof report};
    EXPECT_OK(v3doff_picture_get_report(picture, &report));
    return report;
}

void expect_device_works(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 96, 80);
    v3doff_picture *picture = open_test_picture(pool);
    record_something(picture, 5);
    finish(picture, V3DOFF_EXECUTOR_GPU);
    EXPECT(checksum_of(picture) == expected_checksum(96, 80, 5));
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}
