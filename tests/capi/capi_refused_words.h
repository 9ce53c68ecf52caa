/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures whose words are refused: flat before, and flat afterwards. */
#ifndef CAPI_REFUSED_WORDS_H
#define CAPI_REFUSED_WORDS_H

#include "capi_refused.h"

typedef struct flat_pictures {
    v3doff_device *device;
    v3doff_pool *pool;
    v3doff_picture *reference, *picture; /* the reference is flat */
} flat_pictures;

void open_flat(flat_pictures *pictures, uint32_t width, uint32_t height);
void close_flat(flat_pictures *pictures);

/* For the next words. */
void reopen_flat(v3doff_picture *picture);

/* Refused words left no trace: checked by a submit, or by a discard and right words. */
void expect_nothing_left(v3doff_picture *picture);
void expect_right_after_discard(v3doff_picture *picture, void (*record_right)(void));

/* A right block, then these words, which this function refuses. They leave no trace after a submit
 * or a discard. A codec's program has begin_right_words, end_words, record_right_words, picture and
 * info. */
#define REFUSED_BY(record_picture, line, ...)                                                      \
    for (int discard = 0; discard < 2; discard++) {                                                \
        begin_right_words();                                                                       \
        __VA_ARGS__;                                                                               \
        end_words();                                                                               \
        BAD_ARGUMENT(record_picture(picture, &info), line);                                        \
        if (discard)                                                                               \
            expect_right_after_discard(picture, record_right_words);                               \
        else                                                                                       \
            expect_nothing_left(picture);                                                          \
    }

#endif
