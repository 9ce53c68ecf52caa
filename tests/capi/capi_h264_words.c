/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capi_h264_words [FAULT PICTURES]: H.264 pictures that several threads append as words have the
 * samples that the plain C++ code makes. Each is predicted from pictures that are only submitted,
 * or, in every second chain, not yet recorded when it is prepared. Some consist of two fields, and
 * the first one is still in flight when the second one is recorded.
 * With V3DOFF_FAULT set to FAULT, the GPU does at most PICTURES of them.
 */
#include <pthread.h>

#include "capi_chains.h"
#include "generators/random_h264_words.h"

typedef struct format {
    chain_format common;
    int references; /* that pictures are predicted from at most */
    int deblocked;
} format;

static const format formats[] = {
    {{8, V3DOFF_CHROMA_420, 203, 139, 0, 0}, 3, 1}, {{8, V3DOFF_CHROMA_444, 64, 96, 0, 0}, 2, 1},
    {{8, V3DOFF_CHROMA_422, 79, 50, 0, 0}, 5, 0},   {{8, V3DOFF_CHROMA_400, 33, 70, 0, 0}, 2, 1},
    {{10, V3DOFF_CHROMA_420, 96, 66, 0, 0}, 2, 1},  {{14, V3DOFF_CHROMA_422, 65, 17, 0, 0}, 3, 0},
    {{9, V3DOFF_CHROMA_444, 31, 49, 0, 0}, 1, 1},   {{8, V3DOFF_CHROMA_420, 1, 1, 0, 0}, 1, 0}};

static const chain_format *format_of(int chain) {
    return &formats[chain].common;
}

/* Slices of one lane, appended by a thread of its own. */
typedef struct part {
    pthread_t thread;
    v3doff_picture *picture;
    random_h264_picture *what;
    uint32_t lane;
} part;

enum { lanes = 3 };

static void *append_part(void *opaque) {
    const part *p = opaque;
    EXPECT_OK(append_random_h264_slices(p->picture, p->lane, p->what, p->lane, lanes));
    return NULL;
}

static void record_lines(v3doff_picture *picture, v3doff_h264_structure structure, int chain, int i,
                         v3doff_picture *const *before) {
    const format *format = &formats[chain];
    const int references = i < format->references ? i : format->references;
    const int is_second = structure == V3DOFF_H264_BOTTOM_FIELD;
    const int pairs = structure == V3DOFF_H264_FRAME && (format->common.height + 15) / 16 % 2 == 0;
    const random_h264_words words = {format->common.width,
                                     format->common.height,
                                     format->common.chroma,
                                     format->common.bit_depth,
                                     references,
                                     (unsigned)(chain * chain_length + i + 100 * is_second),
                                     structure,
                                     is_second,
                                     pairs && i % 2}; /* MBAFF */
    random_h264_picture *what = make_random_h264_picture(&words);
    part parts[lanes];
    EXPECT(what != NULL);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        parts[lane] = (part){.picture = picture, .what = what, .lane = lane};
        EXPECT(pthread_create(&parts[lane].thread, NULL, append_part, &parts[lane]) == 0);
    }
    for (uint32_t lane = 0; lane < lanes; lane++)
        pthread_join(parts[lane].thread, NULL);
    for (int k = 0; k < references; k++)
        what->info.reference[k] = before[k];
    if (is_second) what->info.reference[references] = picture;
    if (!format->deblocked) what->arrays.flags |= V3DOFF_H264_ARRAYS_UNFILTERED;
    EXPECT_OK(v3doff_h264_record_rows(picture, structure, &what->arrays, 0, V3DOFF_H264_ALL_ROWS));
    EXPECT_OK(v3doff_h264_record_picture(picture, &what->info));
    free_random_h264_picture(&what); /* what is needed of the arrays was taken */
}

static void record(v3doff_picture *picture, int chain, int i, v3doff_picture *const *before) {
    const int is_even = (formats[chain].common.height + 15) / 16 % 2 == 0; /* as fields need it */
    if (!is_even || chain % 2) return record_lines(picture, V3DOFF_H264_FRAME, chain, i, before);
    record_lines(picture, V3DOFF_H264_TOP_FIELD, chain, i, before);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    EXPECT_OK(v3doff_picture_reopen(picture));
    record_lines(picture, V3DOFF_H264_BOTTOM_FIELD, chain, i, before);
}

int main(int count, char **arguments) {
    const chains chains = {sizeof formats / sizeof *formats, format_of, record};
    run_chains(&chains, count, arguments);
    return 0;
}
