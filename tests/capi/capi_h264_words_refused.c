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

static void skip(uint32_t x, uint32_t y) {
    v3doff_h264_append_skipped(&words, x, y);
}

static void word(v3doff_h264_kind kind, uint32_t other_bits) {
    *words.macroblock++ = v3doff_h264_macroblock_word(1, 0, kind) | other_bits;
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

static void explicit_weights(int16_t weight, int16_t offset) {
    prediction.weighting = V3DOFF_H264_WEIGHTS_EXPLICIT;
    memset(prediction.denominator, 0, sizeof prediction.denominator);
    for (int p = 0; p < 3; p++) {
        prediction.weight[0][0][p] = 1;
        prediction.offset[0][0][p] = 0;
    }
    prediction.weight[0][0][2] = weight;
    prediction.offset[0][0][2] = offset;
    skip(1, 0);
}
static void a_field(void) {
    info.structure = V3DOFF_H264_TOP_FIELD;
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

static void begin_right_words(void) {
    reopen_flat(picture);
    right_arrays();
    begin_words();
    skip(0, 0);
}

#define REFUSED_WORDS(line, ...) REFUSED_BY(v3doff_h264_record_picture, line, __VA_ARGS__)

static void refuse_macroblocks(void) {
    REFUSED_WORDS("picture cannot have", skip(columns, 0)); /* column beside */
    REFUSED_WORDS("picture cannot have", skip(0, rows));    /* row below */
    REFUSED_WORDS("picture cannot have", skip(1023, 1023));
    REFUSED_WORDS("picture cannot have", word((v3doff_h264_kind)5, 0));
    REFUSED_WORDS("picture cannot have", word(V3DOFF_H264_INTER, 1u << 31)); /* unknown bit */
    REFUSED_WORDS("there twice", skip(1, 0), skip(1, 0));
    REFUSED_WORDS("ends inside", coded(0, 0, 0, 0), words.macroblock -= 2); /* ends before coded */
    REFUSED_WORDS("ends inside", coded(0, 0, 0, 0), words.macroblock--);    /* ends in coded */
    REFUSED_WORDS("ends inside", intra(V3DOFF_H264_INTRA_4X4, 0, 11, 6),
                  words.macroblock--); /* ends in modes */
    REFUSED_WORDS("a coded block", blocks(1),
                  coded(0, 0, 16, 0)); /* a fifth one of 4:2:0's chroma */
    REFUSED_WORDS("a coded block", coded(0, 0, 0, 0), words.macroblock[-1] = 1u << 16);
    REFUSED_WORDS("a part of an 8x8", blocks(3), coded(0x0070, 0, 0, 1)); /* part of 8x8 */
    REFUSED_WORDS("coefficients are missing", blocks(2), coded(7, 0, 0, 0));
    REFUSED_WORDS("coefficients of no", blocks(2), coded(1, 0, 0, 0)); /* coefficients left */
    REFUSED_WORDS("coefficients are missing", blocks(11),
                  word(V3DOFF_H264_PCM, 0)); /* of 12 times 32 bytes */
    REFUSED_WORDS("PCM with", blocks(12), word(V3DOFF_H264_PCM, 1u << 24)); /* pcm with residual */
    REFUSED_WORDS("without what is coded", word(V3DOFF_H264_INTRA_4X4, 0)); /* intra alone */
    REFUSED_WORDS("another size", intra(V3DOFF_H264_INTRA_4X4, 1, 11, 6));  /* transform of 4x4 */
    REFUSED_WORDS("another size", intra(V3DOFF_H264_INTRA_8X8, 0, 11, 6));  /* transform of 8x8 */
    REFUSED_WORDS("mode", intra(V3DOFF_H264_INTRA_4X4, 0, 12, 6));
    REFUSED_WORDS("mode", intra(V3DOFF_H264_INTRA_16X16, 0, 7, 6));
    REFUSED_WORDS("mode", intra(V3DOFF_H264_INTRA_16X16, 0, 6, 11));
    REFUSED_WORDS("mode", intra(V3DOFF_H264_INTRA_16X16, 0, 6, 6),
                  words.macroblock[-1] = 0x106);                       /* chroma mode by far */
    REFUSED_WORDS("outside", intra(V3DOFF_H264_INTRA_16X16, 0, 2, 6)); /* above the picture */
}

static void refuse_predictions(void) {
    REFUSED_WORDS("from nothing", mb_type[1] = 1, skip(1, 0));           /* intra type */
    REFUSED_WORDS("from nothing", mb_type[1] = inter_16x16, skip(1, 0)); /* no list */
    REFUSED_WORDS("from nothing", mb_type[1] = inter_8x8 | list_0, index_0[4 + 3] = -1,
                  skip(1, 0)); /* no list of quarter */
    REFUSED_WORDS("from nothing", slice_table[1] = 0xffff, skip(1, 0));
    REFUSED_WORDS("a reference that", index_0[4] = 1, skip(1, 0));
    REFUSED_WORDS("a reference that", index_0[4] = 127, skip(1, 0));
    REFUSED_WORDS("a reference that", prediction.reference[0][0] = 16, skip(1, 0));
    REFUSED_WORDS("a reference that", prediction.reference[0][0] = 1,
                  skip(1, 0));                                               /* reference missing */
    REFUSED_WORDS("a reference that", info.reference[0] = NULL, skip(1, 0)); /* no picture */
    REFUSED_WORDS("weighting", prediction.weighting = 3, skip(1, 0));
    REFUSED_WORDS("denominator", prediction.weighting = V3DOFF_H264_WEIGHTS_EXPLICIT,
                  prediction.denominator[0] = 8, skip(1, 0));
    REFUSED_WORDS("explicit weight", explicit_weights(129, 0));
    REFUSED_WORDS("explicit weight", explicit_weights(1, 128));
    REFUSED_WORDS("implicit weight", mb_type[1] |= list_1,
                  prediction.weighting = V3DOFF_H264_WEIGHTS_IMPLICIT,
                  prediction.implicit[0][0] = 129, skip(1, 0));
    REFUSED_WORDS("what slices predict from", info.predictions = NULL, skip(1, 0));
    REFUSED_WORDS("macroblocks are missing", info.partial = 0, skip(1, 0));
    REFUSED_WORDS("the picture itself", info.reference[3] = picture);
    REFUSED_WORDS("structure", info.structure = (v3doff_h264_structure)3);
    REFUSED_WORDS("picture cannot have", a_field(), skip(0, rows - 1)); /* below the field */
    REFUSED_WORDS("a reference that", a_field(), info.reference[0] = picture,
                  skip(1, 0)); /* only its bottom field can be read */
    REFUSED_WORDS("itself twice", a_field(), info.reference[2] = info.reference[3] = picture);
    REFUSED_WORDS("a reference that", a_field(), prediction.reference[0][0] = 32, skip(1, 0));
    REFUSED_WORDS("a pair of a frame", arrays.flags |= V3DOFF_H264_ARRAYS_MBAFF,
                  mb_type[columns] |= field, skip(0, 1)); /* mixed pair */
    REFUSED_WORDS("outside", lower_frame_macroblock());
    REFUSED_WORDS("without implicit weights", no_field_implicit());
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
    skip(0, 0);
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
    v3doff_picture *larger = open_test_picture(other);
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
    submit_and_wait(picture);
    refuse_macroblocks();
    refuse_predictions();
    close_flat(&pictures);
    return 0;
}
