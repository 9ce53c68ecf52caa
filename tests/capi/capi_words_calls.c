/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls for pictures of words that are wrong are refused with one line of the log. */
#include "capi_refused.h"
#include "generators/random_words.h"

enum { width = 72, height = 40 };

static v3doff_pool *pool;
static v3doff_picture *picture;
static v3doff_vp9_words words;
static v3doff_vp9_picture_info info;

static void begin_words(void) {
    memset(&words, 0, sizeof words);
    EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
}

static void refuse_lanes(void) {
    memset(&words, 0, sizeof words);
    BAD_HANDLE(v3doff_vp9_make_room(NULL, 0, &words), "picture");
    BAD_HANDLE(v3doff_vp9_end_lane(NULL, 0, &words), "picture");
    BAD_ARGUMENT(v3doff_vp9_make_room(picture, V3DOFF_LANES, &words), "lane");
    BAD_ARGUMENT(v3doff_vp9_end_lane(picture, V3DOFF_LANES, &words), "lane");
    BAD_ARGUMENT(v3doff_vp9_make_room(picture, 0, NULL), "words");
    BAD_ARGUMENT(v3doff_vp9_end_lane(picture, 0, NULL), "words");
    begin_words();
    uint32_t **const pointers[] = {&words.block,     &words.transform,     &words.coefficient,
                                   &words.block_end, &words.transform_end, &words.coefficient_end};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        for (int by = -1; by < 2; by += 2) {
            uint32_t *const right = *pointers[i];
            /* Before the lane's beginning, behind its end, or at another end. */
            *pointers[i] += i < 3 && by > 0 ? *pointers[i + 3] - right + 1 : by;
            BAD_ARGUMENT(v3doff_vp9_end_lane(picture, 0, &words), "words");
            BAD_ARGUMENT(v3doff_vp9_make_room(picture, 0, &words), "words");
            *pointers[i] = right;
        }
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
}

static v3doff_picture *other_picture(v3doff_device *device, uint32_t w, uint32_t h, uint32_t depth,
                                     v3doff_chroma chroma) {
    v3doff_pool *made = open_format_pool(device, w, h, depth, chroma);
    v3doff_picture *result = NULL;
    EXPECT_OK(v3doff_picture_open(&result, made, NULL));
    v3doff_pool_destroy(&made);
    return result;
}

static void refuse_reference(v3doff_picture *bad_one, v3doff_result expected, const char *line) {
    info.reference[2] = bad_one;
    REFUSED(v3doff_vp9_record_picture(picture, &info), expected, line);
    info.reference[2] = NULL;
    if (bad_one != picture) v3doff_picture_close(&bad_one);
}

/* It may be named while it is recorded, but is to be submitted first. */
static void refuse_until_submitted(v3doff_picture *reference) {
    info.reference[2] = reference;
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    info.reference[2] = NULL;
    v3doff_pass pass = {.struct_size = sizeof pass};
    EXPECT_RESULT(v3doff_picture_get_pass(picture, 0, &pass), V3DOFF_NOT_READY);
    EXPECT_OK(v3doff_picture_prepare(picture));
    EXPECT_RESULT(v3doff_picture_get_pass(picture, 1000, &pass), V3DOFF_NOT_READY);
    REFUSED(v3doff_picture_submit(picture, NULL), V3DOFF_ERROR_INVALID_STATE, "not submitted");
    EXPECT_OK(v3doff_picture_submit(reference, NULL));
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_RESULT(v3doff_picture_prepare(picture), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT_OK(v3doff_picture_reopen(picture));
    v3doff_picture_close(&reference);
}

static void refuse_references(v3doff_device *device) {
    static const uint32_t sizes[][2] = {{2 * width + 1, height},
                                        {width, 2 * height + 1},
                                        {width / 16, height},
                                        {width, height / 16}};
    const v3doff_chroma chroma = V3DOFF_CHROMA_420;
    for (int i = 0; i < 4; i++)
        refuse_reference(other_picture(device, sizes[i][0], sizes[i][1], 8, chroma),
                         V3DOFF_ERROR_INVALID_ARGUMENT, "info->reference");
    refuse_reference(other_picture(device, width, height, 10, chroma),
                     V3DOFF_ERROR_INVALID_ARGUMENT, "info->reference");
    refuse_reference(other_picture(device, width, height, 8, V3DOFF_CHROMA_444),
                     V3DOFF_ERROR_INVALID_ARGUMENT, "info->reference");
    v3doff_device *second = open_test_device(V3DOFF_MODE_CPU);
    refuse_reference(other_picture(second, width, height, 8, chroma), V3DOFF_ERROR_INVALID_ARGUMENT,
                     "info->reference");
    v3doff_device_destroy(&second);
    refuse_reference(picture, V3DOFF_ERROR_INVALID_ARGUMENT, "the picture itself");
    v3doff_picture *open = other_picture(device, width, height, 8, chroma);
    record_something(open, 1);
    refuse_until_submitted(open);
}

static void expect_unsupported(v3doff_picture *of) {
    v3doff_vp9_picture_info whole = {.struct_size = sizeof whole};
    EXPECT_RESULT(v3doff_vp9_record_picture(of, &whole), V3DOFF_ERROR_UNSUPPORTED);
    v3doff_picture_close(&of);
}

/* In the caller's memory; with or without room for whole superblocks. */
static v3doff_picture *borrowed_picture(int with_room) {
    enum { room_width = 128, room_height = 64 };
    static _Alignas(64) uint8_t memory[3][room_width * room_height];
    v3doff_planes planes = {.struct_size = sizeof planes, .count = 3};
    for (uint32_t p = 0; p < 3; p++) {
        planes.data[p] = memory[p];
        planes.stride[p] = room_width;
        if (with_room) {
            planes.padded_width[p] = room_width >> (p > 0);
            planes.padded_height[p] = room_height >> (p > 0);
        }
    }
    v3doff_picture *result = NULL;
    EXPECT_OK(v3doff_picture_open(&result, pool, &planes));
    return result;
}

static void refuse_pictures(v3doff_device *device) {
    expect_unsupported(other_picture(device, width, height, 8, V3DOFF_CHROMA_400));
    expect_unsupported(other_picture(device, width, height, 9, V3DOFF_CHROMA_420));
    expect_unsupported(other_picture(device, width, height, 14, V3DOFF_CHROMA_420));
    expect_unsupported(borrowed_picture(0));
    expect_unsupported(borrowed_picture(1));
}

static void refuse_calls(void) {
    BAD_HANDLE(v3doff_vp9_record_picture(NULL, &info), "picture");
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, NULL), "info");
    info.struct_size = 0;
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "struct_size");
    info.struct_size = sizeof info;
    begin_words();
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    REFUSED(v3doff_vp9_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE, "recorded");
    REFUSED(v3doff_vp9_make_room(picture, 0, &words), V3DOFF_ERROR_INVALID_STATE, "recorded");
    REFUSED(v3doff_vp9_end_lane(picture, 0, &words), V3DOFF_ERROR_INVALID_STATE, "recorded");
    EXPECT_OK(v3doff_picture_discard(picture));
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_RESULT(v3doff_vp9_make_room(picture, 0, &words), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_RESULT(v3doff_vp9_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE);
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    EXPECT_OK(v3doff_picture_reopen(picture));
}

int main(void) {
    watch_log();
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    pool = open_test_pool(device, width, height);
    EXPECT_OK(v3doff_picture_open(&picture, pool, NULL));
    const random_words what = {width, height, V3DOFF_CHROMA_420, 0, 0, 3};
    info = random_words_info(&what);
    refuse_calls();
    refuse_lanes();
    refuse_references(device);
    refuse_pictures(device);
    v3doff_picture_close(&picture);
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);
    return 0;
}
