/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Invalid words are refused with one line in the log. The picture stays as it was, and accepts
 * right words afterwards.
 */
#include "capi_refused_words.h"
#include "generators/random_words.h"

enum { width = 72, height = 40 }; /* 9 by 5 blocks of 8x8 */

static v3doff_picture *reference, *picture;
static v3doff_vp9_words words;
static v3doff_vp9_picture_info info;

enum { size_64 = 0, size_8 = 9, size_4 = 12 };

static void inter(uint32_t row, uint32_t col, uint32_t size, uint32_t segment, int first,
                  int second) {
    static const int16_t vector[4][2][2] = {{{8, 16}, {24, 8}}};
    const v3doff_vp9_block block = {row, col, size, segment, 0};
    const int references[2] = {first, second};
    v3doff_vp9_append_inter(&words, &block, references, V3DOFF_VP9_FILTER_REGULAR, vector, 0);
}

static void intra(uint32_t col, uint32_t size, const uint8_t mode[4], uint32_t chroma_mode,
                  uint32_t tx) {
    const v3doff_vp9_block block = {0, col, size, 0, tx};
    v3doff_vp9_append_intra(&words, &block, mode, chroma_mode, col == 0);
}

static void transform(uint32_t plane, uint32_t x, uint32_t y, uint32_t tx, uint32_t coefficients,
                      uint32_t eob) {
    for (uint32_t i = 0; i < coefficients; i++)
        *words.coefficient++ = v3doff_vp9_coefficient(i % 16, 5);
    v3doff_vp9_append_transform(&words, plane, x, y, tx, V3DOFF_VP9_DCT_DCT, eob);
}

static void coefficient_at(uint32_t place, uint32_t plane, uint32_t tx, uint32_t eob) {
    *words.coefficient++ = v3doff_vp9_coefficient(place, -5);
    v3doff_vp9_append_transform(&words, plane, 0, 0, tx, V3DOFF_VP9_DCT_DCT, eob);
}

static const uint8_t dc[4] = {2, 2, 2, 2}, modes_10[4] = {10, 10, 10, 10};
static const uint8_t last_mode_15[4] = {0, 1, 9, 15};

static void tile_outside(void) {
    const v3doff_vp9_block block = {0, 0, size_8, 0, 0};
    v3doff_vp9_append_intra(&words, &block, dc, 2, 0);
}

static void begin_words(void) {
    memset(&words, 0, sizeof words);
    EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
}

static void record_right_words(void) {
    const random_words what = {width, height, V3DOFF_CHROMA_420, 1, 0, 3};
    EXPECT_OK(append_random_words(picture, 0, &what, 0, 2));
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
}

static void begin_right_words(void) {
    reopen_flat(picture);
    begin_words();
    inter(4, 0, size_8, 0, 0, -1);
}

static void end_words(void) {
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
}

#define REFUSED_WORDS(line, ...) REFUSED_BY(v3doff_vp9_record_picture, line, __VA_ARGS__)
/* The transforms of an inter block, which follows. */
#define REFUSED_TRANSFORM(line, ...) REFUSED_WORDS(line, __VA_ARGS__, inter(0, 0, size_8, 0, 0, -1))

static void refuse_blocks(void) {
    REFUSED_WORDS("picture cannot have", inter(5, 0, size_8, 0, 0, -1)); /* row below */
    REFUSED_WORDS("picture cannot have", inter(0, 9, size_8, 0, 0, -1)); /* column beside */
    REFUSED_WORDS("picture cannot have", inter(0, 0, 13, 0, 0, -1));
    REFUSED_WORDS("picture cannot have", inter(0, 0, 15, 0, 0, -1));
    REFUSED_WORDS("picture cannot have", inter(0, 0, size_8, 8, 0, -1));
    REFUSED_WORDS("picture cannot have", inter(0, 0, size_8, 255, 0, -1));
    REFUSED_WORDS("not aligned", inter(1, 0, size_64, 0, 0, -1)); /* row between */
    REFUSED_WORDS("not aligned", inter(0, 1, 6, 0, 0, -1));       /* 16x16 */
    REFUSED_WORDS("a reference that", inter(0, 0, size_8, 0, 3, -1));
    REFUSED_WORDS("a reference that", inter(0, 0, size_8, 0, 1, -1)); /* reference missing */
    REFUSED_WORDS("a reference that", inter(0, 0, size_8, 0, 0, 2));  /* second missing */
    REFUSED_WORDS("a reference that", inter(0, 0, size_8, 0, 0, 3));
    REFUSED_WORDS("ends inside a block", intra(0, size_8, dc, 2, 0),
                  words.block--); /* ends in block */
    REFUSED_WORDS("ends inside a block", inter(0, 0, size_4, 0, 0, 0),
                  words.block--); /* ends in vectors */
    REFUSED_WORDS("ends inside a block", inter(0, 0, size_8, 0, 0, -1),
                  words.block--); /* ends before vector */
    REFUSED_WORDS("transforms out of order", transform(0, 0, 0, 0, 1, 1),
                  inter(0, 0, size_8, 0, 0, -1), inter(0, 1, size_8, 0, 0, -1),
                  words.block[-3] = 0); /* less than the first block's */
    REFUSED_WORDS("transforms out of order", inter(0, 0, size_8, 0, 0, -1),
                  words.block[-3] = 1); /* transforms missing */
    REFUSED_WORDS("transforms out of order", inter(0, 0, size_8, 0, 0, -1),
                  words.block[-3] = 0xffffffff); /* transforms by far */
    REFUSED_WORDS("a mode", intra(0, size_8, modes_10, 2, 0));
    REFUSED_WORDS("a mode", intra(0, size_4, last_mode_15, 2, 0));
    REFUSED_WORDS("a mode", intra(0, size_8, dc, 10, 0));
    REFUSED_WORDS("a mode", intra(0, size_8, dc, 15, 0));
    REFUSED_WORDS("a tile", tile_outside());
    REFUSED_WORDS("none of its block's", transform(0, 4, 0, 0, 1, 1),
                  intra(0, size_8, dc, 2, 0)); /* the block to the right */
    REFUSED_WORDS("none of its block's", transform(0, 0, 0, 1, 1, 1),
                  intra(0, size_8, dc, 2, 0)); /* transform of other size */
    REFUSED_WORDS("none of its block's", transform(0, 1, 0, 0, 1, 1), transform(0, 0, 0, 0, 1, 1),
                  intra(0, size_8, dc, 2, 0));
}

static void refuse_transforms(void) {
    REFUSED_TRANSFORM("a plane that", transform(3, 0, 0, 0, 1, 1));
    REFUSED_TRANSFORM("outside the picture", transform(0, 128 / 4, 0, 0, 1, 1)); /* beyond right */
    REFUSED_TRANSFORM("outside the picture", transform(1, 0, 32 / 4, 0, 1, 1));  /* beyond bottom */
    REFUSED_TRANSFORM("outside the picture", transform(1, 64 / 4 - 7, 0, 3, 1, 1)); /* over right */
    REFUSED_TRANSFORM("outside the picture",
                      transform(0, 0, 64 / 4 - 7, 3, 1, 1)); /* over bottom */
    REFUSED_TRANSFORM("outside the picture", transform(0, 0x1fff, 0x1fff, 0, 1, 1));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 0, 1));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 17, 16));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 1, 0));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 5, 4));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 1, 17));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 3, 1, 0xffffffff));
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 1, 16),
                      words.transform[-2] += 1);
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 1, 16),
                      words.transform[-2] = 0xffffffff); /* coefficients by far */
    REFUSED_TRANSFORM("coefficients out of order", transform(0, 0, 0, 0, 2, 16),
                      transform(0, 1, 0, 0, 2, 16),
                      words.transform[-2] = 1); /* coefficients backwards */
    REFUSED_TRANSFORM("a coefficient outside", coefficient_at(16, 0, 0, 16));
    REFUSED_TRANSFORM("a coefficient outside", coefficient_at(1023, 2, 2, 256));
}

static void refuse_lossless(void) {
    begin_words();
    transform(0, 0, 0, 1, 1, 64);
    inter(0, 0, size_8, 0, 0, -1);
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    info.lossless = 1;
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "lossless");
    info.lossless = 0;
    EXPECT_OK(v3doff_picture_discard(picture));
}

/* Edges of such transforms might be marked outside the picture. */
static void refuse_filter(void) {
    info.filtered_rows = 1;
    begin_words();
    intra(0, size_8, dc, 2, 2);
    EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "larger than its block");
    EXPECT_OK(v3doff_picture_discard(picture));
    info.filtered_rows = 2;
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "filtered_rows");
    info.filtered_rows = 1;
    info.sharpness = 8;
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "sharpness");
    info.sharpness = 0;
    const uint8_t level = info.filter_level[7][3][1];
    info.filter_level[7][3][1] = 64;
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "filter_level");
    info.filter_level[7][3][1] = level;
    static v3doff_vp9_superblock superblocks[2];
    EXPECT_OK(v3doff_vp9_record_loopfilter(picture, 0, superblocks, 2));
    REFUSED(v3doff_vp9_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE, "recorded");
    info.filtered_rows = 0;
    EXPECT_OK(v3doff_picture_discard(picture));
}

/* Blocks of one superblock in two lanes. */
static void refuse_scattered(void) {
    for (uint32_t lane = 0; lane < 3; lane++) {
        memset(&words, 0, sizeof words);
        EXPECT_OK(v3doff_vp9_make_room(picture, lane, &words));
        intra(lane == 1 ? 8 : lane / 2, size_8, dc, 2, 0);
        EXPECT_OK(v3doff_vp9_end_lane(picture, lane, &words));
    }
    BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), "not together");
    EXPECT_OK(v3doff_picture_discard(picture));
}

int main(void) {
    watch_log();
    flat_pictures pictures = {0};
    open_flat(&pictures, width, height);
    reference = pictures.reference;
    picture = pictures.picture;
    const random_words what = {width, height, V3DOFF_CHROMA_420, 1, 0, 3};
    info = random_words_info(&what);
    info.reference[0] = reference;
    refuse_scattered();
    refuse_lossless();
    refuse_filter();
    submit_and_wait(picture);
    refuse_blocks();
    refuse_transforms();
    close_flat(&pictures);
    return 0;
}
