/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_under_way: whole pictures are right if their references are still in flight, even if the
 * references were recorded after they were prepared. One picture is damaged: the words of its last
 * superblock are missing. Its old samples stay, or the CPU conceals it when the picture is done.
 */
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/vp9_words.h"

enum { cols = 3, rows = 2, superblocks = cols * rows, fillers = 3, rounds = 12 };
enum { key, damaged, after, kinds };

static void append_key(v3doff_vp9_words *words, const v3doff_vp9_block *block, int seed) {
    const uint8_t modes[4] = {2, 2, 2, 2}; /* DC */
    *words->coefficient++ = v3doff_vp9_coefficient(0, 40 + seed * 3 + (int)(block->col * 7));
    *words->coefficient++ = v3doff_vp9_coefficient(33, -25 - seed);
    v3doff_vp9_append_transform(words, 0, block->col * 2, block->row * 2, 3, 0, 3);
    v3doff_vp9_append_intra(words, block, modes, 2, block->col == 0);
}

static void append_inter(v3doff_vp9_words *words, const v3doff_vp9_block *block, int both) {
    const int references[2] = {0, both ? 1 : -1};
    const int16_t vector[4][2][2] = {{{12, -20}, {-9, 4}}};
    v3doff_vp9_append_inter(words, block, references, V3DOFF_VP9_FILTER_REGULAR, vector, 0);
}

/* The damaged picture is predicted from the first reference, the one after it from both. */
static void record(v3doff_picture *picture, int kind, int seed, v3doff_picture *first,
                   v3doff_picture *second) {
    v3doff_vp9_words words;
    memset(&words, 0, sizeof words);
    for (uint32_t at = 0; at < superblocks - (kind == damaged); at++) {
        const v3doff_vp9_block block = {.row = at / cols * 8, .col = at % cols * 8, .tx = 3};
        EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
        if (kind == key)
            append_key(&words, &block, seed);
        else
            append_inter(&words, &block, kind == after);
    }
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    v3doff_vp9_picture_info info = {.struct_size = sizeof info, .partial = kind == damaged};
    info.reference[0] = first;
    info.reference[1] = second;
    for (int i = 0; i < 8 * 2 * 2; i++)
        info.dequantisation[i / 4][i / 2 % 2][i % 2] = 16;
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
}

/* The last one first, so that no reference is submitted, or even recorded. */
static void prepare_all(v3doff_picture *picture[kinds], int seed) {
    for (int i = kinds; i--;) {
        record(picture[i], i, seed, i ? picture[key] : NULL, i == after ? picture[damaged] : NULL);
        EXPECT_OK(v3doff_picture_prepare(picture[i]));
    }
}

static void fill(v3doff_picture *picture, int value) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.height[p]; y++)
            memset((char *)planes.data[p] + y * planes.stride[p], value, planes.width[p]);
}

static void expect_executor(v3doff_picture *picture, int on_gpu) {
    EXPECT((report_of(picture).executor == V3DOFF_EXECUTOR_GPU) == on_gpu);
}

/* The next picture may be recorded already: it reads what is there when it is submitted. */
static void conceal(v3doff_picture *picture, int on_gpu) {
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    expect_executor(picture, on_gpu);
    EXPECT_OK(v3doff_picture_reopen(picture));
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        memset((char *)planes.data[p] + (planes.height[p] - 1) * planes.stride[p], 99,
               planes.width[p]);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
}

/* Other pictures first keep the device busy, so that later ones wait for it. */
static void run_round(v3doff_pool *pool, int seed, int on_gpu, uint64_t checksum[kinds]) {
    v3doff_picture *filler[fillers] = {NULL}, *picture[kinds] = {NULL};
    for (int i = 0; i < fillers; i++) {
        EXPECT_OK(v3doff_picture_open(&filler[i], pool, NULL));
        record_something(filler[i], (unsigned)(seed + i));
        EXPECT_OK(v3doff_picture_submit(filler[i], NULL));
    }
    for (int i = 0; i < kinds; i++) {
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        fill(picture[i], 20 + i);
    }
    if (seed % 2) prepare_all(picture, seed);
    for (int i = 0; i < kinds; i++) {
        if (seed % 2 == 0)
            record(picture[i], i, seed, i ? picture[key] : NULL,
                   i == after ? picture[damaged] : NULL);
        EXPECT_OK(v3doff_picture_submit(picture[i], NULL));
        if (i == damaged && seed % 3 == 0) conceal(picture[i], on_gpu);
    }
    for (int i = 0; i < kinds; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        if (i != damaged || seed % 3) expect_executor(picture[i], on_gpu);
        checksum[i] = checksum_of(picture[i]);
    }
    for (int i = kinds; i--;)
        v3doff_picture_close(&picture[i]);
    for (int i = 0; i < fillers; i++)
        v3doff_picture_close(&filler[i]);
}

static void run(v3doff_mode mode, uint64_t checksum[rounds][kinds]) {
    v3doff_device *device = open_test_device(mode);
    v3doff_pool *pool = open_test_pool(device, cols * 64, rows * 64);
    for (int i = 0; i < rounds; i++)
        run_round(pool, i, mode == V3DOFF_MODE_FORCE, checksum[i]);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
}

int main(void) {
    static uint64_t expected[rounds][kinds], found[rounds][kinds];
    watch_log();
    run(V3DOFF_MODE_CPU, expected);
    run(V3DOFF_MODE_FORCE, found);
    int wrong = 0;
    for (int i = 0; i < rounds * kinds; i++)
        if (found[i / kinds][i % kinds] != expected[i / kinds][i % kinds]) {
            printf("round %d, picture %d is wrong\n", i / kinds, i % kinds);
            wrong++;
        }
    EXPECT(!wrong);
    EXPECT(expected[0][key] != expected[1][key] && expected[0][damaged] != expected[0][after]);
    return 0;
}
