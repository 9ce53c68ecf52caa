/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_words [FAULT PICTURES]: VP9 pictures that several threads append as words, each predicted
 * from pictures that are only submitted, have the samples that the plain C++ code makes. With
 * V3DOFF_FAULT set to FAULT, at most PICTURES of them are the GPU's.
 */
#include <pthread.h>
#include <string.h>

#include "capi_helpers.h"
#include "generators/random_words.h"

enum { pictures = 6 };

typedef struct format {
    uint32_t bit_depth;
    v3doff_chroma chroma;
    uint32_t width, height, other_width, other_height; /* of every third picture */
    int lossless;
} format;

static const format formats[] = {
    {8, V3DOFF_CHROMA_420, 203, 139, 203, 139, 0}, {8, V3DOFF_CHROMA_444, 67, 129, 120, 71, 0},
    {8, V3DOFF_CHROMA_440, 130, 65, 70, 127, 0},   {8, V3DOFF_CHROMA_422, 9, 33, 5, 17, 1},
    {10, V3DOFF_CHROMA_420, 77, 66, 141, 90, 0},   {12, V3DOFF_CHROMA_422, 65, 1, 65, 1, 0},
    {8, V3DOFF_CHROMA_420, 1, 1, 1, 2, 0}};
enum { chains = sizeof formats / sizeof *formats };

static v3doff_pool *open_pool(v3doff_device *device, const format *format, int other) {
    v3doff_pool_info info = {.struct_size = sizeof info};
    info.width = other ? format->other_width : format->width;
    info.height = other ? format->other_height : format->height;
    info.bit_depth = format->bit_depth;
    info.chroma = format->chroma;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    return pool;
}

static uint64_t checksum_of_all(v3doff_picture *picture, uint32_t bit_depth) {
    v3doff_planes planes = {.struct_size = sizeof planes};
    EXPECT_OK(v3doff_picture_get_planes(picture, &planes));
    const size_t bytes = bit_depth > 8 ? 2 : 1;
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++)
            for (size_t x = 0; x < planes.width[p] * bytes; x++)
                hash =
                    (hash ^ ((uint8_t *)planes.data[p])[y * planes.stride[p] + x]) * 0x100000001b3u;
    return hash;
}

/* Edges between the 8x8 luma blocks of superblocks that are whole. */
static void record_filter(v3doff_picture *picture, const random_words *what) {
    static v3doff_vp9_superblock superblocks[64];
    const uint32_t cols = (what->width + 63) / 64, rows = (what->height + 63) / 64;
    memset(superblocks, 0, sizeof superblocks);
    for (uint32_t i = 0; i < rows * cols; i++) {
        if (i % cols * 64 + 64 > what->width || i / cols * 64 + 64 > what->height) continue;
        memset(superblocks[i].level, 24, 64);
        for (int k = 0; k < 16; k++)
            superblocks[i].mask[0][k / 8][k % 8][1] = 0xff;
    }
    EXPECT_OK(v3doff_vp9_record_loopfilter(picture, 2, superblocks, rows * cols));
}

/* Superblock columns of one lane, appended by a thread of its own. */
typedef struct part {
    pthread_t thread;
    v3doff_picture *picture;
    const random_words *what;
    uint32_t lane, first, end;
} part;

static void *append_part(void *opaque) {
    const part *p = opaque;
    EXPECT_OK(append_random_words(p->picture, p->lane, p->what, p->first, p->end));
    return NULL;
}

static void record_words(v3doff_picture *picture, const random_words *what,
                         v3doff_picture *const reference[3]) {
    enum { columns_of_lane = 2 };
    const uint32_t columns = (what->width + 63) / 64;
    const uint32_t lanes = (columns + columns_of_lane - 1) / columns_of_lane;
    part parts[8];
    EXPECT(lanes <= 8);
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t end = (i + 1) * columns_of_lane;
        parts[i] = (part){.picture = picture, .what = what, .lane = i};
        parts[i].first = i * columns_of_lane;
        parts[i].end = end < columns ? end : columns;
        EXPECT(pthread_create(&parts[i].thread, NULL, append_part, &parts[i]) == 0);
    }
    for (uint32_t i = 0; i < lanes; i++)
        pthread_join(parts[i].thread, NULL);
    v3doff_vp9_picture_info info = random_words_info(what);
    memcpy(info.reference, reference, sizeof info.reference);
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    if (what->seed % 2) record_filter(picture, what);
}

/* Each picture from the three before it, none of which is waited for. */
static int run_chain(v3doff_device *device, int number, uint64_t checksum[pictures]) {
    const format *format = &formats[number];
    v3doff_pool *pools[2] = {open_pool(device, format, 0), open_pool(device, format, 1)};
    v3doff_picture *picture[pictures] = {NULL};
    for (int i = 0; i < pictures; i++) {
        const int other = i % 3 == 2;
        random_words what = {other ? format->other_width : format->width,
                             other ? format->other_height : format->height,
                             format->chroma,
                             i < 3 ? i : 3,
                             format->lossless,
                             (unsigned)(number * pictures + i)};
        v3doff_picture *reference[3] = {NULL};
        for (int k = 0; k < what.references; k++)
            reference[k] = picture[i - 1 - k];
        EXPECT_OK(v3doff_picture_open(&picture[i], pools[other], NULL));
        record_words(picture[i], &what, reference);
        EXPECT_OK(v3doff_picture_submit(picture[i], NULL));
    }
    int on_gpu = 0;
    for (int i = 0; i < pictures; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        const v3doff_picture_report report = report_of(picture[i]);
        if (report.executor == V3DOFF_EXECUTOR_GPU)
            on_gpu++;
        else if (strcmp(report.reason, "no GPU"))
            printf("chain %d, picture %d: CPU, %s\n", number, i, report.reason);
        checksum[i] = checksum_of_all(picture[i], format->bit_depth);
    }
    for (int i = 0; i < pictures; i++)
        v3doff_picture_close(&picture[i]);
    v3doff_pool_destroy(&pools[0]);
    v3doff_pool_destroy(&pools[1]);
    return on_gpu;
}

int main(int count, char **arguments) {
    const int most = count == 3 ? atoi(arguments[2]) : chains * pictures;
    static uint64_t expected[chains][pictures], found[chains][pictures];
    watch_log();
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    for (int i = 0; i < chains; i++)
        EXPECT(run_chain(cpu, i, expected[i]) == 0);
    v3doff_device_destroy(&cpu);
    for (int i = 0; i < pictures; i++) /* not all the same, whatever they are */
        EXPECT(i == 0 || expected[0][i] != expected[0][i - 1]);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    int on_gpu = 0;
    for (int i = 0; i < chains; i++) {
        on_gpu += run_chain(device, i, found[i]);
        for (int k = 0; k < pictures; k++) {
            if (expected[i][k] != found[i][k]) printf("chain %d, picture %d differs\n", i, k);
            EXPECT(expected[i][k] == found[i][k]);
        }
    }
    v3doff_device_destroy(&device);
    printf("%d of %d pictures were the GPU's\n", on_gpu, chains * pictures);
    EXPECT(count == 3 ? on_gpu <= most : on_gpu == most);
    return 0;
}
