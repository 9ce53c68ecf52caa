/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_h264_slices [columns rows]: H.264 pictures of words with a slice for each macroblock. Slices
 * weight their predictions in 600 different ways. The samples are those of the CPU's device, and
 * work that grows with the number of slices stays small. Prints how long recording takes.
 */
#include <string.h>
#include <time.h>

#include "capi_helpers.h"
#include "v3doff/h264_words.h"

enum { inter_16x16 = 8, list_0 = 3 << 12, ways = 200 };

static uint32_t columns, rows, count;

static struct {
    uint32_t *mb_type;
    int8_t *qp, *reference;
    uint16_t *slice_table;
    uint8_t (*non_zero_count)[48];
    int16_t (*motion)[2];
    v3doff_h264_slice *slices;
    v3doff_h264_prediction *predictions;
} from;

static void *zeros(size_t size) {
    void *memory = calloc(count, size);
    EXPECT(memory);
    return memory;
}

static void make_arrays(void) {
    from.mb_type = zeros(sizeof *from.mb_type);
    from.qp = zeros(1);
    from.reference = zeros(4);
    from.slice_table = zeros(sizeof *from.slice_table);
    from.non_zero_count = zeros(48);
    from.motion = zeros(16 * sizeof *from.motion);
    from.slices = zeros(sizeof *from.slices);
    from.predictions = zeros(sizeof *from.predictions);
    for (uint32_t i = 0; i < count; i++) {
        from.mb_type[i] = inter_16x16 | list_0;
        from.qp[i] = (int8_t)(20 + i % 20);
        from.slice_table[i] = (uint16_t)i;
        for (uint32_t block = 0; block < 16; block++) {
            int16_t *const vector = from.motion[(i / columns * 4 + block / 4) * 4 * columns +
                                                i % columns * 4 + block % 4];
            vector[0] = (int16_t)(i % 13);
            vector[1] = (int16_t)(i % 7);
        }
        v3doff_h264_prediction *const to = &from.predictions[i];
        to->weighting = V3DOFF_H264_WEIGHTS_EXPLICIT;
        to->denominator[0] = to->denominator[1] = 6;
        memset(to->reference, V3DOFF_H264_NO_REFERENCE, sizeof to->reference);
        to->reference[0][0] = 0;
        for (int p = 0; p < 3; p++) {
            to->weight[0][0][p] = 64;
            to->offset[0][0][p] = 1;
        }
        to->offset[1][31][2] = (int16_t)(i % ways - 100); /* the last one that is compared */
        to->offset[1][30][2] = (int16_t)(i / ways % 3);
        to->weight[0][0][0] = 40;
    }
}

static void fill(v3doff_picture *picture) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                ((uint8_t *)planes.data[p])[y * planes.stride[p] + x] =
                    (uint8_t)(x * 7 + y * 13 + x * y);
}

static void record(v3doff_picture *picture, v3doff_picture *reference) {
    v3doff_h264_arrays arrays = {.struct_size = sizeof arrays, .mb_stride = columns};
    arrays.mb_type = from.mb_type;
    arrays.qp = from.qp;
    arrays.slice_table = from.slice_table;
    arrays.non_zero_count = (const uint8_t(*)[48])from.non_zero_count;
    arrays.motion_stride = 4 * columns;
    arrays.motion_mb_stride = 16 * columns;
    arrays.motion[0] = (const int16_t(*)[2])from.motion;
    arrays.reference[0] = from.reference;
    arrays.slices = from.slices;
    arrays.slice_count = count;
    v3doff_h264_words words;
    memset(&words, 0, sizeof words);
    for (uint32_t i = 0; i < count; i++) {
        if (i % columns == 0) EXPECT_OK(v3doff_h264_make_room(picture, 0, &words, columns));
        v3doff_h264_append_skipped(&words, i % columns, i / columns);
    }
    EXPECT_OK(v3doff_h264_end_lane(picture, 0, &words));
    EXPECT_OK(
        v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, V3DOFF_H264_ALL_ROWS));
    v3doff_h264_picture_info info = {.struct_size = sizeof info};
    info.predictions = from.predictions;
    info.reference[0] = reference;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    EXPECT_OK(v3doff_h264_record_picture(picture, &info));
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%u slices: record_picture took %.1f ms\n", count,
           (double)(end.tv_sec - begin.tv_sec) * 1e3 +
               (double)(end.tv_nsec - begin.tv_nsec) * 1e-6);
}

static uint64_t make(v3doff_mode mode, v3doff_executor executor) {
    v3doff_device *device = open_test_device(mode);
    v3doff_pool *pool = open_test_pool(device, 16 * columns, 16 * rows);
    v3doff_picture *reference = NULL, *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    fill(reference);
    record(picture, reference);
    finish(picture, executor);
    const uint64_t sum = checksum_of(picture);
    v3doff_picture_close(&picture);
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return sum;
}

static void try_size(uint32_t of_columns, uint32_t of_rows) {
    columns = of_columns;
    rows = of_rows;
    count = columns * rows;
    make_arrays();
    EXPECT(make(V3DOFF_MODE_FORCE, V3DOFF_EXECUTOR_GPU) ==
           make(V3DOFF_MODE_CPU, V3DOFF_EXECUTOR_CPU));
    free(from.mb_type);
    free(from.qp);
    free(from.reference);
    free(from.slice_table);
    free(from.non_zero_count);
    free(from.motion);
    free(from.slices);
    free(from.predictions);
}

int main(int argc, char **argv) {
    watch_log();
    if (argc > 2) {
        try_size((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]));
        return 0;
    }
    try_size(10, 9);
    try_size(40, 30);
    return 0;
}
