/* SPDX-License-Identifier: BSD-2-Clause */
#include "generators/random_words.h"

#include <stddef.h>
#include <stdlib.h>

enum { smallest = 9 }; /* 8x8, the last size whose blocks have one mode and one vector */

typedef struct walk {
    const random_words *what;
    v3doff_vp9_words words;
    uint32_t tile;       /* first column of 8x8 blocks */
    uint32_t cols, rows; /* of 8x8 blocks of the picture */
    unsigned state;
} walk;

static unsigned below(walk *w, unsigned bound) {
    w->state = w->state * 1664525u + 1013904223u;
    return (w->state >> 8) % bound;
}

static int between(walk *w, int least, int most) {
    return least + (int)below(w, (unsigned)(most - least + 1));
}

static unsigned least_of(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Returns the eob: 1 for the DC alone, otherwise all, as no scan is followed. */
static unsigned append_coefficients(walk *w, unsigned edge) {
    /* The DC alone, a corner, or anything. */
    const unsigned corner = below(w, 3) == 0 ? 1 : below(w, 2) ? 4 : edge;
    const unsigned count = corner == 1 ? 1 : 1 + below(w, 12);
    const int most = below(w, 24) ? 9 : 30000; /* 30000: as in damaged streams alone */
    for (unsigned i = 0; i < count; i++) {
        const unsigned place = below(w, corner) * edge + below(w, corner);
        *w->words.coefficient++ = v3doff_vp9_coefficient(place, between(w, -most, most));
    }
    return corner == 1 ? 1 : edge * edge;
}

/* Those of one plane of a block that begin in the picture; sizes in units of 4 samples. */
static void append_transforms(walk *w, const v3doff_vp9_block *block, uint32_t plane, unsigned tx,
                              unsigned columns, unsigned rows) {
    const int half_x =
        plane && (w->what->chroma == V3DOFF_CHROMA_420 || w->what->chroma == V3DOFF_CHROMA_422);
    const int half_y =
        plane && (w->what->chroma == V3DOFF_CHROMA_420 || w->what->chroma == V3DOFF_CHROMA_440);
    const unsigned end_x = least_of(2 * (w->cols - block->col), columns) >> half_x;
    const unsigned end_y = least_of(2 * (w->rows - block->row), rows) >> half_y;
    for (unsigned y = 0; y < end_y; y += 1u << tx)
        for (unsigned x = 0; x < end_x; x += 1u << tx) {
            if (below(w, 3) == 0) continue;
            const unsigned type = plane || tx == 3 || w->what->lossless ? 0 : below(w, 4);
            const unsigned eob = append_coefficients(w, 4u << tx);
            v3doff_vp9_append_transform(&w->words, plane, (block->col * 2 >> half_x) + x,
                                        (block->row * 2 >> half_y) + y, tx, type, eob);
        }
}

static void append_intra(walk *w, const v3doff_vp9_block *block) {
    uint8_t mode[4];
    for (int i = 0; i < 4; i++)
        mode[i] = (uint8_t)(i && block->size <= smallest ? mode[0] : below(w, 10));
    v3doff_vp9_append_intra(&w->words, block, mode, below(w, 10), block->col == w->tile);
}

static void append_inter(walk *w, const v3doff_vp9_block *block, int coded) {
    const int both = w->what->references > 1 && below(w, 3) == 0;
    const int first = (int)below(w, (unsigned)w->what->references);
    const int reference[2] = {first, both ? (first + 1) % w->what->references : -1};
    const int reach = below(w, 8) ? 90 : 3000;
    int16_t vector[4][2][2];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            vector[i][k / 2][k % 2] =
                (int16_t)(below(w, 4) ? between(w, -reach, reach) : between(w, -9, 9) * 8);
    v3doff_vp9_append_inter(&w->words, block, reference, (v3doff_vp9_filter)below(w, 4), vector,
                            (coded ? 0 : V3DOFF_VP9_SKIPPED) | below(w, 2) * V3DOFF_VP9_ZEROMV);
}

static void append_block(walk *w, uint32_t row, uint32_t col, uint32_t size) {
    static const uint8_t log2[][2] = {{4, 4}, {4, 3}, {3, 4}, {3, 3}, {3, 2}, {2, 3}, {2, 2},
                                      {2, 1}, {1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    if (row >= w->rows || col >= w->cols) return;
    v3doff_vp9_block block = {.row = row, .col = col, .size = size, .segment = below(w, 8)};
    const unsigned columns = 1u << log2[size][0], rows = 1u << log2[size][1];
    const unsigned most = size > smallest || w->what->lossless
                              ? 0
                              : least_of(3, least_of(log2[size][0], log2[size][1]));
    const unsigned tx = block.tx = below(w, most + 1);
    const v3doff_chroma chroma = w->what->chroma;
    const int half_x = chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_422;
    const int half_y = chroma == V3DOFF_CHROMA_420 || chroma == V3DOFF_CHROMA_440;
    const unsigned chroma_tx = tx - ((half_x && columns == 1u << tx) || (half_y && rows == 1u << tx));
    const int coded = below(w, 4) != 0; /* the others have no residual */
    for (uint32_t plane = 0; coded && plane < 3; plane++)
        append_transforms(w, &block, plane, plane ? chroma_tx : tx, columns, rows);
    if (w->what->references && below(w, 3))
        append_inter(w, &block, coded);
    else
        append_intra(w, &block);
}

/* A square of 64 >> level samples: whole, two halves, or four squares. */
static void append_square(walk *w, uint32_t row, uint32_t col, unsigned level) {
    if (row >= w->rows || col >= w->cols) return;
    const uint32_t half = 4u >> level, first = level * 3;
    if (level == 3) {
        append_block(w, row, col, first + below(w, 4));
    } else if (below(w, 8) < 4 - level) {
        for (uint32_t i = 0; i < 4; i++)
            append_square(w, row + i / 2 * half, col + i % 2 * half, level + 1);
    } else {
        const unsigned how = below(w, 3); /* whole, above each other, beside each other */
        append_block(w, row, col, first + how);
        if (how == 1) append_block(w, row + half, col, first + 1);
        if (how == 2) append_block(w, row, col + half, first + 2);
    }
}

/* Without memory the lane must stay as it was: tries again. */
static v3doff_result make_room(walk *w, v3doff_picture *picture, uint32_t lane) {
    const ptrdiff_t transforms = w->words.transform - w->words.first_transform;
    const ptrdiff_t coefficients = w->words.coefficient - w->words.first_coefficient;
    const v3doff_result result = v3doff_vp9_make_room(picture, lane, &w->words);
    if (result != V3DOFF_ERROR_OUT_OF_MEMORY) return result;
    if (w->words.transform - w->words.first_transform != transforms ||
        w->words.coefficient - w->words.first_coefficient != coefficients)
        return V3DOFF_ERROR_INTERNAL;
    return v3doff_vp9_make_room(picture, lane, &w->words);
}

v3doff_result append_random_words(v3doff_picture *picture, uint32_t lane, const random_words *what,
                                  uint32_t first, uint32_t end) {
    walk w = {.what = what, .tile = first * 8, .state = what->seed * 7919u + first * 31u};
    w.cols = (what->width + 7) / 8, w.rows = (what->height + 7) / 8;
    for (uint32_t row = 0; row < w.rows; row += 8)
        for (uint32_t col = first * 8; col < end * 8; col += 8) {
            if (!v3doff_vp9_has_room(&w.words)) {
                const v3doff_result result = make_room(&w, picture, lane);
                if (result != V3DOFF_OK) return result;
            }
            append_square(&w, row, col, 0);
        }
    return v3doff_vp9_end_lane(picture, lane, &w.words);
}

v3doff_vp9_picture_info random_words_info(const random_words *what) {
    v3doff_vp9_picture_info info = {.struct_size = sizeof info, .lossless = what->lossless};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            info.dequantisation[i][k / 2][k % 2] = (int16_t)(4 + i * 9 + k * 5);
    info.sharpness = what->seed / 2 % 8;
    for (int i = 0; i < 8 * 4 * 2; i++)
        info.filter_level[i / 8][i / 2 % 4][i % 2] = (uint8_t)((i * 7 + what->seed) % 64);
    return info;
}
