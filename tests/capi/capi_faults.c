/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_faults FAULT PATH: with V3DOFF_FAULT set to FAULT, pictures are right whatever fails, the
 * report says correctly who did the work, and a device that failed permanently is not used again.
 */
#include <string.h>

#include "capi_helpers.h"

enum { width = 200, height = 136, pictures = 6 };

/* The pictures (by number) that a fault sends to the CPU. */
static int on_cpu(const char *fault, int number) {
    if (!strcmp(fault, "submit") || !strcmp(fault, "lost") || !strcmp(fault, "pipeline") ||
        !strcmp(fault, "allocate") || !strcmp(fault, "hang") || !strcmp(fault, "wait"))
        return 1;
    if (!strcmp(fault, "wait:1")) return 0; /* it waits again */
    if (!strcmp(fault, "submit:2")) return number == 1;
    if (!strcmp(fault, "lost:3")) return number >= 2; /* and the device stays bad */
    if (!strcmp(fault, "host_import")) return 0;      /* the next memory path serves */
    if (!strcmp(fault, "uncached")) return 0;         /* host pages, which the CPU reads cached */
    if (!strcmp(fault, "uncached,host_import")) return 1; /* nothing that it reads cached */
    return -1;                                            /* allocate:4: depends on the path */
}

static void expect_opening_refused(v3doff_result expected) {
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    v3doff_device *device = (v3doff_device *)&info;
    EXPECT_RESULT(v3doff_device_create(&device, &info), expected);
    EXPECT(device == NULL);
    EXPECT(log_lines > 0);
    /* The caller can choose the CPU; the library falls back to it. */
    device = open_test_device(V3DOFF_MODE_CPU);
    v3doff_device_destroy(&device);
}

static void run_pictures(const char *fault) {
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.submit_timeout_ms = strcmp(fault, "hang") && strcmp(fault, "wait") ? 0 : 200;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture[pictures] = {NULL};
    for (int i = 0; i < pictures; i++) {
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        record_something(picture[i], 100 + i);
        EXPECT_OK(v3doff_picture_submit(picture[i], NULL));
        /* One after another, so that the fault's number is the picture's. */
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
    }
    for (int i = 0; i < pictures; i++) {
        v3doff_picture_report report = report_of(picture[i]);
        int expected = on_cpu(fault, i);
        printf("picture %d: %s %s\n", i, report.executor == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU",
               report.reason);
        EXPECT(expected < 0 || (report.executor == V3DOFF_EXECUTOR_CPU) == expected);
        EXPECT((report.reason[0] != 0) == (report.executor == V3DOFF_EXECUTOR_CPU));
        EXPECT(checksum_of(picture[i]) == expected_checksum(width, height, 100 + i));
        v3doff_picture_close(&picture[i]);
    }
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
}

int main(int count, char **arguments) {
    EXPECT(count == 3);
    const char *fault = arguments[1];
    watch_log();
    if (!strcmp(fault, "loader")) {
        size_t devices = 0;
        EXPECT_RESULT(v3doff_device_list(NULL, &devices), V3DOFF_ERROR_NO_VULKAN);
        expect_opening_refused(V3DOFF_ERROR_NO_VULKAN);
        return 0;
    }
    if (!strcmp(fault, "create_device")) {
        expect_opening_refused(V3DOFF_ERROR_DEVICE_BAD);
        return 0;
    }
    run_pictures(fault);
    /* A device that was lost or hung is not opened again in this process. */
    if (!strncmp(fault, "lost", 4) || !strcmp(fault, "hang") || !strcmp(fault, "wait"))
        expect_opening_refused(V3DOFF_ERROR_DEVICE_BAD);
    return 0;
}
