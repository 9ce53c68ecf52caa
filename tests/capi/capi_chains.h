/* SPDX-License-Identifier: BSD-2-Clause */
/* Chains of pictures, each predicted from those before it, without waiting for them. */
#ifndef CAPI_CHAINS_H
#define CAPI_CHAINS_H

#include "capi_helpers.h"

enum { chain_length = 6, most_chains = 8 };

typedef struct chain_format {
    uint32_t bit_depth;
    v3doff_chroma chroma;
    uint32_t width, height, other_width, other_height; /* other: of every third picture, unless 0 */
} chain_format;

typedef struct chains {
    int count;
    const chain_format *(*format)(int chain);
    /* Everything but the submit. before: those before picture i, the last one first. */
    void (*record)(v3doff_picture *picture, int chain, int i, v3doff_picture *const *before);
} chains;

/*
 * Makes all chains with plain C++ code and on the device, which must agree. arguments: main's. If
 * there are two, the last is the most pictures that the device may do; otherwise it must do all.
 */
void run_chains(const chains *chains, int count, char **arguments);

#endif
