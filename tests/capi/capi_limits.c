/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine with little memory: under a limit of the address space, pictures are either refused, or
 * done by GPU or CPU with the right bits. What was open before continues to work, and so does
 * everything once there is memory again. A pool keeps no more pictures than it may have open.
 */
#include <string.h>
#include <sys/resource.h>

#include "capi_helpers.h"

#include "../address_space.h"

enum { most = 6 };

static uint32_t width = 640, height = 360;
static uint64_t expected;

static void limit_to(rlim_t bytes) {
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = bytes;
    EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
}

/* Samples, and a transform at every place as far as there is memory for their records. */
static v3doff_result record(v3doff_picture *picture) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++) {
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            memset((uint8_t *)planes.data[p] + y * planes.stride[p], 40 + (int)(y % 100),
                   planes.padded_width[p]);
        for (uint32_t y = 0; y + 8 <= planes.height[p]; y += 8)
            for (uint32_t x = 0; x + 8 <= planes.width[p]; x += 8) {
                int16_t coefficients[64] = {(int16_t)(x % 400), (int16_t)(y % 300), 5, (int16_t)-x};
                v3doff_result result = v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                                             V3DOFF_VP9_DCT_DCT, 64, coefficients);
                if (result != V3DOFF_OK) return result;
            }
    }
    return V3DOFF_OK;
}

static void record_well(v3doff_picture *picture, unsigned seed) {
    (void)seed;
    EXPECT_OK(record(picture));
}

/* Opens, does and closes as many pictures as there is memory for; returns how many. */
static int fill_pool(v3doff_pool *pool, int *on_gpu) {
    v3doff_picture *picture[most] = {NULL};
    int opened = 0, done = 0;
    for (; opened < most; opened++) {
        v3doff_result result = v3doff_picture_open(&picture[opened], pool, NULL);
        if (result == V3DOFF_ERROR_OUT_OF_MEMORY) break;
        EXPECT_OK(result);
        result = record(picture[opened]);
        if (result != V3DOFF_OK) { /* a decoder would do the block itself */
            EXPECT_RESULT(result, V3DOFF_ERROR_OUT_OF_MEMORY);
            v3doff_picture_close(&picture[opened]);
            break;
        }
        EXPECT_OK(v3doff_picture_submit(picture[opened], NULL));
    }
    for (int i = 0; i < opened; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        *on_gpu += report_of(picture[i]).executor == V3DOFF_EXECUTOR_GPU;
        EXPECT(checksum_of(picture[i]) == expected);
        v3doff_picture_close(&picture[i]);
        done++;
    }
    return done;
}

/* Otherwise the number of pictures that need memory at a time would vary. */
static void open_all_at_once(v3doff_pool *pool) {
    v3doff_picture *picture[most] = {NULL};
    for (int i = 0; i < most; i++)
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
    for (int i = 0; i < most; i++) {
        EXPECT_OK(record(picture[i]));
        EXPECT_OK(v3doff_picture_submit(picture[i], NULL));
    }
    for (int i = 0; i < most; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        v3doff_picture_close(&picture[i]);
    }
}

static void expect_pool_is_bounded(v3doff_device *device) {
    v3doff_pool_info info = {.struct_size = sizeof info};
    info.width = width;
    info.height = height;
    info.bit_depth = 8;
    info.chroma = V3DOFF_CHROMA_420;
    info.max_pictures = most;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    int on_gpu = 0;
    size_t after_first = 0;
    open_all_at_once(pool);
    for (int round = 0; round < 100; round++) {
        EXPECT(fill_pool(pool, &on_gpu) == most);
        if (round == 4) after_first = address_space();
    }
    /* A picture of this size is 0.35 MB: 95 rounds that kept one each would show. */
    printf("address space %zu MB after 5 rounds, %zu MB after 100\n", after_first >> 20,
           address_space() >> 20);
    EXPECT(address_space() <= after_first + (1u << 20));
    v3doff_pool_destroy(&pool);
}

int main(void) {
    expected = cpu_checksum(width, height, record_well, 0);
    watch_log();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    expect_pool_is_bounded(
        device); /* and shaders are compiled: the driver needs no more for that */
    /* Larger ones: they cannot use the memory that the small ones left to malloc. */
    width = 1920;
    height = 1080;
    expected = cpu_checksum(width, height, record_well, 0);
    const size_t headroom[] = {0, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
    int refused = 0;
    for (size_t i = 0; i < sizeof headroom / sizeof headroom[0]; i++) {
        v3doff_pool *pool = open_test_pool(device, width, height);
        limit_to(address_space() + headroom[i]);
        int on_gpu = 0, done = fill_pool(pool, &on_gpu);
        limit_to(RLIM_INFINITY);
        printf("headroom %zu kB: %d pictures, %d of them by the GPU\n", headroom[i] >> 10, done,
               on_gpu);
        refused += done < most;
        int again = 0;
        EXPECT(fill_pool(pool, &again) == most);
        v3doff_pool_destroy(&pool);
    }
    EXPECT(refused > 0); /* the limit was felt */
    v3doff_device_destroy(&device);
    return 0;
}
