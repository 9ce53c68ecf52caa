/* SPDX-License-Identifier: BSD-2-Clause */
/* Every refused call: a result code, one log line that names the argument, nothing changed. */
#include <string.h>

#include "capi_refused.h"
#include "v3doff/recipe.h"

static void devices(void) {
    v3doff_device *device = NULL;
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    BAD_ARGUMENT(v3doff_device_list(NULL, NULL), "count");
    BAD_ARGUMENT(v3doff_device_create(NULL, &info), "out");
    info.struct_size = 0;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "struct_size");
    info.struct_size = sizeof info;
    info.mode = (v3doff_mode)17;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "mode");
    info.mode = V3DOFF_MODE_FORCE;
    info.flags = 1u << 30;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "flags");
    info.flags = 0;
    info.memory = (v3doff_memory_path)-1;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "memory");
    info.memory = V3DOFF_MEMORY_AUTO;
    info.prepare = 1u << V3DOFF_FAMILIES;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "prepare");
    info.prepare = 1u << V3DOFF_FAMILY_VP9_ITX; /* of no bit depth */
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "prepare_bit_depth");
    info.prepare_bit_depth = 8;
    info.prepare_chroma = (v3doff_chroma)5;
    BAD_ARGUMENT(v3doff_device_create(&device, &info), "prepare_chroma");
    info.prepare_chroma = V3DOFF_CHROMA_420;
    info.select = "no such device anywhere";
    REFUSED(v3doff_device_create(&device, &info), V3DOFF_ERROR_NO_DEVICE, "no such device");
    EXPECT(device == NULL);
    v3doff_device_properties properties = {.struct_size = sizeof properties};
    BAD_HANDLE(v3doff_device_get_properties(NULL, &properties), "device");
    device = open_test_device(V3DOFF_MODE_CPU);
    BAD_ARGUMENT(v3doff_device_get_properties(device, NULL), "properties");
    v3doff_device *copy = device;
    v3doff_device_destroy(&device);
    BAD_HANDLE(v3doff_device_get_properties(copy, &properties), "device");
    int before = log_lines;
    v3doff_device_destroy(&copy); /* twice: noticed, harmless */
    EXPECT(log_lines == before + 1);
    v3doff_device_destroy(NULL);
}

static void pools(v3doff_device *device) {
    v3doff_pool *pool = NULL;
    const v3doff_pool_info good = {sizeof good,        64,       64, 8, V3DOFF_CHROMA_420, 2,
                                   V3DOFF_MEMORY_AUTO, {0, 0, 0}};
    v3doff_pool_info info = good;
    BAD_ARGUMENT(v3doff_pool_create(NULL, device, &info), "out");
    BAD_HANDLE(v3doff_pool_create(&pool, NULL, &info), "device");
    BAD_ARGUMENT(v3doff_pool_create(&pool, device, NULL), "info");
    const uint32_t sides[] = {0, 16385, UINT32_MAX};
    for (int i = 0; i < 3; i++) {
        info = good;
        info.width = sides[i];
        BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "width");
        info = good;
        info.height = sides[i];
        BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "height");
    }
    info = good;
    info.bit_depth = 7;
    BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "bit_depth");
    info.bit_depth = 15;
    BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "bit_depth");
    info = good;
    info.chroma = (v3doff_chroma)5;
    BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "chroma");
    info = good;
    info.max_pictures = 1025;
    BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "max_pictures");
    const uint32_t strides[][3] = {{63, 0, 0},  {48, 0, 0},  {72, 0, 0}, {0, 24, 24},
                                   {0, 16, 16}, {0, 32, 48}, {0, 32, 0}, {1u << 25, 0, 0}};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        info = good;
        memcpy(info.stride, strides[i], sizeof info.stride);
        BAD_ARGUMENT(v3doff_pool_create(&pool, device, &info), "stride");
    }
    EXPECT(pool == NULL);

    /* A struct from an older header, without the last fields: they count as zero. */
    info = good;
    info.struct_size = offsetof(v3doff_pool_info, max_pictures);
    info.max_pictures = UINT32_MAX;
    EXPECT_OK(v3doff_pool_create(&pool, device, &info));
    v3doff_pool_destroy(&pool);

    EXPECT_OK(v3doff_pool_create(&pool, device, &good));
    v3doff_picture *picture[3] = {NULL};
    EXPECT_OK(v3doff_picture_open(&picture[0], pool, NULL));
    EXPECT_OK(v3doff_picture_open(&picture[1], pool, NULL));
    REFUSED(v3doff_picture_open(&picture[2], pool, NULL), V3DOFF_ERROR_LIMIT, "pool");
    v3doff_picture_close(&picture[0]);
    EXPECT_OK(v3doff_picture_open(&picture[2], pool, NULL));
    v3doff_picture_close(&picture[1]);
    v3doff_picture_close(&picture[2]);
    v3doff_pool *copy = pool;
    v3doff_pool_destroy(&pool);
    BAD_HANDLE(v3doff_picture_open(&picture[0], copy, NULL), "pool");
}

static void callers_planes(v3doff_pool *pool) {
    static uint8_t memory[3][64 * 64 * 2];
    v3doff_picture *picture = NULL;
    v3doff_planes good = {.struct_size = sizeof good};
    good.count = 3;
    for (int p = 0; p < 3; p++) {
        good.data[p] = memory[p];
        good.stride[p] = 64;
    }
    v3doff_planes planes = good;
    planes.count = 1;
    BAD_ARGUMENT(v3doff_picture_open(&picture, pool, &planes), "count");
    planes = good;
    planes.data[1] = NULL;
    BAD_ARGUMENT(v3doff_picture_open(&picture, pool, &planes), "data[1]");
    planes = good;
    planes.stride[0] = 63;
    BAD_ARGUMENT(v3doff_picture_open(&picture, pool, &planes), "stride[0]");
    planes.stride[0] = -64;
    BAD_ARGUMENT(v3doff_picture_open(&picture, pool, &planes), "stride[0]");
    planes = good;
    planes.padded_height[2] = 5;
    BAD_ARGUMENT(v3doff_picture_open(&picture, pool, &planes), "padded_height[2]");
    EXPECT(picture == NULL);
}

static void records(v3doff_picture *picture) {
    int16_t coefficients[64] = {7, 8, 9};
#define RECORD(lane, plane, x, y, tx, type, eob, data)                                             \
    v3doff_vp9_record_itx(picture, lane, plane, x, y, (v3doff_vp9_tx)(tx),                         \
                          (v3doff_vp9_tx_type)(type), eob, data)
    BAD_ARGUMENT(RECORD(V3DOFF_LANES, 0, 0, 0, 1, 0, 64, coefficients), "lane");
    BAD_ARGUMENT(RECORD(0, 3, 0, 0, 1, 0, 64, coefficients), "plane");
    BAD_ARGUMENT(RECORD(0, 0, 2, 0, 1, 0, 64, coefficients), "x, y");
    BAD_ARGUMENT(RECORD(0, 0, 64, 0, 1, 0, 64, coefficients), "x, y");
    BAD_ARGUMENT(RECORD(0, 0, 0, UINT32_MAX - 3, 1, 0, 64, coefficients), "x, y");
    BAD_ARGUMENT(RECORD(0, 1, 28, 0, 1, 0, 64, coefficients), "x, y"); /* ends outside */
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, 5, 0, 64, coefficients), "tx");
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, -1, 0, 64, coefficients), "tx");
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, 1, 4, 64, coefficients), "type");
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, 1, 0, 0, coefficients), "eob");
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, 1, 0, 65, coefficients), "eob");
    BAD_ARGUMENT(RECORD(0, 0, 0, 0, 1, 0, 64, NULL), "coefficients");
    BAD_HANDLE(v3doff_vp9_record_itx(NULL, 0, 0, 0, 0, V3DOFF_VP9_TX_8X8, V3DOFF_VP9_DCT_DCT, 64,
                                     coefficients),
               "picture");
    EXPECT(coefficients[0] == 7 && coefficients[2] == 9); /* a refused block is not cleared */

    /* As many blocks as the picture has room for, and no more: 64x64 in 4:2:0 has 384 of 4x4. */
    for (int i = 0; i < 384; i++)
        EXPECT_OK(RECORD(5, 0, 0, 0, 1, 0, 64, coefficients));
    coefficients[1] = 5;
    REFUSED(RECORD(5, 0, 0, 0, 1, 0, 64, coefficients), V3DOFF_ERROR_LIMIT, "more blocks");
    EXPECT(coefficients[1] == 5);
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void loop_filters(v3doff_picture *picture) {
    v3doff_vp9_superblock superblock;
    memset(&superblock, 0, sizeof superblock);
#define FILTER(sharpness, superblocks, count)                                                      \
    v3doff_vp9_record_loopfilter(picture, sharpness, superblocks, count)
    BAD_HANDLE(v3doff_vp9_record_loopfilter(NULL, 0, &superblock, 1), "picture");
    BAD_ARGUMENT(FILTER(8, &superblock, 1), "sharpness");
    BAD_ARGUMENT(FILTER(0, NULL, 1), "superblocks");
    BAD_ARGUMENT(FILTER(0, &superblock, 0), "count");
    BAD_ARGUMENT(FILTER(0, &superblock, 2), "count");
    superblock.mask[0][0][0][1] = 2; /* an edge at x = 8 */
    superblock.level[1] = 64;
    BAD_ARGUMENT(FILTER(0, &superblock, 1), "superblocks");
    superblock.level[1] = 63;
    EXPECT_OK(FILTER(0, &superblock, 1));
    REFUSED(FILTER(0, &superblock, 1), V3DOFF_ERROR_INVALID_STATE, "was already recorded");
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(FILTER(7, &superblock, 1));
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void motion_compensation(v3doff_device *device, v3doff_picture *picture) {
    v3doff_pool *pool = open_test_pool(device, 64, 64), *small = open_test_pool(device, 32, 48);
    v3doff_picture *reference = NULL, *other = NULL;
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    const v3doff_vp9_mc good = {.struct_size = sizeof good,
                                .reference = reference,
                                .width = 8,
                                .height = 8,
                                .mx = 3,
                                .filter = V3DOFF_VP9_FILTER_SHARP};
    v3doff_vp9_mc block = good;
    REFUSED(v3doff_vp9_record_mc(picture, 0, &block), V3DOFF_ERROR_INVALID_STATE, "reference");
    submit_and_wait(reference);
    BAD_HANDLE(v3doff_vp9_record_mc(NULL, 0, &block), "picture");
    BAD_ARGUMENT(v3doff_vp9_record_mc(picture, V3DOFF_LANES, &block), "lane");
    BAD_ARGUMENT(v3doff_vp9_record_mc(picture, 0, NULL), "block");
    REFUSED(v3doff_vp9_record_mc(picture, 0, (block.reference = picture, &block)),
            V3DOFF_ERROR_INVALID_STATE, "reference");
    BAD_HANDLE(v3doff_vp9_record_mc(picture, 0, (block.reference = NULL, &block)), "reference");
#define BAD_BLOCK(field, value, argument)                                                          \
    do {                                                                                           \
        block = good;                                                                              \
        block.field = value;                                                                       \
        BAD_ARGUMENT(v3doff_vp9_record_mc(picture, 0, &block), argument);                          \
    } while (0)
    BAD_BLOCK(struct_size, 0, "struct_size");
    BAD_BLOCK(plane, 3, "plane");
    BAD_BLOCK(x, 2, "x, y");
    BAD_BLOCK(x, 64, "x, y");
    BAD_BLOCK(x, 60, "x, y"); /* ends outside */
    BAD_BLOCK(y, UINT32_MAX - 3, "x, y");
    BAD_BLOCK(y, 60, "x, y");
    BAD_BLOCK(width, 0, "width");
    BAD_BLOCK(width, 12, "width");
    BAD_BLOCK(width, 128, "width");
    BAD_BLOCK(height, 0, "height");
    BAD_BLOCK(height, 65, "height");
    BAD_BLOCK(mx, 16, "mx, my");
    BAD_BLOCK(my, 16, "mx, my");
    BAD_BLOCK(filter, (v3doff_vp9_filter)4, "filter");
    BAD_BLOCK(filter, (v3doff_vp9_filter)-1, "filter");
    BAD_BLOCK(average, 2, "average");
    BAD_BLOCK(step_x, 33, "step_x");
    BAD_BLOCK(step_y, 33, "step_y");

    /* Of another format, of another device. */
    v3doff_pool *deep = open_format_pool(device, 64, 64, 10, V3DOFF_CHROMA_420);
    EXPECT_OK(v3doff_picture_open(&other, deep, NULL));
    BAD_BLOCK(reference, other, "reference");
    v3doff_picture_close(&other);
    v3doff_pool_destroy(&deep);
    v3doff_device *second = open_test_device(V3DOFF_MODE_FORCE);
    v3doff_pool *far_away = open_test_pool(second, 64, 64);
    EXPECT_OK(v3doff_picture_open(&other, far_away, NULL));
    BAD_BLOCK(reference, other, "reference");
    v3doff_picture_close(&other);
    v3doff_pool_destroy(&far_away);
    v3doff_device_destroy(&second);

    /* A reference is held while it is needed, even if closed; at most three, of any size. */
    block = good;
    block.ref_x = INT32_MIN;
    block.ref_y = INT32_MAX;
    EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(v3doff_picture_open(&other, small, NULL));
        submit_and_wait(other);
        block = good;
        block.reference = other;
        block.x = 8 * (uint32_t)i;
        if (i < 2)
            EXPECT_OK(v3doff_vp9_record_mc(picture, 0, &block));
        else
            REFUSED(v3doff_vp9_record_mc(picture, 0, &block), V3DOFF_ERROR_LIMIT, "reference");
        v3doff_picture_close(&other);
    }
    EXPECT_OK(v3doff_picture_discard(picture));
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&small);
    v3doff_pool_destroy(&pool);
}

static void wait_in_callback(void *opaque, v3doff_picture *picture) {
    v3doff_picture *alias = picture;
    REFUSED(v3doff_picture_wait(picture, 0), V3DOFF_ERROR_WRONG_THREAD, "callback");
    REFUSED(v3doff_picture_submit(picture, NULL), V3DOFF_ERROR_WRONG_THREAD, "callback");
    REFUSED(v3doff_picture_reopen(picture), V3DOFF_ERROR_WRONG_THREAD, "callback");
    v3doff_picture_close(&alias);
    EXPECT(alias == picture); /* refused: not closed, not cleared */
    *(int *)opaque = 1;
}

static void states(v3doff_picture *picture) {
    int16_t coefficients[64] = {1};
    v3doff_picture_report report = {.struct_size = sizeof report};
    REFUSED(v3doff_picture_wait(picture, 0), V3DOFF_ERROR_INVALID_STATE, "wait");
    BAD_ARGUMENT(v3doff_picture_get_report(picture, NULL), "report");
    BAD_HANDLE(v3doff_picture_get_report(NULL, &report), "picture");
    BAD_ARGUMENT(v3doff_picture_get_planes(picture, NULL), "planes");
    int called = 0;
    v3doff_submit_info info = {sizeof info, wait_in_callback, &called, NULL, 0, 0};
    info.struct_size = 1;
    BAD_ARGUMENT(v3doff_picture_submit(picture, &info), "info");
    info.struct_size = sizeof info;
    EXPECT_OK(v3doff_picture_submit(picture, &info));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT(called == 1);
    v3doff_pass pass = {.struct_size = sizeof pass};
    REFUSED(v3doff_picture_get_pass(picture, 0, &pass), V3DOFF_ERROR_INVALID_STATE, "get_pass");
    BAD_ARGUMENT(v3doff_picture_get_pass(picture, 0, NULL), "pass");
    BAD_HANDLE(v3doff_picture_get_pass(NULL, 0, &pass), "picture");
    REFUSED(v3doff_picture_submit(picture, NULL), V3DOFF_ERROR_INVALID_STATE, "submit");
    REFUSED(v3doff_picture_discard(picture), V3DOFF_ERROR_INVALID_STATE, "discard");
    REFUSED(RECORD(0, 0, 0, 0, 1, 0, 64, coefficients), V3DOFF_ERROR_INVALID_STATE, "record");
    EXPECT(coefficients[0] == 1);
    v3doff_dma_buf dma_buf = {.struct_size = sizeof dma_buf};
    BAD_ARGUMENT(v3doff_picture_get_dma_buf(picture, NULL), "dma_buf");
    BAD_HANDLE(v3doff_picture_get_dma_buf(NULL, &dma_buf), "picture");
    if (v3doff_picture_get_dma_buf(picture, &dma_buf) != V3DOFF_OK) /* it may be in one */
        REFUSED(v3doff_picture_get_dma_buf(picture, &dma_buf), V3DOFF_ERROR_UNSUPPORTED, "dma-buf");
    const char *name = NULL;
    uint64_t ns = 0;
    BAD_ARGUMENT(v3doff_picture_get_timer(picture, 1000, &name, &ns), "index");
    BAD_ARGUMENT(v3doff_picture_get_timer(picture, 0, NULL, &ns), "name");
    BAD_ARGUMENT(v3doff_picture_get_timer(picture, 0, &name, NULL), "ns");
}

int main(void) {
    watch_log();
    for (int code = -30; code < 30; code++)
        EXPECT(v3doff_result_text((v3doff_result)code)[0] != 0);
    devices();
    const v3doff_mode modes[] = {V3DOFF_MODE_CPU, V3DOFF_MODE_FORCE};
    for (int i = 0; i < 2; i++) {
        v3doff_device *device = open_test_device(modes[i]);
        pools(device);
        v3doff_pool *pool = open_test_pool(device, 64, 64);
        callers_planes(pool);
        v3doff_picture *picture = NULL;
        BAD_ARGUMENT(v3doff_picture_open(NULL, pool, NULL), "out");
        EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
        records(picture);
        loop_filters(picture);
        motion_compensation(device, picture);
        states(picture);
        v3doff_picture *copy = picture;
        v3doff_picture_close(&picture);
        BAD_HANDLE(v3doff_picture_submit(copy, NULL), "picture");
        BAD_HANDLE(v3doff_picture_wait(copy, 0), "picture");
        v3doff_pool_destroy(&pool);
        v3doff_device_destroy(&device);
    }
    printf("every refusal named its argument\n");
    return 0;
}
