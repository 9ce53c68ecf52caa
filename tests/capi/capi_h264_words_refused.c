/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * H.264 words that are invalid, and wrong calls, are refused with one line in the log. The picture
 * stays as it was, and accepts right words afterwards.
 */
#include "capi_refused_words.h"
#include "generators/random_h264_words.h"

enum { width = 40, height = 24, columns = 3, rows = 2 }; /* in macroblocks */
enum { inter_16x16 = 8, inter_8x8 = 64, field = 1 << 7, list_0 = 3 << 12, list_1 = 3 << 14 };

static v3doff_picture *reference, *picture;
static v3doff_h264_words words;
static v3doff_h264_picture_info info;

static uint32_t mb_type[columns * rows];
static uint16_t slice_table[columns * rows];
static int8_t index_0[4 * columns * rows], index_1[4 * columns * rows];
static int16_t motion[16 * columns * rows][2];
static v3doff_h264_prediction prediction;
static v3doff_h264_arrays arrays;

static void right_arrays(void) {
    memset(index_0, 0, sizeof index_0);
    memset(index_1, 0, sizeof index_1);
    memset(slice_table, 0, sizeof slice_table);
    for (int i = 0; i < columns * rows; i++)
        mb_type[i] = inter_16x16 | list_0;
    memset(&prediction, V3DOFF_H264_NO_REFERENCE, sizeof prediction);
    prediction.weighting = V3DOFF_H264_WEIGHTS_DEFAULT;
    prediction.reference[0][0] = prediction.reference[1][0] = 0;
    arrays = (v3doff_h264_arrays){.struct_size = sizeof arrays, .mb_stride = columns};
    arrays.mb_type = mb_type;
    arrays.slice_table = slice_table;
    arrays.motion_stride = 4 * columns;
    arrays.motion_mb_stride = 16 * columns;
    arrays.motion[0] = arrays.motion[1] = (const int16_t(*)[2])motion;
    arrays.reference[0] = index_0;
    arrays.reference[1] = index_1;
    arrays.slice_count = 1;
    arrays.flags = V3DOFF_H264_ARRAYS_UNFILTERED;
    info = (v3doff_h264_picture_info){.struct_size = sizeof info};
    info.predictions = &prediction;
    info.reference[0] = reference;
    info.partial = 1;
}

static const int16_t block[16] = {320, 7};

static void blocks(int count) {
    for (int i = 0; i < count; i++)
        v3doff_h264_append_block(&words, block, sizeof block);
}

static void coded(uint16_t luma, uint16_t cb, uint16_t cr, int transform_8x8) {
    const v3doff_h264_macroblock macroblock = {1, 0, {luma, cb, cr}, transform_8x8, 0};
    v3doff_h264_append_inter(&words, &macroblock);
}

static void intra(v3doff_h264_kind kind, int transform_8x8, uint8_t mode, uint8_t chroma_mode) {
    const v3doff_h264_macroblock macroblock = {1, 0, {0, 0, 0}, transform_8x8, 0};
    v3doff_h264_intra what = {kind, {0}, chroma_mode, 0, 0};
    memset(what.mode, mode, sizeof what.mode);
    v3doff_h264_append_intra(&words, &macroblock, &what);
}

static void column_beside(void) {
    v3doff_h264_append_skipped(&words, columns, 0);
}
static void row_below(void) {
    v3doff_h264_append_skipped(&words, 0, rows);
}
static void far_away(void) {
    v3doff_h264_append_skipped(&words, 1023, 1023);
}
static void kind_5(void) {
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, (v3doff_h264_kind)5);
}
static void unknown_bit(void) {
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, V3DOFF_H264_INTER) | 1u << 31;
}
static void twice(void) {
    v3doff_h264_append_skipped(&words, 1, 0);
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void ends_before_coded(void) {
    coded(0, 0, 0, 0);
    words.macroblock -= 2;
}
static void ends_in_coded(void) {
    coded(0, 0, 0, 0);
    words.macroblock--;
}
static void ends_in_modes(void) {
    intra(V3DOFF_H264_INTRA_4X4, 0, 11, 6);
    words.macroblock--;
}
static void block_of_400(void) { /* a fifth one of 4:2:0's chroma */
    blocks(1);
    coded(0, 0, 16, 0);
}
static void fourth_plane(void) {
    coded(0, 0, 0, 0);
    words.macroblock[-1] = 1u << 16;
}
static void part_of_8x8(void) {
    blocks(3);
    coded(0x0070, 0, 0, 1);
}
static void coefficients_missing(void) {
    blocks(2);
    coded(7, 0, 0, 0);
}
static void coefficients_left(void) {
    blocks(2);
    coded(1, 0, 0, 0);
}
static void pcm_missing(void) {
    blocks(11); /* of 12 times 32 bytes */
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, V3DOFF_H264_PCM);
}
static void pcm_with_residual(void) {
    blocks(12);
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, V3DOFF_H264_PCM) | 1u << 24;
}
static void intra_alone(void) {
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, V3DOFF_H264_INTRA_4X4);
}
static void transform_of_4x4(void) {
    intra(V3DOFF_H264_INTRA_4X4, 1, 11, 6);
}
static void transform_of_8x8(void) {
    intra(V3DOFF_H264_INTRA_8X8, 0, 11, 6);
}
static void mode_12(void) {
    intra(V3DOFF_H264_INTRA_4X4, 0, 12, 6);
}
static void mode_7_of_16x16(void) {
    intra(V3DOFF_H264_INTRA_16X16, 0, 7, 6);
}
static void chroma_mode_11(void) {
    intra(V3DOFF_H264_INTRA_16X16, 0, 6, 11);
}
static void chroma_mode_by_far(void) {
    intra(V3DOFF_H264_INTRA_16X16, 0, 6, 6);
    words.macroblock[-1] = 0x106;
}
static void above_the_picture(void) {
    intra(V3DOFF_H264_INTRA_16X16, 0, 2, 6);
}
static void intra_type(void) {
    mb_type[1] = 1;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void no_list(void) {
    mb_type[1] = inter_16x16;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void no_list_of_quarter(void) {
    mb_type[1] = inter_8x8 | list_0;
    index_0[4 + 3] = -1;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void no_slice(void) {
    slice_table[1] = 0xffff;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void index_1_of_list_0(void) {
    index_0[4] = 1;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void index_127(void) {
    index_0[4] = 127;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void reference_16(void) {
    prediction.reference[0][0] = 16;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void reference_missing(void) {
    prediction.reference[0][0] = 1;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void weighting_3(void) {
    prediction.weighting = 3;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void denominator_8(void) {
    prediction.weighting = V3DOFF_H264_WEIGHTS_EXPLICIT;
    prediction.denominator[0] = 8;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void explicit_weights(int16_t weight, int16_t offset) {
    prediction.weighting = V3DOFF_H264_WEIGHTS_EXPLICIT;
    memset(prediction.denominator, 0, sizeof prediction.denominator);
    for (int p = 0; p < 3; p++) {
        prediction.weight[0][0][p] = 1;
        prediction.offset[0][0][p] = 0;
    }
    prediction.weight[0][0][2] = weight;
    prediction.offset[0][0][2] = offset;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void weight_129(void) {
    explicit_weights(129, 0);
}
static void offset_128(void) {
    explicit_weights(1, 128);
}
static void implicit_129(void) {
    mb_type[1] |= list_1;
    prediction.weighting = V3DOFF_H264_WEIGHTS_IMPLICIT;
    prediction.implicit[0][0] = 129;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void no_predictions(void) {
    info.predictions = NULL;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void some_missing(void) {
    info.partial = 0;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void no_picture(void) {
    info.reference[0] = NULL;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void the_picture_itself(void) {
    info.reference[3] = picture;
}
static void no_structure(void) {
    info.structure = (v3doff_h264_structure)3;
}
static void a_field(void) {
    info.structure = V3DOFF_H264_TOP_FIELD;
}
static void below_the_field(void) {
    a_field();
    v3doff_h264_append_skipped(&words, 0, rows - 1);
}
static void same_field(void) {
    a_field();
    info.reference[0] = picture; /* of which only the bottom field can be read */
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void itself_twice(void) {
    a_field();
    info.reference[2] = info.reference[3] = picture;
}
static void reference_32(void) {
    a_field();
    prediction.reference[0][0] = 32;
    v3doff_h264_append_skipped(&words, 1, 0);
}
static void mixed_pair(void) {
    arrays.flags |= V3DOFF_H264_ARRAYS_MBAFF;
    mb_type[columns] |= field;
    v3doff_h264_append_skipped(&words, 0, 1);
}
/* It reads above right, where the pair on the right is, which comes later. */
static void lower_frame_macroblock(void) {
    const v3doff_h264_macroblock macroblock = {0, 1, {0, 0, 0}, 0, 0};
    const v3doff_h264_intra what = {V3DOFF_H264_INTRA_4X4, {11, 11, 11, 11, 11, 3}, 6, 0, 0x0400};
    arrays.flags |= V3DOFF_H264_ARRAYS_MBAFF;
    v3doff_h264_append_intra(&words, &macroblock, &what);
}
static void no_field_implicit(void) {
    arrays.flags |= V3DOFF_H264_ARRAYS_MBAFF;
    prediction.weighting = V3DOFF_H264_WEIGHTS_IMPLICIT;
    for (int i = 0; i < columns * rows; i++)
        mb_type[i] |= field;
}

static const struct {
    void (*append)(void);
    const char *line;
} bad[] = {{column_beside, "picture cannot have"},
           {row_below, "picture cannot have"},
           {far_away, "picture cannot have"},
           {kind_5, "picture cannot have"},
           {unknown_bit, "picture cannot have"},
           {twice, "there twice"},
           {ends_before_coded, "ends inside"},
           {ends_in_coded, "ends inside"},
           {ends_in_modes, "ends inside"},
           {block_of_400, "a coded block"},
           {fourth_plane, "a coded block"},
           {part_of_8x8, "a part of an 8x8"},
           {coefficients_missing, "coefficients are missing"},
           {coefficients_left, "coefficients of no"},
           {pcm_missing, "coefficients are missing"},
           {pcm_with_residual, "PCM with"},
           {intra_alone, "without what is coded"},
           {transform_of_4x4, "another size"},
           {transform_of_8x8, "another size"},
           {mode_12, "mode"},
           {mode_7_of_16x16, "mode"},
           {chroma_mode_11, "mode"},
           {chroma_mode_by_far, "mode"},
           {above_the_picture, "outside"},
           {intra_type, "from nothing"},
           {no_list, "from nothing"},
           {no_list_of_quarter, "from nothing"},
           {no_slice, "from nothing"},
           {index_1_of_list_0, "a reference that"},
           {index_127, "a reference that"},
           {reference_16, "a reference that"},
           {reference_missing, "a reference that"},
           {no_picture, "a reference that"},
           {weighting_3, "weighting"},
           {denominator_8, "denominator"},
           {weight_129, "explicit weight"},
           {offset_128, "explicit weight"},
           {implicit_129, "implicit weight"},
           {no_predictions, "what slices predict from"},
           {some_missing, "macroblocks are missing"},
           {the_picture_itself, "the picture itself"},
           {no_structure, "structure"},
           {below_the_field, "picture cannot have"},
           {same_field, "a reference that"},
           {itself_twice, "itself twice"},
           {reference_32, "a reference that"},
           {mixed_pair, "a pair of a frame"},
           {lower_frame_macroblock, "outside"},
           {no_field_implicit, "without implicit weights"}};

static void begin_words(void) {
    memset(&words, 0, sizeof words);
    EXPECT_OK(v3doff_h264_make_room(picture, 0, &words, columns * rows));
}

static void end_words(void) {
    const v3doff_h264_structure structure =
        info.structure <= V3DOFF_H264_BOTTOM_FIELD ? info.structure : V3DOFF_H264_FRAME;
    EXPECT_OK(v3doff_h264_end_lane(picture, 0, &words));
    EXPECT_OK(v3doff_h264_record_rows(picture, structure, &arrays, 0, V3DOFF_H264_ALL_ROWS));
}

static void record_right_words(void) {
    right_arrays();
    begin_words();
    blocks(1);
    coded(1, 0, 0, 0);
    end_words();
    EXPECT_OK(v3doff_h264_record_picture(picture, &info));
}

/* A right macroblock, then a bad one. Refused words leave no trace. */
static void refuse_words(size_t number) {
    for (int discard = 0; discard < 2; discard++) {
        reopen_flat(picture);
        right_arrays();
        begin_words();
        v3doff_h264_append_skipped(&words, 0, 0);
        bad[number].append();
        end_words();
        BAD_ARGUMENT(v3doff_h264_record_picture(picture, &info), bad[number].line);
        if (discard)
            expect_right_after_discard(picture, record_right_words);
        else
            expect_nothing_left(picture);
    }
}

static void refuse_lanes(void) {
    memset(&words, 0, sizeof words);
    BAD_HANDLE(v3doff_h264_make_room(NULL, 0, &words, 1), "picture");
    BAD_HANDLE(v3doff_h264_end_lane(NULL, 0, &words), "picture");
    BAD_HANDLE(v3doff_h264_record_picture(NULL, &info), "picture");
    BAD_ARGUMENT(v3doff_h264_make_room(picture, V3DOFF_LANES, &words, 1), "lane");
    BAD_ARGUMENT(v3doff_h264_end_lane(picture, V3DOFF_LANES, &words), "lane");
    BAD_ARGUMENT(v3doff_h264_make_room(picture, 0, NULL, 1), "words");
    BAD_ARGUMENT(v3doff_h264_end_lane(picture, 0, NULL), "words");
    BAD_ARGUMENT(v3doff_h264_record_picture(picture, NULL), "info");
    begin_words();
    uint32_t **const pointers[] = {&words.macroblock, &words.coefficient, &words.macroblock_end,
                                   &words.coefficient_end};
    for (size_t i = 0; i < 4; i++)
        for (int by = -1; by < 2; by += 2) {
            uint32_t *const right = *pointers[i];
            /* Before the lane's beginning, behind its end, or at another end. */
            *pointers[i] += i < 2 && by > 0 ? *pointers[i + 2] - right + 1 : by;
            BAD_ARGUMENT(v3doff_h264_end_lane(picture, 0, &words), "words");
            BAD_ARGUMENT(v3doff_h264_make_room(picture, 0, &words, 1), "words");
            *pointers[i] = right;
        }
    EXPECT_OK(v3doff_h264_end_lane(picture, 0, &words));
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void refuse_again(void) {
    right_arrays();
    begin_words();
    v3doff_h264_append_skipped(&words, 0, 0);
    REFUSED(v3doff_h264_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE, "handed over");
    EXPECT_OK(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 0, 1));
    REFUSED(v3doff_h264_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE, "handed over");
    EXPECT_OK(v3doff_h264_record_rows(picture, V3DOFF_H264_FRAME, &arrays, 1, 1));
    EXPECT_OK(v3doff_h264_end_lane(picture, 0, &words));
    EXPECT_OK(v3doff_h264_record_picture(picture, &info));
    REFUSED(v3doff_h264_record_picture(picture, &info), V3DOFF_ERROR_INVALID_STATE, "recorded");
    REFUSED(v3doff_h264_make_room(picture, 0, &words, 1), V3DOFF_ERROR_INVALID_STATE, "recorded");
    EXPECT_OK(v3doff_picture_discard(picture));
}

static void refuse_other_size(v3doff_device *device) {
    v3doff_pool *other = open_test_pool(device, width + 1, height);
    v3doff_picture *larger = NULL;
    EXPECT_OK(v3doff_picture_open(&larger, other, NULL));
    right_arrays();
    begin_words();
    end_words();
    info.reference[1] = larger;
    BAD_ARGUMENT(v3doff_h264_record_picture(picture, &info), "another size");
    v3doff_picture_close(&larger);
    v3doff_pool_destroy(&other);
}

int main(void) {
    watch_log();
    flat_pictures pictures = {0};
    open_flat(&pictures, width, height);
    reference = pictures.reference;
    picture = pictures.picture;
    refuse_lanes();
    refuse_again();
    refuse_other_size(pictures.device);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_wait(picture, UINT64_MAX));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse_words(i);
    close_flat(&pictures);
    return 0;
}
