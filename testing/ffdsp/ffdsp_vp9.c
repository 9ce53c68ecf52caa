// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's VP9DSPContext as plain tables.
#include "ffdsp_internal.h"

#include <stdbool.h>

#include "libavcodec/vp9data.h"
#include "libavcodec/vp9dsp.h"

static void fill(FfdspVp9 *to, int bit_depth) {
    VP9DSPContext from;
    memset(&from, 0, sizeof(from));
    // Not "bitexact": what a decoder without that flag runs is what we compare with.
    ff_vp9dsp_init(&from, bit_depth, 0);
    FFDSP_TAKE(to->intra_pred, from.intra_pred);
    FFDSP_TAKE(to->itxfm_add, from.itxfm_add);
    FFDSP_TAKE(to->loop_filter_8, from.loop_filter_8);
    FFDSP_TAKE(to->loop_filter_16, from.loop_filter_16);
    FFDSP_TAKE(to->loop_filter_mix2, from.loop_filter_mix2);
    FFDSP_TAKE(to->mc, from.mc);
    FFDSP_TAKE(to->smc, from.smc);
}

const FfdspVp9 *ffdsp_vp9(int bit_depth, int simd) {
    static FfdspVp9 tables[3][2];
    static bool filled[3][2];
    if (bit_depth != 8 && bit_depth != 10 && bit_depth != 12) return NULL;
    const int depth = (bit_depth - 8) / 2;
    simd = simd != 0;
    ffdsp_lock(simd);
    if (!filled[depth][simd]) fill(&tables[depth][simd], bit_depth);
    filled[depth][simd] = true;
    ffdsp_unlock();
    return &tables[depth][simd];
}

const int16_t *ffdsp_vp9_scan(int tx, int type) {
    if (tx < 0 || tx > 4 || type < 0 || type > 3) return NULL;
    return ff_vp9_scans[tx][type];
}
