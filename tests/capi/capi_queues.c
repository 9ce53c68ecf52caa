/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_queues QUEUES, with V3DOFF_QUEUES set to the same: pictures that are under way at once are
 * spread over so many queues, one at a time takes one, and whatever ends first the bits are right.
 */
#include <dirent.h>
#include <string.h>
#include <time.h>

#include "capi_helpers.h"

enum { width = 192, height = 128, pictures = 6 };

/* Each queue that is used has a thread of the library that waits for it. */
static int waiting_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    EXPECT(tasks);
    int count = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        EXPECT(fgets(name, sizeof name, file));
        count += !strcmp(name, "v3doff-done\n");
        fclose(file);
    }
    closedir(tasks);
    return count;
}

/* A thread that has just begun may not have its name yet. */
static void expect_waiting_threads(int count) {
    for (int i = 0; i < 500 && waiting_threads() != count; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    EXPECT(waiting_threads() == count);
}

/* Samples, and a transform at every place of the rows of half a picture. */
static void reconstruct_half(v3doff_picture *picture, unsigned seed, uint32_t half) {
    v3doff_planes planes = {.struct_size = sizeof planes};
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    for (uint32_t p = 0; p < planes.count; p++) {
        const uint32_t rows = planes.height[p] / 2;
        for (uint32_t y = half * rows; y < (half + 1) * rows; y++) {
            for (uint32_t x = 0; x < planes.width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(100 + (x * 7 + y * 13 + p * 5 + seed * 31) % 50);
            for (uint32_t x = 0; y % 8 == 0 && x < planes.width[p]; x += 8) {
                int16_t coefficients[64] = {(int16_t)(x + y + seed), (int16_t)(x * 3 % 40)};
                EXPECT_OK(v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                                V3DOFF_VP9_DCT_DCT, 3, coefficients));
            }
        }
    }
}

static void submit_first_half(v3doff_picture *picture, unsigned seed) {
    v3doff_rows_info rows = {.struct_size = sizeof rows, .row_end = height / 2};
    reconstruct_half(picture, seed, 0);
    EXPECT_OK(v3doff_picture_submit_rows(picture, &rows));
}

static void submit_second_half(v3doff_picture *picture, unsigned seed) {
    reconstruct_half(picture, seed, 1);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
}

static uint64_t finish(v3doff_picture **picture, v3doff_executor executor) {
    EXPECT_OK(v3doff_picture_wait(*picture, UINT64_MAX));
    EXPECT(report_of(*picture).executor == executor);
    EXPECT(report_of(*picture).bands == 2);
    const uint64_t sum = checksum_of(*picture);
    v3doff_picture_close(picture);
    return sum;
}

int main(int count, char **arguments) {
    EXPECT(count == 2);
    const int queues = atoi(arguments[1]);
    uint64_t expected[pictures];
    watch_log();
    v3doff_device *device = open_test_device(V3DOFF_MODE_CPU);
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture[pictures] = {NULL};
    for (int i = 0; i < pictures; i++) {
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        submit_first_half(picture[i], (unsigned)i);
        submit_second_half(picture[i], (unsigned)i);
        expected[i] = finish(&picture[i], V3DOFF_EXECUTOR_CPU);
    }
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);

    device = open_test_device(V3DOFF_MODE_FORCE);
    pool = open_test_pool(device, width, height);
    for (int i = 0; i < pictures; i++) { /* one at a time */
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        submit_first_half(picture[i], (unsigned)i);
        if (i % 2) /* with a band under way: its queue is free again, too */
            v3doff_picture_close(&picture[i]);
        else
            submit_second_half(picture[i], (unsigned)i);
        if (picture[i]) EXPECT(finish(&picture[i], V3DOFF_EXECUTOR_GPU) == expected[i]);
    }
    expect_waiting_threads(1);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < pictures; i++) {
            EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
            submit_first_half(picture[i], (unsigned)i);
        }
        expect_waiting_threads(queues);
        for (int i = pictures; i--;) /* the last one ends first */
            submit_second_half(picture[i], (unsigned)i);
        for (int i = 0; i < pictures; i++)
            EXPECT(finish(&picture[i], V3DOFF_EXECUTOR_GPU) == expected[i]);
    }
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    expect_waiting_threads(0);
    return 0;
}
