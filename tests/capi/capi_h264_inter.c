/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264 inter prediction: a wrong block is refused with one line in the log, and the picture
 * accepts right blocks afterwards. A prediction from whole samples is a copy, on CPU and GPU.
 */
#include "capi_refused.h"
#include "v3doff/h264.h"

enum { width = 40, height = 24, blocks = 6, moved = 3 }; /* three macroblocks in two rows */

static v3doff_picture *reference, *picture;
static v3doff_h264_inter inter;
static v3doff_h264_inter_block block[blocks];
static v3doff_h264_inter_weights weights;
static v3doff_picture *references[2];

static void right_inter(void) {
    for (int i = 0; i < blocks; i++)
        block[i] = (v3doff_h264_inter_block){.x = (uint16_t)(i % 3 * 16),
                                             .y = (uint16_t)(i / 3 * 16),
                                             .width = 16,
                                             .height = 16,
                                             .reference = {1, -1},
                                             .vector = {{4 * moved, 0}, {0, 0}}};
    weights = (v3doff_h264_inter_weights){.denominator = {5, 5}};
    references[0] = NULL;
    references[1] = reference;
    inter = (v3doff_h264_inter){.struct_size = sizeof inter,
                                .references = references,
                                .reference_count = 2,
                                .weights = &weights,
                                .weights_count = 1,
                                .blocks = block,
                                .block_count = blocks};
}

#define BAD_INTER(change, argument)                                                                \
    do {                                                                                           \
        right_inter();                                                                             \
        change;                                                                                    \
        BAD_ARGUMENT(v3doff_h264_record_inter(picture, &inter), argument);                         \
    } while (0)

static void refuse_blocks(void) {
    BAD_INTER(block[2].width = 12, "blocks->width");
    BAD_INTER(block[2].height = 2, "blocks->width, height");
    BAD_INTER(block[2].x = 33, "blocks->x, y");
    BAD_INTER(block[2].x = 36, "blocks->x, y");
    BAD_INTER(block[5].y = 20, "blocks->x, y");
    BAD_INTER(block[0].reference[0] = -1, "blocks->reference");
    BAD_INTER(block[0].reference[0] = 0, "blocks->reference");
    BAD_INTER(block[0].reference[1] = 2, "blocks->reference");
    BAD_INTER(block[0].weights = 2, "blocks->weights");
}

static void refuse_the_rest(void) {
    BAD_INTER(weights.denominator[1] = 8, "weights");
    BAD_INTER(weights.weight[1][2] = 129, "weights");
    BAD_INTER(weights.offset[0][0] = -129, "weights");
    BAD_INTER(inter.struct_size = 0, "inter->struct_size");
    BAD_INTER(inter.references = NULL, "inter->references");
    BAD_INTER(inter.weights = NULL, "inter->weights");
    BAD_INTER(inter.blocks = NULL, "inter->blocks");
    BAD_INTER(references[1] = picture, "inter->references");
    BAD_ARGUMENT(v3doff_h264_record_inter(picture, NULL), "inter");
    right_inter();
    BAD_HANDLE(v3doff_h264_record_inter(NULL, &inter), "picture");
}

/* Beyond the last macroblock stands the last sample. */
static void expect_moved(void) {
    const v3doff_planes from = planes_of(reference), to = planes_of(picture);
    const uint8_t *source = from.data[0], *made = to.data[0];
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t at = x + moved < 48 ? x + moved : 47;
            EXPECT(made[y * (size_t)to.stride[0] + x] == source[y * (size_t)from.stride[0] + at]);
        }
}

static void fill(v3doff_picture *of) {
    const v3doff_planes planes = planes_of(of);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                ((uint8_t *)planes.data[p])[y * (size_t)planes.stride[p] + x] =
                    (uint8_t)(x * 7 + y * 13);
}

static void test(v3doff_mode mode) {
    v3doff_device *device = open_test_device(mode);
    v3doff_pool *pool = open_test_pool(device, width, height);
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    fill(reference);
    EXPECT_OK(v3doff_picture_submit(reference, NULL));
    EXPECT_OK(v3doff_picture_wait(reference, UINT64_MAX));
    refuse_blocks();
    refuse_the_rest();
    right_inter();
    EXPECT_OK(v3doff_h264_record_inter(picture, &inter));
    REFUSED(v3doff_h264_record_inter(picture, &inter), V3DOFF_ERROR_INVALID_STATE, "picture");
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(report_of(picture).records == blocks);
    EXPECT((report_of(picture).executor == V3DOFF_EXECUTOR_GPU) == (mode != V3DOFF_MODE_CPU));
    expect_moved();
    v3doff_picture_close(&picture);
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
}

int main(void) {
    watch_log();
    test(V3DOFF_MODE_CPU);
    test(V3DOFF_MODE_FORCE);
    return 0;
}
