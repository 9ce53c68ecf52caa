/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of metrics that overlap as much as possible: pushed without a pause and pulled late, so
 * that uploads, dispatches and readbacks of up to three are in flight; and a pair scored a hundred
 * times. The GPU does every frame, and every score equals the CPU's to the last bit.
 *
 * Argument: the least number of dispatches that the larger pictures must take.
 */
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/metrics.h"

enum { MOST_BYTES = 640 * 360 * 3 / 2, MOST_FRAMES = 202 };

static uint8_t samples[2][2][MOST_BYTES];
static v3doff_metrics_scores gpu[MOST_FRAMES], cpu[4];

/* Two pairs that take turns. Rows of an odd width, so that a plane's end is in no page's middle. */
static v3doff_planes image_of(uint32_t width, uint32_t height, int frame, int image) {
    v3doff_planes planes = {.struct_size = sizeof planes, .count = 3};
    const uint32_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    uint8_t *luma = samples[frame % 2][image];
    planes.data[0] = luma;
    planes.data[1] = luma + width * height;
    planes.data[2] = luma + width * height + half_width * half_height;
    planes.stride[0] = width;
    planes.stride[1] = planes.stride[2] = half_width;
    return planes;
}

static void make_samples(void) {
    uint32_t state = 1;
    for (int pair = 0; pair < 2; pair++)
        for (size_t n = 0; n < MOST_BYTES; n++) {
            state = state * 1664525u + 1013904223u;
            samples[pair][0][n] = (uint8_t)(100 + (n / 16 % 2) * 60 + (state >> 28));
            samples[pair][1][n] = (uint8_t)(samples[pair][0][n] + (state >> 20 & 15));
        }
}

static void score(v3doff_device *device, uint32_t width, uint32_t height, int count,
                  v3doff_metrics_scores *scores) {
    v3doff_metrics_info info = {.struct_size = sizeof info,
                                .width = width,
                                .height = height,
                                .bit_depth = 8,
                                .chroma = V3DOFF_CHROMA_420,
                                .metrics = V3DOFF_METRIC_ALL};
    v3doff_metrics *metrics = NULL;
    EXPECT_OK(v3doff_metrics_create(&metrics, device, &info));
    for (int n = 0; n < count; n++) {
        v3doff_planes reference = image_of(width, height, n, 0);
        v3doff_planes distorted = image_of(width, height, n, 1);
        EXPECT_OK(v3doff_metrics_push(metrics, &reference, &distorted));
    }
    EXPECT_OK(v3doff_metrics_finish(metrics));
    for (int n = 0; n < count; n++) {
        scores[n].struct_size = sizeof scores[n];
        EXPECT_OK(v3doff_metrics_pull(metrics, &scores[n], UINT64_MAX));
    }
    v3doff_metrics_destroy(&metrics);
}

static void compare(const v3doff_metrics_scores *found, const v3doff_metrics_scores *expected) {
    const size_t bytes = offsetof(v3doff_metrics_scores, reason) -
                         offsetof(v3doff_metrics_scores, psnr); /* doubles, and nothing between */
    if (found->executor != V3DOFF_EXECUTOR_GPU)
        fprintf(stderr, "frame %d: %s\n", (int)found->frame, found->reason);
    EXPECT(found->executor == V3DOFF_EXECUTOR_GPU);
    if (memcmp(found->psnr, expected->psnr, bytes))
        fprintf(stderr,
                "frame %d: motion %g, not %g; vif %.9g, not %.9g; psnr_hvs %.9g, not %.9g\n",
                (int)found->frame, found->motion, expected->motion, found->vif, expected->vif,
                found->psnr_hvs_combined, expected->psnr_hvs_combined);
    EXPECT(!memcmp(found->psnr, expected->psnr, bytes));
}

static void run(v3doff_device *device, v3doff_device *none, uint32_t width, uint32_t height,
                int count, uint32_t dispatches) {
    score(none, width, height, 4, cpu);
    score(device, width, height, count, gpu);
    EXPECT(cpu[1].motion > 0 && cpu[0].vif > 0 && cpu[0].vif < 1);
    /* From the third frame on they repeat; the last one's motion2 is its own. */
    for (int n = 0; n + 1 < count; n++)
        compare(&gpu[n], &cpu[n ? 2 - n % 2 : 0]);
    EXPECT(gpu[1].dispatches >= dispatches);
}

int main(int arguments, char **argument) {
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_device *none = open_test_device(V3DOFF_MODE_CPU);
    make_samples();
    const uint32_t dispatches = arguments > 1 ? (uint32_t)atoi(argument[1]) : 1;
    run(device, none, 640, 360, 10, dispatches);
    run(device, none, 349, 275, 13, 1); /* memory of the larger ones is used again */
    run(device, none, 640, 360, 6, dispatches);
    run(device, none, 65, 49, MOST_FRAMES, 1);
    v3doff_device_destroy(&device);
    v3doff_device_destroy(&none);
    return 0;
}
