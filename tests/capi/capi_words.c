/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_words [FAULT PICTURES]: VP9 pictures that several threads append as words, each predicted
 * from pictures that are only submitted, have the samples that the plain C++ code makes. With
 * V3DOFF_FAULT set to FAULT, the GPU does at most PICTURES of them.
 */
#include <pthread.h>
#include <string.h>

#include "capi_chains.h"
#include "generators/random_words.h"

typedef struct format {
    chain_format common;
    int lossless;
} format;

static const format formats[] = {
    {{8, V3DOFF_CHROMA_420, 203, 139, 203, 139}, 0}, {{8, V3DOFF_CHROMA_444, 67, 129, 120, 71}, 0},
    {{8, V3DOFF_CHROMA_440, 130, 65, 70, 127}, 0},   {{8, V3DOFF_CHROMA_422, 9, 33, 5, 17}, 1},
    {{10, V3DOFF_CHROMA_420, 77, 66, 141, 90}, 0},   {{12, V3DOFF_CHROMA_422, 65, 1, 65, 1}, 0},
    {{8, V3DOFF_CHROMA_420, 1, 1, 1, 2}, 0}};

static const chain_format *format_of(int chain) {
    return &formats[chain].common;
}

/* Edges between the 8x8 luma blocks of superblocks that are whole. */
static void record_filter(v3doff_picture *picture, const random_words *what) {
    static v3doff_vp9_superblock superblocks[64];
    const uint32_t cols = (what->width + 63) / 64, rows = (what->height + 63) / 64;
    memset(superblocks, 0, sizeof superblocks);
    for (uint32_t i = 0; i < rows * cols; i++) {
        if (i % cols * 64 + 64 > what->width || i / cols * 64 + 64 > what->height) continue;
        memset(superblocks[i].level, 24, 64);
        for (int k = 0; k < 16; k++)
            superblocks[i].mask[0][k / 8][k % 8][1] = 0xff;
    }
    EXPECT_OK(v3doff_vp9_record_loopfilter(picture, 2, superblocks, rows * cols));
}

/* Superblock columns of one lane, appended by a thread of its own. */
typedef struct part {
    pthread_t thread;
    v3doff_picture *picture;
    const random_words *what;
    uint32_t lane, first, end;
} part;

static void *append_part(void *opaque) {
    const part *p = opaque;
    EXPECT_OK(append_random_words(p->picture, p->lane, p->what, p->first, p->end));
    return NULL;
}

static void record_words(v3doff_picture *picture, const random_words *what,
                         v3doff_picture *const *reference) {
    enum { columns_of_lane = 2 };
    const uint32_t columns = (what->width + 63) / 64;
    const uint32_t lanes = (columns + columns_of_lane - 1) / columns_of_lane;
    part parts[8];
    EXPECT(lanes <= 8);
    for (uint32_t i = 0; i < lanes; i++) {
        const uint32_t end = (i + 1) * columns_of_lane;
        parts[i] = (part){.picture = picture, .what = what, .lane = i};
        parts[i].first = i * columns_of_lane;
        parts[i].end = end < columns ? end : columns;
        EXPECT(pthread_create(&parts[i].thread, NULL, append_part, &parts[i]) == 0);
    }
    for (uint32_t i = 0; i < lanes; i++)
        pthread_join(parts[i].thread, NULL);
    v3doff_vp9_picture_info info = random_words_info(what);
    for (int k = 0; k < what->references; k++)
        info.reference[k] = reference[k];
    if (what->seed % 3 == 1) info.filtered_rows = (what->height + 63) / 64;
    EXPECT_OK(v3doff_vp9_record_picture(picture, &info));
    if (what->seed % 3 == 2) record_filter(picture, what);
}

/* From the three before it. */
static void record(v3doff_picture *picture, int chain, int i, v3doff_picture *const *before) {
    const chain_format *format = &formats[chain].common;
    const int other = i % 3 == 2;
    const random_words what = {other ? format->other_width : format->width,
                               other ? format->other_height : format->height,
                               format->chroma,
                               i < 3 ? i : 3,
                               formats[chain].lossless,
                               (unsigned)(chain * chain_length + i)};
    record_words(picture, &what, before);
}

int main(int count, char **arguments) {
    const chains chains = {sizeof formats / sizeof *formats, format_of, record};
    run_chains(&chains, count, arguments);
    return 0;
}
