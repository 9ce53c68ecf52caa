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

static const uint8_t dc[4] = {2, 2, 2, 2};

static void row_below(void) {
    inter(5, 0, size_8, 0, 0, -1);
}
static void column_beside(void) {
    inter(0, 9, size_8, 0, 0, -1);
}
static void size_13(void) {
    inter(0, 0, 13, 0, 0, -1);
}
static void size_15(void) {
    inter(0, 0, 15, 0, 0, -1);
}
static void row_between(void) {
    inter(1, 0, size_64, 0, 0, -1);
}
static void column_between(void) {
    inter(0, 1, 6, 0, 0, -1);
} /* 16x16 */
static void segment_8(void) {
    inter(0, 0, size_8, 8, 0, -1);
}
static void segment_255(void) {
    inter(0, 0, size_8, 255, 0, -1);
}
static void reference_3(void) {
    inter(0, 0, size_8, 0, 3, -1);
}
static void reference_missing(void) {
    inter(0, 0, size_8, 0, 1, -1);
}
static void second_missing(void) {
    inter(0, 0, size_8, 0, 0, 2);
}
static void second_3(void) {
    inter(0, 0, size_8, 0, 0, 3);
}

static void ends_in_block(void) {
    intra(0, size_8, dc, 2, 0);
    words.block--;
}
static void ends_in_vectors(void) {
    inter(0, 0, size_4, 0, 0, 0);
    words.block--;
}
static void ends_before_vector(void) {
    inter(0, 0, size_8, 0, 0, -1);
    words.block--;
}
static void transforms_backwards(void) {
    transform(0, 0, 0, 0, 1, 1);
    inter(0, 0, size_8, 0, 0, -1);
    inter(0, 1, size_8, 0, 0, -1);
    words.block[-3] = 0; /* of the second block, less than the first one's */
}
static void transforms_missing(void) {
    inter(0, 0, size_8, 0, 0, -1);
    words.block[-3] = 1;
}
static void transforms_by_far(void) {
    inter(0, 0, size_8, 0, 0, -1);
    words.block[-3] = 0xffffffff;
}

static void mode_10(void) {
    const uint8_t modes[4] = {10, 10, 10, 10};
    intra(0, size_8, modes, 2, 0);
}
static void mode_of_last_quarter(void) {
    const uint8_t modes[4] = {0, 1, 9, 15};
    intra(0, size_4, modes, 2, 0);
}
static void chroma_mode_10(void) {
    intra(0, size_8, dc, 10, 0);
}
static void chroma_mode_15(void) {
    intra(0, size_8, dc, 15, 0);
}
static void tile_outside(void) {
    const v3doff_vp9_block block = {0, 0, size_8, 0, 0};
    v3doff_vp9_append_intra(&words, &block, dc, 2, 0);
}
static void transform_of_nobody(void) {
    transform(0, 4, 0, 0, 1, 1); /* of the block to the right */
    intra(0, size_8, dc, 2, 0);
}
static void transform_of_other_size(void) {
    transform(0, 0, 0, 1, 1, 1);
    intra(0, size_8, dc, 2, 0);
}
static void transforms_out_of_order(void) {
    transform(0, 1, 0, 0, 1, 1);
    transform(0, 0, 0, 0, 1, 1);
    intra(0, size_8, dc, 2, 0);
}

static void plane_3(void) {
    transform(3, 0, 0, 0, 1, 1);
}
static void beyond_right(void) {
    transform(0, 128 / 4, 0, 0, 1, 1);
}
static void beyond_bottom(void) {
    transform(1, 0, 32 / 4, 0, 1, 1);
}
static void over_right(void) {
    transform(1, 64 / 4 - 7, 0, 3, 1, 1);
}
static void over_bottom(void) {
    transform(0, 0, 64 / 4 - 7, 3, 1, 1);
}
static void far_away(void) {
    transform(0, 0x1fff, 0x1fff, 0, 1, 1);
}
static void no_coefficient(void) {
    transform(0, 0, 0, 0, 0, 1);
}
static void coefficients_17(void) {
    transform(0, 0, 0, 0, 17, 16);
}
static void eob_0(void) {
    transform(0, 0, 0, 0, 1, 0);
}
static void eob_less(void) {
    transform(0, 0, 0, 0, 5, 4);
}
static void eob_17(void) {
    transform(0, 0, 0, 0, 1, 17);
}
static void eob_by_far(void) {
    transform(0, 0, 0, 3, 1, 0xffffffff);
}
static void coefficients_missing(void) {
    transform(0, 0, 0, 0, 1, 16);
    words.transform[-2] += 1;
}
static void coefficients_by_far(void) {
    transform(0, 0, 0, 0, 1, 16);
    words.transform[-2] = 0xffffffff;
}
static void coefficients_backwards(void) {
    transform(0, 0, 0, 0, 2, 16);
    transform(0, 1, 0, 0, 2, 16);
    words.transform[-2] = 1;
}
static void place_16(void) {
    *words.coefficient++ = v3doff_vp9_coefficient(16, 5);
    v3doff_vp9_append_transform(&words, 0, 0, 0, 0, 0, 16);
}
static void place_1023(void) {
    *words.coefficient++ = v3doff_vp9_coefficient(1023, -5);
    v3doff_vp9_append_transform(&words, 2, 0, 0, 2, 0, 256);
}

static const struct {
    void (*append)(void);
    const char *line;
    int of_inter; /* the transforms of an inter block, which follows */
} bad[] = {{row_below, "picture cannot have", 0},
           {column_beside, "picture cannot have", 0},
           {size_13, "picture cannot have", 0},
           {size_15, "picture cannot have", 0},
           {segment_8, "picture cannot have", 0},
           {segment_255, "picture cannot have", 0},
           {row_between, "not aligned", 0},
           {column_between, "not aligned", 0},
           {reference_3, "a reference that", 0},
           {reference_missing, "a reference that", 0},
           {second_missing, "a reference that", 0},
           {second_3, "a reference that", 0},
           {ends_in_block, "ends inside a block", 0},
           {ends_in_vectors, "ends inside a block", 0},
           {ends_before_vector, "ends inside a block", 0},
           {transforms_backwards, "transforms out of order", 0},
           {transforms_missing, "transforms out of order", 0},
           {transforms_by_far, "transforms out of order", 0},
           {mode_10, "a mode", 0},
           {mode_of_last_quarter, "a mode", 0},
           {chroma_mode_10, "a mode", 0},
           {chroma_mode_15, "a mode", 0},
           {tile_outside, "a tile", 0},
           {transform_of_nobody, "none of its block's", 0},
           {transform_of_other_size, "none of its block's", 0},
           {transforms_out_of_order, "none of its block's", 0},
           {plane_3, "a plane that", 1},
           {beyond_right, "outside the picture", 1},
           {beyond_bottom, "outside the picture", 1},
           {over_right, "outside the picture", 1},
           {over_bottom, "outside the picture", 1},
           {far_away, "outside the picture", 1},
           {no_coefficient, "coefficients out of order", 1},
           {coefficients_17, "coefficients out of order", 1},
           {eob_0, "coefficients out of order", 1},
           {eob_less, "coefficients out of order", 1},
           {eob_17, "coefficients out of order", 1},
           {eob_by_far, "coefficients out of order", 1},
           {coefficients_missing, "coefficients out of order", 1},
           {coefficients_by_far, "coefficients out of order", 1},
           {coefficients_backwards, "coefficients out of order", 1},
           {place_16, "a coefficient outside", 1},
           {place_1023, "a coefficient outside", 1}};

static void begin_words(void) {
    memset(&words, 0, sizeof words);
    EXPECT_OK(v3doff_vp9_make_room(picture, 0, &words));
}

static void record_right_words(void) {
    const random_words what = {width, height, V3DOFF_CHROMA_420, 1, 0, 3};
    EXPECT_OK(append_random_words(picture, 0, &what, 0, 2));
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
}

/* A right block, then a bad one. Refused words leave no trace after a submit or a discard. */
static void refuse_words(size_t number) {
    for (int discard = 0; discard < 2; discard++) {
        reopen_flat(picture);
        begin_words();
        inter(4, 0, size_8, 0, 0, -1);
        bad[number].append();
        if (bad[number].of_inter) inter(0, 0, size_8, 0, 0, -1);
        EXPECT_OK(v3doff_vp9_end_lane(picture, 0, &words));
        BAD_ARGUMENT(v3doff_vp9_record_picture(picture, &info), bad[number].line);
        if (discard)
            expect_right_after_discard(picture, record_right_words);
        else
            expect_nothing_left(picture);
    }
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
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_words(i);
    close_flat(&pictures);
    return 0;
}
