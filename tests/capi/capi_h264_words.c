/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_h264_words [FAULT PICTURES]: H.264 pictures that several threads append as words, each
 * predicted from pictures that are only submitted, or in every second chain not even recorded when
 * it was prepared, have the samples that the plain C++ code makes.
 * With V3DOFF_FAULT set to FAULT, at most PICTURES of them are the GPU's.
 */
#include <pthread.h>
#include <string.h>

#include "capi_helpers.h"
#include "generators/random_h264_words.h"

enum { pictures = 6 };

typedef struct format {
    uint32_t bit_depth;
    v3doff_chroma chroma;
    uint32_t width, height;
    int references; /* that pictures are predicted from at most */
    int deblocked;
} format;

static const format formats[] = {
    {8, V3DOFF_CHROMA_420, 203, 139, 3, 1}, {8, V3DOFF_CHROMA_444, 64, 96, 2, 1},
    {8, V3DOFF_CHROMA_422, 79, 50, 5, 0},   {8, V3DOFF_CHROMA_400, 33, 70, 2, 1},
    {10, V3DOFF_CHROMA_420, 96, 66, 2, 1},  {14, V3DOFF_CHROMA_422, 65, 17, 3, 0},
    {9, V3DOFF_CHROMA_444, 31, 49, 1, 1},   {8, V3DOFF_CHROMA_420, 1, 1, 1, 0}};
enum { chains = sizeof formats / sizeof *formats };

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

/* Slices of one lane, appended by a thread of its own. */
typedef struct part {
    pthread_t thread;
    v3doff_picture *picture;
    random_h264_picture *what;
    uint32_t lane;
} part;

enum { lanes = 3 };

static void *append_part(void *opaque) {
    const part *p = opaque;
    EXPECT_OK(append_random_h264_slices(p->picture, p->lane, p->what, p->lane, lanes));
    return NULL;
}

static void record(v3doff_picture *picture, const format *format, unsigned seed,
                   v3doff_picture *const reference[], int references) {
    const random_h264_words words = {format->width,     format->height, format->chroma,
                                     format->bit_depth, references,     seed};
    random_h264_picture *what = make_random_h264_picture(&words);
    part parts[lanes];
    EXPECT(what != NULL);
    for (uint32_t i = 0; i < lanes; i++) {
        parts[i] = (part){.picture = picture, .what = what, .lane = i};
        EXPECT(pthread_create(&parts[i].thread, NULL, append_part, &parts[i]) == 0);
    }
    for (uint32_t i = 0; i < lanes; i++)
        pthread_join(parts[i].thread, NULL);
    for (int i = 0; i < references; i++)
        what->info.reference[i] = reference[i];
    EXPECT_OK(v3doff_h264_record_picture(picture, &what->info));
    if (format->deblocked)
        EXPECT_OK(v3doff_h264_record_deblock_arrays(picture, V3DOFF_H264_FRAME, &what->arrays));
    free_random_h264_picture(&what); /* what is needed of the arrays was taken */
}

static void record_in_chain(v3doff_picture *const picture[], int number, int i) {
    const format *format = &formats[number];
    v3doff_picture *reference[pictures] = {NULL};
    const int references = i < format->references ? i : format->references;
    for (int k = 0; k < references; k++)
        reference[k] = picture[i - 1 - k];
    record(picture[i], format, (unsigned)(number * pictures + i), reference, references);
}

/* Each picture from those before it, none of which is waited for. */
static int run_chain(v3doff_device *device, int number, uint64_t checksum[pictures]) {
    const format *format = &formats[number];
    v3doff_pool_info info = {.struct_size = sizeof info};
    info.width = format->width;
    info.height = format->height;
    info.bit_depth = format->bit_depth;
    info.chroma = format->chroma;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    v3doff_picture *picture[pictures] = {NULL};
    for (int i = 0; i < pictures; i++)
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
    for (int i = pictures; number % 2 && i--;) {
        record_in_chain(picture, number, i);
        EXPECT_OK(v3doff_picture_prepare(picture[i]));
    }
    for (int i = 0; i < pictures; i++) {
        if (number % 2 == 0) record_in_chain(picture, number, i);
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
    v3doff_pool_destroy(&pool);
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
    for (int i = 1; i < pictures; i++) /* not all the same, whatever they are */
        EXPECT(expected[0][i] != expected[0][i - 1]);
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
