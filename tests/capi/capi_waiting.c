/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing waits actively: with a submit that never starts (V3DOFF_FAULT=hang:2), the process takes
 * next to no CPU time while a picture is waited for, by the caller and by the completion thread.
 * Meanwhile its reference is not reopened, and afterwards it is.
 *
 * capi_waiting words: the same for a picture of words, whose reference is closed meanwhile. No
 * other picture gets the memory of the reference before the picture is done.
 *
 * capi_waiting held: a picture is filtered once, although the device has filtered it before it
 * failed its self-test with an earlier one (V3DOFF_FAULT=wrong,late).
 */
#include <string.h>
#include <time.h>

#include "capi_helpers.h"
#include "v3doff/vp9_words.h"

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What record_something() begins with. */
static v3doff_picture *open_reference(v3doff_pool *pool) {
    v3doff_picture *reference = open_test_picture(pool);
    record_something(reference, 1);
    EXPECT_OK(v3doff_picture_discard(reference));
    submit_and_wait(reference);
    return reference;
}

/* A copy of the reference. */
static void record_words(v3doff_picture *picture, v3doff_picture *reference) {
    static const int16_t vector[4][2][2];
    const v3doff_vp9_block block = {0};
    const int references[2] = {0, -1};
    v3doff_vp9_words words;
    memset(&words, 0, sizeof words);
    EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
    v3doff_vp9_append_inter(&words, &block, references, V3DOFF_VP9_FILTER_REGULAR, vector, 0);
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    v3doff_vp9_picture_info info = {.struct_size = sizeof info};
    info.reference[0] = reference;
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
}

static void close_reference(v3doff_pool *pool) {
    v3doff_picture *reference = open_reference(pool), *picture = NULL, *other = NULL;
    const uint64_t sum = checksum_of(reference);
    const void *const memory = planes_of(reference).data[0];
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    record_words(picture, reference);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_RESULT(v3doff_picture_reopen(reference), V3DOFF_ERROR_INVALID_STATE);
    v3doff_picture_close(&reference);
    EXPECT_OK(v3doff_picture_open(&other, pool, NULL));
    EXPECT(planes_of(other).data[0] != memory);
    record_something(other, 2);
    EXPECT_RESULT(v3doff_picture_wait(picture, 1000), V3DOFF_NOT_READY);
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(checksum_of(picture) == sum);
    v3doff_picture_close(&other);
    v3doff_picture_close(&picture);
}

static void hold_back(v3doff_pool *pool) {
    v3doff_picture *reference = open_reference(pool), *first = NULL, *second = NULL;
    EXPECT_OK(v3doff_picture_open(&first, pool, NULL));
    EXPECT_OK(v3doff_picture_open(&second, pool, NULL));
    record_words(first, reference);
    record_something(second, 7);
    EXPECT_OK(v3doff_picture_submit(first, NULL));
    submit_and_wait(second);
    EXPECT(!strcmp(report_of(second).reason, "the device fails its self-test"));
    EXPECT(checksum_of(second) == expected_checksum(64, 64, 7));
    EXPECT_OK(v3doff_picture_wait(first, UINT64_MAX));
    EXPECT(checksum_of(first) == checksum_of(reference));
    v3doff_picture_close(&second);
    v3doff_picture_close(&first);
    v3doff_picture_close(&reference);
}

int main(int argc, char **argv) {
    const int of_words = argc > 1 && !strcmp(argv[1], "words");
    const int of_held = argc > 1 && !strcmp(argv[1], "held");
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.submit_timeout_ms = of_words ? 500 : 2000;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    v3doff_pool *pool = open_test_pool(device, 64, 64);
    if (of_words || of_held) {
        of_words ? close_reference(pool) : hold_back(pool);
        v3doff_pool_destroy(&pool);
        v3doff_device_destroy(&device);
        return 0;
    }
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
