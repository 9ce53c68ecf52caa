/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_prediction [FAULT PICTURES]: pictures predicted from each other are right, whatever happens
 * to their references. With V3DOFF_FAULT set to FAULT, the GPU does the first PICTURES.
 */
#include <string.h>

#include "capi_helpers.h"

enum { width = 200, height = 136, pictures = 5 };

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Blocks of motion compensation at every place, and a second one averaged with it at some. */
static void record_prediction(v3doff_picture *picture, v3doff_picture *first,
                              v3doff_picture *second, unsigned seed) {
    const v3doff_planes planes = planes_of(picture);
    v3doff_vp9_mc block = {.struct_size = sizeof block, .width = 8, .height = 8};
    for (block.plane = 0; block.plane < planes.count; block.plane++)
        for (block.y = 0; block.y < planes.height[block.plane]; block.y += 8)
            for (block.x = 0; block.x < planes.width[block.plane]; block.x += 8) {
                block.reference = first;
                block.average = 0;
                block.filter = (v3doff_vp9_filter)(next_random(&seed) % 4);
                block.mx = next_random(&seed) % 16;
                block.my = next_random(&seed) % 16;
                block.ref_x = (int32_t)(block.x + next_random(&seed) % 21) - 10;
                block.ref_y = (int32_t)(block.y + next_random(&seed) % 21) - 10;
                EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
                if (next_random(&seed) % 2) continue;
                block.reference = second;
                block.average = 1;
                EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
            }
}

static void add_transforms(v3doff_picture *picture, int16_t dc) {
    for (uint32_t x = 0; x < width; x += 16) {
        int16_t coefficients[64] = {dc, 40, -30};
        EXPECT_OK(v3doff_vp9_record_itx(picture, 0, 0, x, 16, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT,
                                        64, coefficients));
    }
}

/* Each picture from the two before it; those are closed as soon as they were named. */
static void run_chain(v3doff_device *device, int on_gpu, uint64_t checksum[pictures]) {
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *before = NULL, *last = NULL;
    for (int i = 0; i < pictures; i++) {
        v3doff_picture *picture = open_test_picture(pool);
        if (i < 2) {
            record_something(picture, 50 + (unsigned)i);
        } else {
            record_prediction(picture, last, before, (unsigned)i);
            add_transforms(picture, 300);
        }
        v3doff_picture_close(&before);
        if (i >= 2) { /* part of it is needed at once, when its references may be gone */
            EXPECT_OK(v3doff_picture_require(picture, 0, 0, 60, 20, 9, 5));
            EXPECT_OK(v3doff_picture_require(picture, 0, 1, 0, 0, 32, 2));
        }
        submit_and_wait(picture);
        v3doff_picture_report report = report_of(picture);
        printf("picture %d: %s, %u dispatches %s\n", i,
               report.executor == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU", report.dispatches,
               report.reason);
        EXPECT((report.executor == V3DOFF_EXECUTOR_GPU) == (i < on_gpu));
        EXPECT(i < 2 || report.cpu_records > 0);
        EXPECT(i >= on_gpu || report.cpu_records < report.records);
        checksum[i] = checksum_of(picture);
        before = last;
        last = picture;
    }
    v3doff_picture_close(&before);
    v3doff_picture_close(&last);
    v3doff_pool_destroy(&pool);
}

/* Residuals that no shader takes, on top of a prediction: the whole picture is the CPU's. */
static void large_residuals(v3doff_device *device, uint16_t sample[2]) {
    v3doff_pool *pool = open_format_pool(device, 64, 64, 10, V3DOFF_CHROMA_420);
    v3doff_picture *reference = NULL, *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    v3doff_planes planes = planes_of(reference);
    for (int y = 0; y < 64; y++)
        for (int x = 0; x < 64; x++)
            ((uint16_t *)((char *)planes.data[0] + y * planes.stride[0]))[x] =
                (uint16_t)(x * 9 + y);
    submit_and_wait(reference);
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    v3doff_vp9_mc block = {.struct_size = sizeof block, .reference = reference, .width = 64};
    block.height = 64;
    block.mx = 8;
    EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
    int32_t coefficients[64] = {60000, -50000, 40000, 30000, -30000, 60000, 60000, 60000};
    EXPECT_OK(v3doff_vp9_record_itx(picture, 1, 0, 8, 8, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT, 64,
                                    coefficients));
    finish(picture, V3DOFF_EXECUTOR_CPU);
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    sample[0] = ((uint16_t *)((char *)planes.data[0] + 9 * planes.stride[0]))[9];
    sample[1] = ((uint16_t *)((char *)planes.data[0] + 40 * planes.stride[0]))[40];
    v3doff_picture_close(&picture);
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&pool);
}

int main(int count, char **arguments) {
    const int on_gpu = count == 3 ? atoi(arguments[2]) : pictures;
    watch_log();
    uint64_t expected[pictures], found[pictures];
    uint16_t expected_sample[2], found_sample[2];
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    run_chain(cpu, 0, expected);
    large_residuals(cpu, expected_sample);
    v3doff_device_destroy(&cpu);
    EXPECT(expected_sample[1] == 9 * 40 + 40 + 5); /* half a step of 9 further, halves upwards */
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    run_chain(device, on_gpu, found);
    EXPECT(memcmp(expected, found, sizeof found) == 0);
    if (count != 3) {
        large_residuals(device, found_sample);
        EXPECT(memcmp(expected_sample, found_sample, sizeof found_sample) == 0);
        EXPECT(strstr(last_log_line, "CPU alone") != NULL);
    }
    v3doff_device_destroy(&device);
    return 0;
}
