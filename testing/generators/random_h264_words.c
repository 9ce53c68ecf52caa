/* SPDX-License-Identifier: BSD-2-Clause */
#include "generators/random_h264_words.h"

#include <stdlib.h>

enum { rows_of_slice = 2, most_references = 16 };
/* FFmpeg's numbers of macroblock types. */
enum {
    intra_4x4 = 1,
    intra_16x16 = 2,
    pcm = 4,
    whole = 8,
    halves = 16,
    columns = 32,
    quarters = 64
};
enum { interlaced = 1 << 7, uses_list_0 = 3 << 12, uses_list_1 = 3 << 14, transform_8x8 = 1 << 24 };
enum { any_intra = intra_4x4 | intra_16x16 | pcm };

typedef struct tables {
    uint32_t *mb_type;
    int8_t *qp, *reference[2];
    uint16_t *slice_table;
    uint8_t (*non_zero_count)[48];
    int16_t (*motion[2])[2];
    v3doff_h264_slice *slices;
    v3doff_h264_prediction *predictions;
    uint8_t (*field_pictures)[2][32];
    int16_t (*field_implicit)[2][32][32];
} tables;

typedef struct walk {
    random_h264_picture *of;
    tables *to;
    v3doff_h264_words words;
    uint32_t x, y, slice;
    int field;
    int left[2], above, corner, above_right; /* of the macroblock: there, in its slice; by half */
    unsigned state;
} walk;

static unsigned below(walk *w, unsigned bound) {
    w->state = w->state * 1664525u + 1013904223u;
    return (w->state >> 8) % bound;
}

static int between(walk *w, int least, int most) {
    return least + (int)below(w, (unsigned)(most - least + 1));
}

/* A mode of 4x4 or 8x8 blocks whose neighbours are there. */
static uint8_t mode_of(walk *w, int left, int above, int corner) {
    static const uint8_t needs[12] = {2, 1, 3, 2, 7, 7, 7, 2, 1, 1, 2, 0};
    const unsigned there = (unsigned)(left | above << 1 | (left && above && corner) << 2);
    for (;;) {
        const unsigned mode = below(w, 12);
        if ((needs[mode] & ~there) == 0) return (uint8_t)mode;
    }
}

/* A mode of 16x16, or of chroma. There are modes of chroma for either half of the left side: 8 is
 * the upper half, 16 the lower one. */
static uint8_t whole_mode_of(walk *w, unsigned modes) {
    static const uint8_t needs[11] = {3, 1, 2, 7, 1, 2, 0, 8 | 2, 16 | 2, 8, 16};
    const unsigned left = w->left[0] && w->left[1];
    const unsigned there = left | (unsigned)(w->above << 1 | w->corner << 2) |
                           (unsigned)(w->left[0] << 3 | w->left[1] << 4);
    for (;;) {
        const unsigned mode = below(w, modes);
        if ((needs[mode] & ~there) == 0) return (uint8_t)mode;
    }
}

/* Appends the coefficients of this number of 4x4 blocks, or their residual. */
static void append_blocks(walk *w, unsigned blocks, int bypass) {
    int16_t narrow[64] = {0};
    int32_t wide[64] = {0};
    const int most = (bypass || below(w, 8) ? 120 : 3000) << (w->of->what.bit_depth - 8);
    const unsigned count = below(w, 3) ? 1 + below(w, 8) : 1;
    for (unsigned i = 0; i < count; i++) {
        const unsigned place = count == 1 ? 0 : below(w, blocks * 16);
        wide[place] = between(w, -most, most);
        narrow[place] = (int16_t)wide[place];
    }
    if (w->of->what.bit_depth > 8)
        v3doff_h264_append_block(&w->words, wide, blocks * 64);
    else
        v3doff_h264_append_block(&w->words, narrow, blocks * 32);
}

static void append_residual(walk *w, v3doff_h264_macroblock *macroblock) {
    const v3doff_chroma chroma = w->of->what.chroma;
    const unsigned one_in = 2 + below(w, 6);
    for (int p = 0; p < (chroma == V3DOFF_CHROMA_400 ? 1 : 3); p++) {
        const int as_luma = p == 0 || chroma == V3DOFF_CHROMA_444;
        const unsigned count = as_luma ? 16 : chroma == V3DOFF_CHROMA_422 ? 8 : 4;
        const unsigned step = as_luma && macroblock->transform_8x8 ? 4 : 1;
        for (unsigned i = 0; i < count; i += step) {
            if (below(w, one_in)) continue;
            append_blocks(w, step, macroblock->bypass);
            macroblock->coded[p] |= (uint16_t)((step == 4 ? 15u : 1u) << i);
        }
    }
}

static void fill_neighbours(walk *w, v3doff_h264_intra *intra) {
    const int edge = intra->kind == V3DOFF_H264_INTRA_8X8 ? 2 : 1; /* in 4x4 blocks */
    for (int i = 0; i < 16; i += edge * edge) {
        const int x = (i & 1) | (i >> 1 & 2), y = (i >> 1 & 1) | (i >> 2 & 2);
        const int left = x || w->left[y / 2], above = y || w->above;
        const int corner = x && y ? 1 : x ? w->above : y ? w->left[y / 2] : w->corner;
        /* Above right and inside the macroblock: decoded before it or not. */
        const int inside = edge == 2 ? i == 8 : !(0xa888 >> i & 1);
        const int right = y ? inside : x + edge < 4 ? w->above : w->above_right;
        intra->mode[i] = mode_of(w, left, above, corner);
        intra->top_left |= (uint16_t)(corner << (15 - i));
        intra->top_right |= (uint16_t)(right << (edge == 2 ? 14 - i : 15 - i));
    }
}

static uint32_t append_intra(walk *w, v3doff_h264_macroblock *macroblock) {
    static const uint32_t types[] = {intra_4x4, intra_4x4 | transform_8x8, intra_16x16};
    v3doff_h264_intra intra = {.chroma_mode = whole_mode_of(w, 11)};
    const unsigned kind = below(w, 3);
    intra.kind = (v3doff_h264_kind)(V3DOFF_H264_INTRA_4X4 + kind);
    if (kind == 2)
        intra.mode[0] = whole_mode_of(w, 7);
    else
        fill_neighbours(w, &intra);
    macroblock->bypass = below(w, 8) == 0;
    if (macroblock->bypass && w->of->what.bit_depth > 8) {
        /* No sum may exceed the bit depth, so no sample is predicted from others. */
        memset(intra.mode, kind == 2 ? 6 : 11, sizeof intra.mode);
        intra.chroma_mode = 6;
    }
    macroblock->transform_8x8 = kind == 1 && !macroblock->bypass;
    append_residual(w, macroblock);
    v3doff_h264_append_intra(&w->words, macroblock, &intra);
    return types[kind];
}

static uint32_t append_pcm(walk *w) {
    static const unsigned samples[] = {256, 384, 512, 512, 768};
    const v3doff_chroma chroma = w->of->what.chroma;
    const unsigned count = chroma == V3DOFF_CHROMA_400   ? samples[0]
                           : chroma == V3DOFF_CHROMA_420 ? samples[1]
                           : chroma == V3DOFF_CHROMA_444 ? samples[4]
                                                         : samples[2];
    uint16_t wide[768];
    uint8_t narrow[768];
    for (unsigned i = 0; i < count; i++) {
        wide[i] = (uint16_t)below(w, 1u << w->of->what.bit_depth);
        narrow[i] = (uint8_t)wide[i];
    }
    const int deep = w->of->what.bit_depth > 8;
    v3doff_h264_append_pcm(&w->words, w->x, w->y, deep ? (void *)wide : (void *)narrow,
                           (size_t)count << deep);
    return pcm;
}

/* Indices of 8x8 blocks and vectors of 4x4 blocks; in a quarter all of them are the same, or not.
 */
static void fill_list(walk *w, int list, uint32_t type, int8_t index[4], int16_t vector[16][2]) {
    const int reach = below(w, 6) ? 60 : 4000, uniform = (int)below(w, 2);
    for (unsigned i = 0; i < 4; i++) {
        const int most = w->field ? 7 : 3;
        index[i] = (int8_t)(list && type & quarters && below(w, 2) ? -1 : between(w, 0, most));
        for (unsigned k = 0; k < 4; k++) {
            const unsigned at = i / 2 * 8 + i % 2 * 2 + k / 2 * 4 + k % 2;
            const unsigned first = i / 2 * 8 + i % 2 * 2;
            vector[at][0] = k && uniform ? vector[first][0] : (int16_t)between(w, -reach, reach);
            vector[at][1] = k && uniform ? vector[first][1] : (int16_t)between(w, -reach, reach);
        }
    }
    /* Partitions have one index and one vector, which stand at their first block. */
    for (unsigned i = 0; i < 16 && !(type & quarters); i++) {
        const unsigned from = type & whole ? 0 : type & halves ? i & 8 : i & 2;
        memcpy(vector[i], vector[from], sizeof vector[i]);
        index[i / 8 * 2 + i % 4 / 2] = index[from / 8 * 2 + from % 4 / 2];
    }
}

static uint32_t fill_motion(walk *w) {
    static const uint32_t shapes[] = {whole, halves, columns, quarters, quarters};
    const uint32_t lists = below(w, 3) == 0 ? uses_list_1 : 0;
    const uint32_t type = shapes[below(w, 5)] | uses_list_0 | lists;
    const size_t stride = w->of->arrays.motion_stride;
    for (int list = 0; list < 2; list++) {
        int16_t vector[16][2];
        int8_t *const index = &w->to->reference[list][4 * (w->y * w->of->mb_width + w->x)];
        fill_list(w, list, type, index, vector);
        for (unsigned i = 0; i < 4; i++)
            memcpy(w->to->motion[list][(w->y * 4 + i) * stride + w->x * 4], vector[4 * i], 16);
    }
    return type;
}

/* The same motion as the macroblock on the left, which is in the slice and predicted from other
 * pictures. */
static uint32_t repeat_motion(walk *w) {
    const size_t at = w->y * w->of->mb_width + w->x, stride = w->of->arrays.motion_stride;
    for (int list = 0; list < 2; list++) {
        int8_t *const index = &w->to->reference[list][4 * at];
        memcpy(index, index - 4, 4);
        for (unsigned i = 0; i < 4; i++) {
            int16_t(*const vector)[2] = &w->to->motion[list][(w->y * 4 + i) * stride + w->x * 4];
            memcpy(vector, vector - 4, 16);
        }
    }
    return w->to->mb_type[at - 1] & ~(uint32_t)(transform_8x8 | interlaced);
}

static uint32_t append_inter(walk *w, v3doff_h264_macroblock *macroblock) {
    const size_t at = w->y * w->of->mb_width + w->x;
    const int beside = w->x > 0 && w->to->slice_table[at - 1] == w->to->slice_table[at];
    const int repeats = beside && !(w->to->mb_type[at - 1] & any_intra) && below(w, 2);
    uint32_t type = repeats ? repeat_motion(w) : fill_motion(w);
    if (below(w, 3) == 0) {
        v3doff_h264_append_skipped(&w->words, w->x, w->y);
        return type;
    }
    macroblock->bypass = w->of->what.bit_depth == 8 && below(w, 8) == 0;
    macroblock->transform_8x8 = !macroblock->bypass && below(w, 2) != 0;
    if (macroblock->transform_8x8) type |= transform_8x8;
    append_residual(w, macroblock);
    v3doff_h264_append_inter(&w->words, macroblock);
    return type;
}

/* Whether samples of a column of macroblocks, in a line of the picture, may be used: they are in
 * the slice, and with constrained_intra_pred_flag in an intra macroblock. */
static int is_there(const walk *w, int64_t x, int64_t line) {
    const random_h264_picture *of = w->of;
    const unsigned pairs = of->what.mbaff != 0;
    if (x < 0 || x >= of->mb_width || line < 0) return 0;
    const size_t row = (size_t)line >> (4 + pairs);
    if (row * of->mb_width + (size_t)x < (size_t)w->slice * of->slice_length) return 0;
    if (!pairs || of->what.seed % 2 == 0) return 1;
    const uint32_t *const upper = &w->to->mb_type[row * 2 * of->mb_width + (size_t)x];
    const int lower = *upper & interlaced ? line & 1 : line >> 4 & 1;
    return (upper[lower ? of->mb_width : 0] & any_intra) != 0;
}

/* All of them are lines beside the macroblock's own ones, or above the first of these. */
static void find_neighbours(walk *w) {
    const int lower_frame = w->of->what.mbaff && !w->field && w->y % 2;
    const int64_t step = 1 + w->field, x = w->x;
    const int64_t first = w->field ? (int64_t)(w->y & ~1u) * 16 + (w->y & 1) : (int64_t)w->y * 16;
    for (int half = 0; half < 2; half++) {
        w->left[half] = 1;
        for (int line = half * 8; line < half * 8 + 8; line++)
            w->left[half] &= is_there(w, x - 1, first + line * step);
    }
    w->above = is_there(w, x, first - step);
    w->corner = is_there(w, x - 1, first - step);
    w->above_right = !lower_frame && is_there(w, x + 1, first - step);
}

static void append_macroblock(walk *w) {
    const size_t at = w->y * w->of->mb_width + w->x;
    v3doff_h264_macroblock macroblock = {.x = w->x, .y = w->y};
    if (w->field) w->to->mb_type[at] = interlaced; /* find_neighbours() reads it */
    find_neighbours(w);
    const int inter = (w->of->what.references || w->of->what.own) && below(w, 4);
    w->to->mb_type[at] = inter               ? append_inter(w, &macroblock)
                         : below(w, 12) == 0 ? append_pcm(w)
                                             : append_intra(w, &macroblock);
    if (w->field) w->to->mb_type[at] |= interlaced;
    for (int i = 0; i < 16; i++) /* in raster order */
        w->to->non_zero_count[at][(i >> 1 & 1) * 4 + (i >> 2 & 2) * 4 + (i & 1) + (i >> 1 & 2)] =
            macroblock.coded[0] >> i & 1;
}

static unsigned source_of(walk *w) {
    const random_h264_words *what = &w->of->what;
    const int is_field = what->structure != V3DOFF_H264_FRAME;
    const unsigned others = (unsigned)what->references << is_field;
    const unsigned sources = others + (what->own != 0);
    const unsigned source = sources ? below(w, sources) : 255;
    if (!what->own || source != others) return source;
    return others + (what->structure == V3DOFF_H264_TOP_FIELD); /* the other field */
}

static void fill_fields(walk *w, uint8_t pictures[2][32], int16_t implicit[2][32][32]) {
    for (int i = 0; i < 2 * 32; i++)
        pictures[i / 32][i % 32] = (uint8_t)below(w, 8);
    for (int i = 0; i < 2 * 32 * 32; i++)
        implicit[i / 1024][i / 32 % 32][i % 32] = (int16_t)between(w, -64, 128);
}

static void fill_slice(walk *w, v3doff_h264_slice *slice, v3doff_h264_prediction *prediction) {
    prediction->weighting = (uint8_t)below(w, 3);
    for (int c = 0; c < 2; c++)
        prediction->denominator[c] = (uint8_t)below(w, 8);
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < 32; i++) {
            const unsigned reference = source_of(w);
            prediction->reference[list][i] = slice->picture[list][i] = (uint8_t)reference;
            for (int p = 0; p < 3; p++) {
                prediction->weight[list][i][p] = (int16_t)between(w, -30, 90);
                prediction->offset[list][i][p] = (int16_t)between(w, -128, 127);
            }
        }
    for (int i = 0; i < 32 * 32; i++)
        prediction->implicit[i / 32][i % 32] = (int16_t)between(w, -64, 128);
}

static void *piece(char **memory, size_t bytes) {
    void *from = *memory;
    *memory += (bytes + 15) / 16 * 16;
    return from;
}

/* Where the tables lie in memory; NULL: how much they take. */
static size_t place_tables(const random_h264_picture *of, tables *to, char *memory) {
    const size_t count = (size_t)of->mb_width * of->mb_height;
    char *at = memory;
    to->mb_type = piece(&at, count * sizeof *to->mb_type);
    to->qp = piece(&at, count);
    to->slice_table = piece(&at, count * sizeof *to->slice_table);
    to->non_zero_count = piece(&at, count * sizeof *to->non_zero_count);
    for (int list = 0; list < 2; list++) {
        to->reference[list] = piece(&at, count * 4);
        to->motion[list] = piece(&at, count * 16 * sizeof *to->motion[list]);
    }
    to->slices = piece(&at, of->slices * sizeof *to->slices);
    to->predictions = piece(&at, of->slices * sizeof *to->predictions);
    to->field_pictures = piece(&at, of->slices * sizeof *to->field_pictures);
    to->field_implicit = piece(&at, of->slices * sizeof *to->field_implicit);
    return (size_t)(at - memory);
}

static void point_arrays(random_h264_picture *of, const tables *from) {
    v3doff_h264_arrays *to = &of->arrays;
    to->struct_size = sizeof *to;
    to->mb_stride = of->mb_width;
    to->mb_type = from->mb_type;
    to->qp = from->qp;
    to->slice_table = from->slice_table;
    to->non_zero_count = (const uint8_t(*)[48])from->non_zero_count;
    to->motion_stride = of->mb_width * (size_t)4;
    to->motion_mb_stride = 4 * to->motion_stride;
    for (int list = 0; list < 2; list++) {
        to->motion[list] = (const int16_t(*)[2])from->motion[list];
        to->reference[list] = from->reference[list];
    }
    to->slices = from->slices;
    to->slice_count = of->slices;
    of->info.struct_size = sizeof of->info;
    if (of->what.mbaff) {
        to->flags |= V3DOFF_H264_ARRAYS_MBAFF;
        to->field_pictures = (const uint8_t(*)[2][32])from->field_pictures;
        of->info.field_implicit = (const int16_t(*)[2][32][32])from->field_implicit;
    }
    of->info.predictions = from->predictions;
    of->info.structure = of->what.structure;
}

random_h264_picture *make_random_h264_picture(const random_h264_words *what) {
    random_h264_picture *of = calloc(1, sizeof *of);
    tables to;
    static char nothing[1];
    if (!of) return NULL;
    of->what = *what;
    const uint32_t lines = what->structure == V3DOFF_H264_FRAME ? 16 : 32;
    of->mb_width = (what->width + 15) / 16, of->mb_height = (what->height + lines - 1) / lines;
    const uint32_t units = of->mb_width * of->mb_height / (what->mbaff ? 2 : 1);
    of->slice_length = what->mbaff ? of->mb_width * 5 / 2 : of->mb_width * rows_of_slice;
    of->slices = (units + of->slice_length - 1) / of->slice_length;
    of->memory = calloc(1, place_tables(of, &to, nothing));
    if (!of->memory) {
        free(of);
        return NULL;
    }
    place_tables(of, &to, of->memory);
    walk w = {.of = of, .to = &to, .state = what->seed * 7919u};
    for (uint32_t i = 0; i < of->mb_width * of->mb_height; i++) {
        const uint32_t row = i / of->mb_width / (what->mbaff ? 2 : 1);
        to.slice_table[i] = (uint16_t)((row * of->mb_width + i % of->mb_width) / of->slice_length);
        to.qp[i] = (int8_t)(between(&w, 20, 44) + 6 * ((int)what->bit_depth - 8));
    }
    for (uint32_t i = 0; i < of->slices; i++)
        fill_slice(&w, &to.slices[i], &to.predictions[i]);
    for (uint32_t i = 0; i < of->slices && what->mbaff; i++)
        fill_fields(&w, to.field_pictures[i], to.field_implicit[i]);
    point_arrays(of, &to);
    return of;
}

void free_random_h264_picture(random_h264_picture **picture) {
    if (*picture) free((*picture)->memory);
    free(*picture);
    *picture = NULL;
}

/* Without memory the lane must stay as it was: tries again. */
static v3doff_result make_room(walk *w, v3doff_picture *picture, uint32_t lane, uint32_t count) {
    const v3doff_result result = v3doff_h264_make_room(picture, lane, &w->words, count);
    if (result != V3DOFF_ERROR_OUT_OF_MEMORY) return result;
    return v3doff_h264_make_room(picture, lane, &w->words, count);
}

v3doff_result append_random_h264_slices(v3doff_picture *picture, uint32_t lane,
                                        random_h264_picture *of, uint32_t first, uint32_t step) {
    tables to;
    place_tables(of, &to, of->memory);
    walk w = {.of = of, .to = &to};
    const uint32_t rows = of->what.mbaff ? 2 : 1; /* of a macroblock or pair */
    const uint32_t units = of->mb_width * of->mb_height / rows;
    for (w.slice = first; w.slice < of->slices; w.slice += step) {
        const uint32_t begin = w.slice * of->slice_length;
        const uint32_t end = begin + of->slice_length < units ? begin + of->slice_length : units;
        const v3doff_result result = make_room(&w, picture, lane, (end - begin) * rows);
        if (result != V3DOFF_OK) return result;
        w.state = of->what.seed * 7919u + w.slice * 31u + 5;
        for (uint32_t unit = begin; unit < end; unit++) {
            w.x = unit % of->mb_width;
            w.field = of->what.mbaff && below(&w, 2);
            for (uint32_t i = 0; i < rows; i++) {
                w.y = unit / of->mb_width * rows + i;
                append_macroblock(&w);
            }
        }
    }
    return v3doff_h264_end_lane(picture, lane, &w.words);
}
