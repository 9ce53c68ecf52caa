/* SPDX-License-Identifier: BSD-2-Clause */
#include "capi_chains.h"

#include <string.h>

static v3doff_pool *open_pool(v3doff_device *device, const chain_format *format, int other) {
    return open_format_pool(device, other ? format->other_width : format->width,
                            other ? format->other_height : format->height, format->bit_depth,
                            format->chroma);
}

static void record(const chains *chains, v3doff_picture *const picture[], int chain, int i) {
    v3doff_picture *before[chain_length] = {NULL};
    for (int k = 0; k < i; k++)
        before[k] = picture[i - 1 - k];
    chains->record(picture[i], chain, i, before);
}

/* Every second chain is prepared from its end: no reference is recorded then. */
static int run_chain(const chains *chains, v3doff_device *device, int chain,
                     uint64_t checksum[chain_length]) {
    const chain_format *format = chains->format(chain);
    const int pools = format->other_width ? 2 : 1;
    v3doff_pool *pool[2] = {NULL};
    for (int i = 0; i < pools; i++)
        pool[i] = open_pool(device, format, i);
    v3doff_picture *picture[chain_length] = {NULL};
    for (int i = 0; i < chain_length; i++)
        EXPECT_OK(v3doff_picture_open(&picture[i], pool[pools == 2 && i % 3 == 2], NULL));
    for (int i = chain_length; chain % 2 && i--;) {
        record(chains, picture, chain, i);
        EXPECT_OK(v3doff_picture_prepare(picture[i]));
    }
    for (int i = 0; i < chain_length; i++) {
        if (chain % 2 == 0) record(chains, picture, chain, i);
        EXPECT_OK(v3doff_picture_submit(picture[i], NULL));
    }
    int on_gpu = 0;
    for (int i = 0; i < chain_length; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        const v3doff_picture_report report = report_of(picture[i]);
        if (report.executor == V3DOFF_EXECUTOR_GPU)
            on_gpu++;
        else if (strcmp(report.reason, "no GPU"))
            printf("chain %d, picture %d: CPU, %s\n", chain, i, report.reason);
        checksum[i] = checksum_of_depth(picture[i], format->bit_depth);
    }
    for (int i = 0; i < chain_length; i++)
        v3doff_picture_close(&picture[i]);
    for (int i = 0; i < pools; i++)
        v3doff_pool_destroy(&pool[i]);
    return on_gpu;
}

void run_chains(const chains *chains, int count, char **arguments) {
    static uint64_t expected[most_chains][chain_length], found[most_chains][chain_length];
    EXPECT(chains->count <= most_chains);
    watch_log();
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    for (int i = 0; i < chains->count; i++)
        EXPECT(run_chain(chains, cpu, i, expected[i]) == 0);
    v3doff_device_destroy(&cpu);
    for (int i = 1; i < chain_length; i++) /* not all the same, whatever they are */
        EXPECT(expected[0][i] != expected[0][i - 1]);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    int on_gpu = 0;
    for (int i = 0; i < chains->count; i++) {
        on_gpu += run_chain(chains, device, i, found[i]);
        for (int k = 0; k < chain_length; k++) {
            if (expected[i][k] != found[i][k]) printf("chain %d, picture %d differs\n", i, k);
            EXPECT(expected[i][k] == found[i][k]);
        }
    }
    v3doff_device_destroy(&device);
    const int all = chains->count * chain_length;
    printf("%d of %d pictures were the GPU's\n", on_gpu, all);
    EXPECT(count == 3 ? on_gpu <= atoi(arguments[2]) : on_gpu == all);
}
