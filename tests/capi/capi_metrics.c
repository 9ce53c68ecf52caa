/* SPDX-License-Identifier: BSD-2-Clause */
/* Quality metrics through the C API: order, overlap, refusals; the GPU's scores are the CPU's. */
#include <math.h>
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/metrics.h"

enum { WIDTH = 80, HEIGHT = 48, FRAMES = 9 };

static uint8_t samples[FRAMES][2][WIDTH * HEIGHT * 3 / 2];

static v3doff_planes image_of(int frame, int image) {
    v3doff_planes planes = {.struct_size = sizeof planes, .count = 3};
    uint8_t *luma = samples[frame][image];
    planes.data[0] = luma;
    planes.data[1] = luma + WIDTH * HEIGHT;
    planes.data[2] = luma + WIDTH * HEIGHT * 5 / 4;
    planes.stride[0] = WIDTH;
    planes.stride[1] = planes.stride[2] = WIDTH / 2;
    return planes;
}

static v3doff_metrics_info info_of(uint32_t metrics) {
    v3doff_metrics_info info = {.struct_size = sizeof info,
                                .width = WIDTH,
                                .height = HEIGHT,
                                .bit_depth = 8,
                                .chroma = V3DOFF_CHROMA_420,
                                .metrics = metrics};
    return info;
}

static void make_samples(void) {
    uint32_t state = 1;
    for (int frame = 0; frame < FRAMES; frame++)
        for (size_t n = 0; n < sizeof samples[0][0]; n++) {
            state = state * 1664525u + 1013904223u;
            samples[frame][0][n] = (uint8_t)(n / 7 + (unsigned)frame * 5 + (state >> 28));
            samples[frame][1][n] = (uint8_t)(samples[frame][0][n] + (state >> 20 & 7));
        }
}

static void score_all(v3doff_device *device, v3doff_executor executor,
                      v3doff_metrics_scores *scores) {
    v3doff_metrics *metrics = NULL;
    v3doff_metrics_info info = info_of(V3DOFF_METRIC_ALL);
    EXPECT_OK(v3doff_metrics_create(&metrics, device, &info));
    for (int n = 0; n < FRAMES; n++) { /* more than the session keeps, and none pulled */
        v3doff_planes reference = image_of(n, 0), distorted = image_of(n, 1);
        EXPECT_OK(v3doff_metrics_push(metrics, &reference, &distorted));
    }
    for (int n = 0; n < FRAMES; n++) {
        scores[n].struct_size = sizeof scores[n];
        if (n == FRAMES - 1) { /* its motion2 waits for what comes next */
            EXPECT_RESULT(v3doff_metrics_pull(metrics, &scores[n], 1000000), V3DOFF_NOT_READY);
            EXPECT_OK(v3doff_metrics_finish(metrics));
        }
        EXPECT_OK(v3doff_metrics_pull(metrics, &scores[n], UINT64_MAX));
        EXPECT(scores[n].frame == (uint64_t)n);
        EXPECT(scores[n].executor == executor);
        EXPECT((scores[n].dispatches > 0) == (executor == V3DOFF_EXECUTOR_GPU));
    }
    EXPECT_RESULT(v3doff_metrics_pull(metrics, &scores[0], 0), V3DOFF_ERROR_INVALID_STATE);
    v3doff_planes late = image_of(0, 0);
    EXPECT_RESULT(v3doff_metrics_push(metrics, &late, &late), V3DOFF_ERROR_INVALID_STATE);
    v3doff_metrics_destroy(&metrics);
    EXPECT(!metrics);
}

static void compare(const v3doff_metrics_scores *gpu, const v3doff_metrics_scores *cpu) {
    for (int n = 0; n < FRAMES; n++) {
        EXPECT(!memcmp(gpu[n].psnr, cpu[n].psnr, sizeof cpu[n].psnr));
        EXPECT(gpu[n].ssim == cpu[n].ssim && cpu[n].ssim > 0 && cpu[n].ssim < 1);
        EXPECT(!memcmp(gpu[n].psnr_hvs, cpu[n].psnr_hvs, sizeof cpu[n].psnr_hvs));
        EXPECT(gpu[n].psnr_hvs_combined == cpu[n].psnr_hvs_combined);
        EXPECT(gpu[n].motion == cpu[n].motion && gpu[n].motion2 == cpu[n].motion2);
        EXPECT((cpu[n].motion > 0) == (n > 0));
        EXPECT(cpu[n].motion2 == fmin(cpu[n].motion, cpu[n + 1 < FRAMES ? n + 1 : n].motion));
        EXPECT(gpu[n].motion3 == cpu[n].motion3);
        EXPECT(cpu[n].motion3 == (n ? cpu[n].motion2 : cpu[1].motion));
        EXPECT(gpu[n].vif == cpu[n].vif && gpu[n].vif_num == cpu[n].vif_num);
        EXPECT(!memcmp(gpu[n].vif_scale, cpu[n].vif_scale, sizeof cpu[n].vif_scale));
    }
}

static void refusals(v3doff_device *device) {
    v3doff_metrics *metrics = NULL;
    v3doff_metrics_info info = info_of(V3DOFF_METRIC_PSNR);
    EXPECT_RESULT(v3doff_metrics_create(NULL, device, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_metrics_create(&metrics, NULL, &info), V3DOFF_ERROR_INVALID_HANDLE);
    EXPECT_RESULT(v3doff_metrics_create(&metrics, device, NULL), V3DOFF_ERROR_INVALID_ARGUMENT);
    info.metrics = 0;
    EXPECT_RESULT(v3doff_metrics_create(&metrics, device, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    info = info_of(V3DOFF_METRIC_PSNR);
    info.height = 15;
    EXPECT_RESULT(v3doff_metrics_create(&metrics, device, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    info = info_of(V3DOFF_METRIC_PSNR_HVS);
    info.chroma = V3DOFF_CHROMA_400;
    EXPECT_RESULT(v3doff_metrics_create(&metrics, device, &info), V3DOFF_ERROR_UNSUPPORTED);
    info = info_of(V3DOFF_METRIC_VIF);
    info.bit_depth = 14;
    EXPECT_RESULT(v3doff_metrics_create(&metrics, device, &info), V3DOFF_ERROR_UNSUPPORTED);
    EXPECT(!metrics);

    info = info_of(V3DOFF_METRIC_PSNR);
    EXPECT_OK(v3doff_metrics_create(&metrics, device, &info));
    v3doff_planes good = image_of(0, 0), bad = good;
    bad.count = 1;
    EXPECT_RESULT(v3doff_metrics_push(metrics, &good, &bad), V3DOFF_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.data[2] = NULL;
    EXPECT_RESULT(v3doff_metrics_push(metrics, &bad, &good), V3DOFF_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.stride[0] = WIDTH - 1;
    EXPECT_RESULT(v3doff_metrics_push(metrics, &good, &bad), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_metrics_push(metrics, &good, NULL), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_OK(v3doff_metrics_push(metrics, &good, &good));
    const char *name = NULL;
    uint64_t ns = 0;
    EXPECT_RESULT(v3doff_metrics_get_timer(metrics, 0, &name, &ns), V3DOFF_ERROR_INVALID_ARGUMENT);
    v3doff_metrics *gone = metrics;
    v3doff_metrics_destroy(&metrics); /* with a frame under way */
    EXPECT_RESULT(v3doff_metrics_finish(gone), V3DOFF_ERROR_INVALID_HANDLE);
    v3doff_metrics_destroy(&metrics);
    v3doff_metrics_destroy(NULL);
}

int main(void) {
    static v3doff_metrics_scores gpu[FRAMES], cpu[FRAMES];
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_device *none = open_test_device(V3DOFF_MODE_CPU);
    make_samples();
    score_all(none, V3DOFF_EXECUTOR_CPU, cpu);
    score_all(device, V3DOFF_EXECUTOR_GPU, gpu);
    compare(gpu, cpu);
    for (int repeat = 0; repeat < 20; repeat++) {
        score_all(device, V3DOFF_EXECUTOR_GPU, gpu);
        compare(gpu, cpu);
    }
    refusals(device);
    refusals(none);
    v3doff_device_destroy(&device);
    v3doff_device_destroy(&none);
    return 0;
}
