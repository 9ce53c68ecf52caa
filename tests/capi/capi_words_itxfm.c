/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * If coefficients are too large for the arithmetic of transforms, the library calls the decoder's
 * functions for the residuals and adds these unchanged. Otherwise it does not call them.
 */
#include <string.h>

#include "capi_helpers.h"
#include "v3doff/vp9_words.h"

enum { width = 64, height = 64, flat = 100, edge = 16, token = 300, eob = 200 };

static uint32_t bit_depth;
static int calls;
static int wide; /* the decoder has add_residual instead of itxfm_add */

/* Magnitudes add up: one product is within what every decoder's arithmetic holds, two are not. With
 * add_residual and 8 bits, one product is too large already. Cut to 16 bits, it would be small
 * enough, so the test notices whoever cuts it. */
static int factor(void) {
    return bit_depth == 8 && !wide ? 100 : 400;
}

/* A residual that no transform has: from far below 0 to far above the largest sample. */
static int residual_at(uint32_t x, uint32_t y) {
    const int range = 1 << bit_depth;
    return (int)(x * 37 + y * 101) % (2 * range - 1) - range + 1;
}

static int most(void) {
    return (1 << bit_depth) - 1;
}

static int clipped(int value) {
    return value < 0 ? 0 : value > most() ? most() : value;
}

static int sample_at(const uint8_t *row, uint32_t x) {
    return bit_depth == 8 ? row[x] : row[2 * x] | row[2 * x + 1] << 8;
}

static void put_sample(uint8_t *row, uint32_t x, int value) {
    if (bit_depth == 8) {
        row[x] = (uint8_t)value;
    } else {
        row[2 * x] = (uint8_t)value;
        row[2 * x + 1] = (uint8_t)(value >> 8);
    }
}

static void add_residuals(void *dst, ptrdiff_t stride) {
    for (uint32_t y = 0; y < edge; y++)
        for (uint32_t x = 0; x < edge; x++) {
            uint8_t *row = (uint8_t *)dst + (ptrdiff_t)y * stride;
            put_sample(row, x, clipped(sample_at(row, x) + residual_at(x, y)));
        }
    calls++;
}

static void unlike_any(uint8_t *dst, ptrdiff_t stride, int16_t *block, int end) {
    const int32_t product = bit_depth == 8 ? (int16_t)(token * factor()) : token * factor();
    int32_t first;
    if (bit_depth == 8)
        first = block[edge + 2];
    else
        memcpy(&first, (int32_t *)(void *)block + edge + 2, sizeof first);
    EXPECT(first == product && end == eob);
    add_residuals(dst, stride);
    memset(block, 0, edge * edge * (bit_depth == 8 ? 2 : 4));
}

static void unlike_any_wide(void *opaque, uint32_t tx, uint32_t type, uint32_t end,
                            const int32_t *coefficients, void *dst, ptrdiff_t stride) {
    EXPECT(opaque == &wide && tx == 2 && type == V3DOFF_VP9_DCT_ADST && end == eob);
    EXPECT(coefficients[edge + 2] == token * factor());
    add_residuals(dst, stride);
}

static void nobodys(uint8_t *dst, ptrdiff_t stride, int16_t *block, int end) {
    (void)dst, (void)stride, (void)block, (void)end;
    EXPECT(!"a function of another transform is asked");
}

/* 16x16, ADST across alone: [2][1]. */
static void (*functions[5][4])(uint8_t *, ptrdiff_t, int16_t *, int);

static void append(v3doff_vp9_words *words, uint32_t x, uint32_t y, uint32_t coefficients) {
    for (uint32_t i = 0; i < coefficients; i++)
        *words->coefficient++ = v3doff_vp9_coefficient(edge + 2 + i, token);
    v3doff_vp9_append_transform(words, 0, x / 4, y / 4, 2, V3DOFF_VP9_DCT_ADST, eob);
}

/* Two 16x16 blocks with `coefficients`: an intra one that is flat at the top left, an inter one. */
static void record(v3doff_picture *picture, v3doff_picture *reference, uint32_t coefficients) {
    static const uint8_t vertical[4] = {0}; /* nothing above: the middle of the range, less 1 */
    static const int16_t still[4][2][2] = {{{0}}};
    static const int references[2] = {0, -1};
    const v3doff_vp9_block blocks[2] = {{0, 0, 6, 0, 2}, {2, 2, 6, 0, 2}};
    v3doff_vp9_words words = {0};
    EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
    append(&words, 0, 0, coefficients);
    v3doff_vp9_append_intra(&words, &blocks[0], vertical, 0, 1);
    append(&words, 16, 16, coefficients);
    v3doff_vp9_append_inter(&words, &blocks[1], references, V3DOFF_VP9_FILTER_SMOOTH, still, 0);
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    v3doff_vp9_picture_info info = {.struct_size = sizeof info, .partial = 1};
    info.reference[0] = reference;
    if (wide) {
        info.add_residual = unlike_any_wide;
        info.opaque = &wide;
    } else {
        info.itxfm_add = functions;
    }
    info.dequantisation[0][0][0] = info.dequantisation[0][0][1] = (int16_t)factor();
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
}

static void fill(v3doff_picture *picture) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t p = 0; p < planes.count; p++)
        for (uint32_t y = 0; y < planes.padded_height[p]; y++)
            for (uint32_t x = 0; x < planes.padded_width[p]; x++)
                put_sample((uint8_t *)planes.data[p] + y * planes.stride[p], x, flat);
}

static void expect_block(v3doff_picture *picture, uint32_t at, int prediction) {
    const v3doff_planes planes = planes_of(picture);
    for (uint32_t y = 0; y < edge; y++)
        for (uint32_t x = 0; x < edge; x++)
            EXPECT(sample_at((uint8_t *)planes.data[0] + (at + y) * planes.stride[0], at + x) ==
                   clipped(prediction + residual_at(x, y)));
}

static void run(v3doff_device *device, v3doff_executor executor) {
    v3doff_pool *pool = open_format_pool(device, width, height, bit_depth, V3DOFF_CHROMA_420);
    v3doff_picture *reference = NULL, *picture = NULL;
    EXPECT_OK(v3doff_picture_open(&reference, pool, NULL));
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    fill(reference);
    for (uint32_t coefficients = 1; coefficients < 3; coefficients++) {
        fill(picture);
        calls = 0;
        record(picture, reference, coefficients);
        /* Two blocks, each on samples that are 0 and on the largest ones. */
        EXPECT(calls == (coefficients == 1 && !(wide && bit_depth == 8) ? 0 : 4));
        finish(picture, executor);
        if (coefficients == 1) EXPECT_OK(v3doff_picture_reopen(picture));
    }
    expect_block(picture, 0, (128 << (bit_depth - 8)) - 1);
    expect_block(picture, 16, flat);
    v3doff_picture_close(&picture);
    v3doff_picture_close(&reference);
    v3doff_pool_destroy(&pool);
}

int main(void) {
    watch_log();
    for (int tx = 0; tx < 5; tx++)
        for (int type = 0; type < 4; type++)
            functions[tx][type] = nobodys;
    functions[2][V3DOFF_VP9_DCT_ADST] = unlike_any;
    v3doff_device *cpu = open_test_device(V3DOFF_MODE_CPU);
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    for (wide = 0; wide < 2; wide++)
        for (bit_depth = 8; bit_depth <= 12; bit_depth += 2) {
            run(cpu, V3DOFF_EXECUTOR_CPU);
            run(device, V3DOFF_EXECUTOR_GPU);
        }
    v3doff_device_destroy(&cpu);
    v3doff_device_destroy(&device);
    return 0;
}
