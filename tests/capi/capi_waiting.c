/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing waits actively: with a submit that never starts (V3DOFF_FAULT=hang:2), the process takes
 * next to no CPU time while a picture is waited for, by the caller and by the completion thread.
 * Meanwhile its reference is not reopened, and afterwards it is.
 */
#include <time.h>

#include "capi_helpers.h"

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What record_something() begins with. */
static v3doff_picture *open_reference(v3doff_pool *pool) {
    v3doff_picture *reference = NULL;
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    record_something(reference, 1);
    EXPECT_OK(v3doff_picture_discard(reference));
    EXPECT_OK(v3doff_picture_submit(reference, NULL));
    EXPECT_OK(v3doff_picture_wait(reference, UINT64_MAX));
    return reference;
}

int main(void) {
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.submit_timeout_ms = 2000;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    v3doff_picture *reference = open_reference(pool), *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    record_something(picture, 1);
    v3doff_vp9_mc block = {.struct_size = sizeof block, .width = 64, .height = 64};
    block.reference = reference;
    EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    EXPECT_RESULT(v3doff_picture_wait(picture, 1500000000u), V3DOFF_NOT_READY);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("waited %.3f s, CPU time of all threads %.6f s\n", wall, cpu);
    EXPECT(wall >= 1.5);
    EXPECT(cpu < 0.02 * wall);
    EXPECT_RESULT(v3doff_picture_reopen(reference), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX)); /* the time-out, then the CPU */
    EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_CPU);
    EXPECT(checksum_of(picture) == expected_checksum(64, 64, 1));
    EXPECT_OK(v3doff_picture_reopen(reference));
    v3doff_picture_close(&picture);
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return 0;
}
