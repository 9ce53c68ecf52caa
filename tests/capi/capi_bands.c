/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_bands FAULT: pictures that are submitted in bands of rows equal whole ones, whichever band
 * fails (V3DOFF_FAULT is set to FAULT). Every band is reported once and in order. Only what was
 * recorded after the last submitted band can be discarded. A picture that is opened again in the
 * middle has the bands that were submitted.
 */
#include <string.h>

#include "capi_helpers.h"

enum { width = 192, height = 264, rows = 5, cols = 3, each = 6, pictures = 3 * each };

/* How a picture ends: with all its records, without those after the last band, or opened again. */
enum ending { ends_whole, ends_discarded, ends_reopened };

static v3doff_vp9_superblock superblocks[rows * cols];

/* An edge of 8 between all blocks. */
static void make_superblocks(void) {
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            v3doff_vp9_superblock *superblock = &superblocks[row * cols + col];
            const int blocks = row + 1 < rows ? 8 : (height - row * 64) / 8;
            memset(superblock->level, 20 + row * 7 + col, 64);
            for (int direction = 0; direction < 2; direction++)
                for (int line = 0; line < blocks; line++) {
                    superblock->mask[0][direction][line][1] = 0xff;
                    if (line % 2 == 0) superblock->mask[1][direction][line][1] = 0x55;
                }
        }
}

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Samples of superblock rows [from, to) and, if `work` is set, their transforms and filter. */
static void fill_rows(v3doff_picture *picture, unsigned seed, uint32_t from, uint32_t to,
                      int work) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++) {
        const uint32_t size = p ? 32 : 64;
        for (uint32_t y = from * size; y < to * size && y < planes.height[p]; y++) {
            unsigned state = seed * 977 + p * 31 + y * 7919;
            for (uint32_t x = 0; x < planes.width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(110 + next_random(&state) % 20);
            for (uint32_t x = 0; work && y % 8 == 0 && x < planes.width[p]; x += 8) {
                int16_t coefficients[64] = {0};
                for (int i = 0; i < 6; i++)
                    coefficients[i] = (int16_t)(next_random(&state) % 101) - 50;
                EXPECT_OK(v3doff_vp9_record_itx(picture, 0, p, x, y, V3DOFF_VP9_TX_8X8,
                                                V3DOFF_VP9_DCT_DCT, 64, coefficients));
            }
        }
    }
    if (work)
        EXPECT_OK(v3doff_vp9_record_loopfilter_rows(picture, 2, superblocks + from * cols, from,
                                                    to - from));
}

static void reconstruct(v3doff_picture *picture, unsigned seed, uint32_t from, uint32_t to) {
    fill_rows(picture, seed, from, to, 1);
}

/* Of a picture whose work ends behind superblock row `end`. */
static uint64_t expected_sum(unsigned seed, uint32_t end) {
    v3doff_device *device = open_test_device(V3DOFF_MODE_CPU);
    v3doff_pool *pool = open_test_pool(device, width, height);
    v3doff_picture *picture = open_test_picture(pool);
    if (end) reconstruct(picture, seed, 0, end);
    fill_rows(picture, seed, end, rows, 0);
    submit_and_wait(picture);
    const uint64_t sum = checksum_of(picture);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return sum;
}

struct told {
    uint32_t row_end, times;
    int done;
    uint32_t bands, work_end; /* that were taken, and the last row of superblocks with work */
};

static void rows_done(void *opaque, v3doff_picture *picture, uint32_t row_end) {
    struct told *told = opaque;
    EXPECT(!told->done && row_end > told->row_end);
    EXPECT_RESULT(v3doff_picture_wait(picture, 0), V3DOFF_ERROR_WRONG_THREAD);
    told->row_end = row_end;
    told->times++;
}

static void picture_done(void *opaque, v3doff_picture *picture) {
    (void)picture;
    ((struct told *)opaque)->done = 1;
}

/* Bit n of ends is set where a band is to end behind superblock row n. */
static void hand_over(v3doff_picture *picture, unsigned seed, unsigned ends, enum ending ending,
                      struct told *told) {
    uint32_t from = 0;
    for (uint32_t row = 0; row + 1 < rows; row++) {
        if (!(ends >> row & 1)) continue;
        reconstruct(picture, seed, from, row + 1);
        from = row + 1;
        v3doff_rows_info info = {sizeof info, from * 64, rows_done, told};
        const v3doff_result result = v3doff_picture_submit_rows(picture, &info);
        EXPECT(result == V3DOFF_OK || result == V3DOFF_NOT_READY);
        if (result == V3DOFF_OK) told->bands++, told->work_end = from;
    }
    reconstruct(picture, seed, from, rows);
    if (ending == ends_reopened) {
        EXPECT_OK(v3doff_picture_reopen(picture));
        EXPECT(told->times == told->bands && !told->done);
    } else if (ending == ends_discarded) {
        EXPECT_OK(v3doff_picture_discard(picture));
        EXPECT_OK(v3doff_picture_discard(picture));
    } else {
        told->work_end = rows;
    }
    v3doff_submit_info info = {sizeof info, picture_done, told, NULL, 0, 0};
    EXPECT_OK(v3doff_picture_submit(picture, &info));
}

static unsigned bands_of(int picture) {
    const int n = picture % each;
    return n ? 0xfu >> n % 4 << n / 4 & 0xf : 0;
}

static void expect_refusals(v3doff_pool *pool) {
    v3doff_picture *picture = open_test_picture(pool);
    v3doff_rows_info info = {.struct_size = sizeof info};
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, NULL), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    info.row_end = height;
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    reconstruct(picture, 1, 0, 2);
    info.row_end = 64; /* there is work below */
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    info.row_end = 128;
    if (v3doff_picture_submit_rows(picture, &info) == V3DOFF_NOT_READY) {
        EXPECT_RESULT(v3doff_picture_submit_rows(picture, &info), V3DOFF_NOT_READY);
        v3doff_picture_close(&picture);
        return;
    }
    EXPECT_RESULT(v3doff_picture_submit_rows(picture, &info), V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_vp9_record_loopfilter_rows(picture, 2, superblocks, 1, 1),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_vp9_record_loopfilter(picture, 2, superblocks, rows * cols),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_vp9_record_loopfilter_rows(picture, 2, superblocks, 2, rows),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_picture_wait(picture, UINT64_MAX), V3DOFF_ERROR_INVALID_STATE);
    reconstruct(picture, 1, 2, 3);
    EXPECT_OK(v3doff_picture_discard(picture));
    v3doff_picture_close(&picture); /* with a band in flight */
    EXPECT(picture == NULL);
    for (int i = 0; i < 3;
         i++) { /* resources are used again, also of a picture that was only opened */
        EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
        reconstruct(picture, 1, 0, rows);
        EXPECT_OK(v3doff_picture_submit(picture, NULL));
        v3doff_picture_close(&picture);
        EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
        v3doff_picture_close(&picture);
    }
}

int main(int count, char **arguments) {
    const char *fault = count > 1 ? arguments[1] : "";
    watch_log();
    make_superblocks();
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    info.submit_timeout_ms = strncmp(fault, "hang", 4) ? 0 : 200;
    v3doff_device *device = NULL;
    EXPECT_OK(v3doff_device_create(&device, &info));
    /* The smallest strides that a decoder's pictures can have on any processor. */
    v3doff_pool_info pool_info = {.struct_size = sizeof pool_info};
    pool_info.width = width;
    pool_info.height = height;
    pool_info.bit_depth = 8;
    pool_info.chroma = V3DOFF_CHROMA_420;
    pool_info.stride[0] = width + 16;
    pool_info.stride[1] = pool_info.stride[2] = width / 2 + 16;
    v3doff_pool *pool = NULL;
    EXPECT_OK(v3doff_pool_create(&pool, device, &pool_info));
    const char *memory = getenv("V3DOFF_MEMORY");
    /* Copied pictures have no bands; without memory to copy to there is no copy. */
    const int staging = memory && !strcmp(memory, "staging") && strcmp(fault, "allocate");
    if (!*fault) expect_refusals(pool);
    v3doff_picture *picture[pictures] = {NULL};
    struct told told[pictures];
    memset(told, 0, sizeof told);
    for (int i = 0; i < pictures; i++) { /* all under way at once */
        EXPECT_OK(v3doff_picture_open(&picture[i], pool, NULL));
        hand_over(picture[i], i, bands_of(i), (enum ending)(i / each), &told[i]);
    }
    int on_cpu = 0;
    for (int i = 0; i < pictures; i++) {
        EXPECT_OK(v3doff_picture_wait(picture[i], UINT64_MAX));
        const v3doff_picture_report report = report_of(picture[i]);
        const uint32_t ends = (uint32_t)__builtin_popcount(bands_of(i));
        printf("picture %d: %s, %u bands %s\n", i,
               report.executor == V3DOFF_EXECUTOR_GPU ? "GPU" : "CPU", report.bands, report.reason);
        /* A picture that is opened after the device was marked bad has no copy either. */
        const int copied = staging && strcmp(report.reason, "no GPU");
        EXPECT(told[i].bands == (copied ? 0 : ends));
        EXPECT(report.bands == (i / each == ends_reopened ? 1 : told[i].bands + 1));
        EXPECT(told[i].done && told[i].times == told[i].bands);
        EXPECT((report.reason[0] != 0) == (report.executor == V3DOFF_EXECUTOR_CPU));
        EXPECT(report.executor == V3DOFF_EXECUTOR_CPU || !report.cpu_records);
        on_cpu += report.executor == V3DOFF_EXECUTOR_CPU;
        EXPECT(checksum_of(picture[i]) == expected_sum(i, told[i].work_end));
        v3doff_picture_close(&picture[i]);
    }
    /* With a fault, at least one picture failed over; without one, none. */
    EXPECT(!*fault == !on_cpu);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return 0;
}
