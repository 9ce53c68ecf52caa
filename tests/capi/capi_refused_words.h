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

#endif
