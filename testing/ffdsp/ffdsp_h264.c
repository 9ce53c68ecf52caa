// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's H264DSPContext and its H264PredContext as plain tables.
#include "ffdsp_internal.h"

#include <stdbool.h>

#include "libavcodec/codec_id.h"
#include "libavcodec/h264_parse.h"
#include "libavcodec/h264chroma.h"
#include "libavcodec/h264dsp.h"
#include "libavcodec/h264pred.h"
#include "libavcodec/h264qpel.h"

// Up to FFmpeg 8.0 most members are called h264_*; the build looks for one of them.
#if FFDSP_H264_PREFIX
#define MEMBER(name) h264_##name
#define WEIGHT(name) name##_h264_pixels_tab
#else
#define MEMBER(name) name
#define WEIGHT(name) name##_pixels_tab
#endif

#define TAKE(name) FFDSP_TAKE(to->name, from.MEMBER(name))

static void fill_dsp(FfdspH264 *to, int bit_depth, int chroma_format_idc) {
    H264DSPContext from;
    memset(&from, 0, sizeof(from));
    ff_h264dsp_init(&from, bit_depth, chroma_format_idc);
    FFDSP_TAKE(to->weight_pixels_tab, from.WEIGHT(weight));
    FFDSP_TAKE(to->biweight_pixels_tab, from.WEIGHT(biweight));
    TAKE(v_loop_filter_luma);
    TAKE(h_loop_filter_luma);
    TAKE(h_loop_filter_luma_mbaff);
    TAKE(v_loop_filter_luma_intra);
    TAKE(h_loop_filter_luma_intra);
    TAKE(h_loop_filter_luma_mbaff_intra);
    TAKE(v_loop_filter_chroma);
    TAKE(h_loop_filter_chroma);
    TAKE(h_loop_filter_chroma_mbaff);
    TAKE(v_loop_filter_chroma_intra);
    TAKE(h_loop_filter_chroma_intra);
    TAKE(h_loop_filter_chroma_mbaff_intra);
    TAKE(idct_add);
    TAKE(idct8_add);
    TAKE(idct_dc_add);
    TAKE(idct8_dc_add);
    TAKE(idct_add16);
    TAKE(idct8_add4);
    TAKE(idct_add8);
    TAKE(idct_add16intra);
    TAKE(luma_dc_dequant_idct);
    TAKE(chroma_dc_dequant_idct);
    TAKE(add_pixels8_clear);
    TAKE(add_pixels4_clear);
}

static void fill_pred(FfdspH264 *to, int bit_depth, int chroma_format_idc) {
    H264PredContext from;
    memset(&from, 0, sizeof(from));
    ff_h264_pred_init(&from, AV_CODEC_ID_H264, bit_depth, chroma_format_idc);
    FFDSP_TAKE(to->pred4x4, from.pred4x4);
    FFDSP_TAKE(to->pred8x8l, from.pred8x8l);
    FFDSP_TAKE(to->pred8x8, from.pred8x8);
    FFDSP_TAKE(to->pred16x16, from.pred16x16);
    FFDSP_TAKE(to->pred4x4_add, from.pred4x4_add);
    FFDSP_TAKE(to->pred8x8l_add, from.pred8x8l_add);
    FFDSP_TAKE(to->pred8x8l_filter_add, from.pred8x8l_filter_add);
    FFDSP_TAKE(to->pred8x8_add, from.pred8x8_add);
    FFDSP_TAKE(to->pred16x16_add, from.pred16x16_add);
}

static void fill_inter(FfdspH264 *to, int bit_depth) {
    H264QpelContext luma;
    memset(&luma, 0, sizeof(luma));
    ff_h264qpel_init(&luma, bit_depth);
    FFDSP_TAKE(to->qpel_put, luma.put_h264_qpel_pixels_tab);
    FFDSP_TAKE(to->qpel_avg, luma.avg_h264_qpel_pixels_tab);
    H264ChromaContext chroma;
    memset(&chroma, 0, sizeof(chroma));
    ff_h264chroma_init(&chroma, bit_depth);
    FFDSP_TAKE(to->chroma_put, chroma.put_h264_chroma_pixels_tab);
    FFDSP_TAKE(to->chroma_avg, chroma.avg_h264_chroma_pixels_tab);
}

const FfdspH264 *ffdsp_h264(int bit_depth, int chroma_format_idc, int simd) {
    static const int depths[] = {8, 9, 10, 12, 14};
    static FfdspH264 tables[5][4][2];
    static bool filled[5][4][2];
    int depth = 0;
    while (depth < 5 && depths[depth] != bit_depth)
        depth++;
    if (depth == 5 || chroma_format_idc < 0 || chroma_format_idc > 3) return NULL;
    simd = simd != 0;
    FfdspH264 *table = &tables[depth][chroma_format_idc][simd];
    ffdsp_lock(simd);
    if (!filled[depth][chroma_format_idc][simd]) {
        fill_dsp(table, bit_depth, chroma_format_idc);
        fill_pred(table, bit_depth, chroma_format_idc);
        fill_inter(table, bit_depth);
        filled[depth][chroma_format_idc][simd] = true;
    }
    ffdsp_unlock();
    return table;
}
