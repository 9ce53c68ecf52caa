/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user guide: every call of the C API, in the order in which a decoder makes them. It runs as
 * a test; on a machine without a GPU it needs a software Vulkan device (lavapipe).
 */
#include <string.h>

#include "capi_helpers.h"

/* 1. What is there? Works without opening anything; no Vulkan is an answer, not a crash. */
static void look_at_devices(void) {
    size_t count = 0;
    v3doff_result result = v3doff_device_list(NULL, &count);
    if (result == V3DOFF_ERROR_NO_VULKAN) {
        printf("no Vulkan here: decode on the CPU as before\n");
        return;
    }
    EXPECT_OK(result);
    v3doff_device_properties *list = calloc(count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i].struct_size = sizeof *list;
    EXPECT_OK(v3doff_device_list(list, &count));
    for (size_t i = 0; i < count; i++)
        printf("%zu: %s, %s%s%s\n", i, list[i].name, list[i].driver,
               list[i].usable ? "" : ", lacks ", list[i].missing);
    free(list);
}

/* 2. One picture: memory from the pool, samples by the CPU, records, submit, wait. */
static void one_picture(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 352, 288);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    record_something(picture, 1);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    v3doff_picture_report report = report_of(picture);
    EXPECT(report.state == V3DOFF_PICTURE_DONE);
    EXPECT(report.executor == V3DOFF_EXECUTOR_GPU);
    EXPECT(report.dispatches == 1);
    EXPECT(report.records == 44 * 36 + 2 * 22 * 18);
    EXPECT(checksum_of(picture) == expected_checksum(352, 288, 1));

    /* With V3DOFF_DEVICE_TIMERS each pass says how long the GPU took for it. */
    for (uint32_t i = 0; i < report.timers; i++) {
        const char *name = NULL;
        uint64_t ns = 0;
        EXPECT_OK(v3doff_picture_get_timer(picture, i, &name, &ns));
        printf("pass %s: %llu ns\n", name, (unsigned long long)ns);
    }

    /* The same memory once more. What was recorded can also be thrown away. */
    EXPECT_OK(v3doff_picture_reopen(picture));
    record_something(picture, 2);
    EXPECT_OK(v3doff_picture_discard(picture));
    record_something(picture, 3);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(checksum_of(picture) == expected_checksum(352, 288, 3));
    v3doff_picture_close(&picture);
    EXPECT(picture == NULL);
    v3doff_pool_destroy(&pool);
}

/* 3. Several pictures in flight at once, and a callback instead of a wait. */
static void count_done(void *opaque, v3doff_picture *picture) {
    EXPECT(report_of(picture).state == V3DOFF_PICTURE_DONE);
    __atomic_add_fetch((int *)opaque, 1, __ATOMIC_SEQ_CST);
}

static void several_pictures(v3doff_device *device) {
    enum { pictures = 8 };
    int done = 0;
    v3doff_submit_info info = {sizeof info, count_done, &done, NULL, 0, 0};
    v3doff_pool *pool = open_test_pool(device, 200, 100);
    v3doff_picture *picture[pictures] = {NULL};
    for (int i = 0; i < pictures; i++) {
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        record_something(picture[i], 10 + i);
        EXPECT_OK(v3doff_picture_submit(picture[i], &info));
    }
    for (int i = 0; i < pictures; i++) {
        v3doff_result result = v3doff_picture_wait(picture[i], 1000);
        EXPECT(result == V3DOFF_OK || result == V3DOFF_NOT_READY);
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        EXPECT(report_of(picture[i]).executor == V3DOFF_EXECUTOR_GPU);
        EXPECT(checksum_of(picture[i]) == expected_checksum(200, 100, 10 + i));
    }
    EXPECT(done == pictures); /* a wait returns after the callback has */
    /* Parents may go first: pictures keep their pool, and a pool its device. */
    v3doff_pool_destroy(&pool);
    for (int i = 0; i < pictures; i++)
        v3doff_picture_close(&picture[i]);
}

/* 4. The decoder's own memory: imported if the device can, otherwise copied. */
static void own_memory(v3doff_device *device) {
    enum { width = 128, height = 64 };
    uint8_t *memory = malloc(width * height * 2);
    v3doff_planes planes = {.struct_size = sizeof planes};
    planes.count = 3;
    planes.data[0] = memory;
    planes.data[1] = memory + width * height;
    planes.data[2] = memory + width * height * 5 / 4;
    planes.stride[0] = width;
    planes.stride[1] = planes.stride[2] = width / 2;
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, &planes));
    record_something(picture, 20);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).executor == V3DOFF_EXECUTOR_GPU);
    EXPECT(checksum_of(picture) == expected_checksum(width, height, 20));
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    free(memory);
}

/* 5. VP9's loop filter: levels and masks of each superblock, once a picture, after its transforms.
 * Here every 8x8 block has an 8-wide filter at its left and upper edge, luma and chroma. */
static uint64_t filtered(v3doff_device *device, v3doff_executor executor) {
    enum { width = 328, height = 200, count = 6 * 4 };
    v3doff_vp9_superblock superblocks[count];
    memset(superblocks, 0, sizeof superblocks);
    for (int i = 0; i < count; i++) {
        int cols = i % 6 == 5 ? 1 : 8,
            rows = i / 6 == 3 ? 1 : 8; /* 8x8 blocks inside the picture */
        memset(superblocks[i].level, 20, sizeof superblocks[i].level);
        for (int row = 0; row < rows; row++)
            for (int direction = 0; direction < 2; direction++) {
                superblocks[i].mask[0][direction][row][1] = (uint8_t)((1 << cols) - 1);
                /* Chroma is half as large: every other row and column of 8x8 luma blocks. */
                if (row % 2 == 0)
                    superblocks[i].mask[1][direction][row][1] = (uint8_t)(((1 << cols) - 1) & 0x55);
            }
    }
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    v3doff_planes planes = {.struct_size = sizeof planes};
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    for (uint32_t p = 0; p < planes.count; p++) /* small steps between blocks, as coding leaves */
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(100 + (x / 8 * 5 + y / 8 * 3) % 7);
    uint64_t before = checksum_of(picture);
    EXPECT_OK(v3doff_vp9_record_loopfilter(picture, 3, superblocks, count));
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).executor == executor);
    uint64_t hash = checksum_of(picture);
    EXPECT(hash != before);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    return hash;
}

static void loop_filter(v3doff_device *device) {
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    uint64_t expected = filtered(cpu, V3DOFF_EXECUTOR_CPU);
    v3doff_device_destroy(&cpu);
    EXPECT(filtered(device, V3DOFF_EXECUTOR_GPU) == expected);
}

/* 6. A picture without records can be submitted too: it completes in its turn. */
static void empty_picture(v3doff_device *device) {
    v3doff_pool *pool = open_test_pool(device, 16, 16);
    v3doff_picture *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).records == 0);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
}

int main(void) {
    watch_log();
    EXPECT(v3doff_version() == V3DOFF_VERSION);
    look_at_devices();

    /* Automatic choice takes GPUs only; a player would stop here and decode on its CPU. This guide
     * insists, so that it also runs where there is none. */
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.flags = V3DOFF_DEVICE_TIMERS;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    v3doff_device_properties properties = {.struct_size = sizeof properties};
    EXPECT_OK(v3doff_device_get_properties(device, &properties));
    printf("using %s, memory: %s\n", properties.name, properties.memory_reason);

    one_picture(device);
    several_pictures(device);
    own_memory(device);
    loop_filter(device);
    empty_picture(device);

    v3doff_device_destroy(&device);
    EXPECT(device == NULL);
    v3doff_device_destroy(&device); /* null inside is allowed */
    printf("every call of the guide did what it says\n");
    return 0;
}
