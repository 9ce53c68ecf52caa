// SPDX-License-Identifier: BSD-2-Clause
// A decoder's context with only what FFmpeg's postponed filter reads. Slices count as decoded: the
// function that would decode them only reports where they end.
#include "ffdsp_h264_filter.h"

#include "ffdsp_internal.h"
#include "libavcodec/h264data.h"
#include "libavcodec/h264dec.h"
#include "libavutil/frame.h"
#include "libavutil/mem.h"

// Up to FFmpeg 8.0 members are called h264_*; the build looks for one of them.
#if FFDSP_H264_PREFIX
#define MEMBER(name) h264_##name
#else
#define MEMBER(name) name
#endif

typedef struct Context {
    H264Context h;
    AVCodecContext avctx;
    SPS sps;
    PPS pps;
} Context;

static _Thread_local struct {
    const FfdspFilter *input;
    FfdspFilterRecord record;
    void *opaque;
} current;

// -- recording ---------------------------------------------------------------------------------

static void record_edge(const uint8_t *pix, int vertical, int alpha, int beta, const int8_t *tc0) {
    const FfdspFilter *in = current.input;
    int rows[3] = {16, 16, 16};
    if (in->chroma_format_idc == 1) rows[1] = rows[2] = 8;
    for (int plane = 0; plane < 3; plane++) {
        const ptrdiff_t stride = in->stride[plane > 0], at = pix - in->data[plane];
        if (!in->data[plane] || at < 0 || at >= stride * rows[plane] * in->mb_height) continue;
        const int x = (int)(at % stride) >> (in->bit_depth > 8);
        const int y = (int)(at / stride) >> (in->structure != PICT_FRAME);
        current.record(current.opaque, plane, x, y, vertical, alpha, beta, tc0);
    }
}

static void record_v(uint8_t *pix, ptrdiff_t stride, int alpha, int beta, int8_t *tc0) {
    (void)stride;
    record_edge(pix, 0, alpha, beta, tc0);
}

static void record_h(uint8_t *pix, ptrdiff_t stride, int alpha, int beta, int8_t *tc0) {
    (void)stride;
    record_edge(pix, 1, alpha, beta, tc0);
}

static void record_v_intra(uint8_t *pix, ptrdiff_t stride, int alpha, int beta) {
    (void)stride;
    record_edge(pix, 0, alpha, beta, NULL);
}

static void record_h_intra(uint8_t *pix, ptrdiff_t stride, int alpha, int beta) {
    (void)stride;
    record_edge(pix, 1, alpha, beta, NULL);
}

static void use_recorders(H264DSPContext *dsp) {
    dsp->MEMBER(v_loop_filter_luma) = dsp->MEMBER(v_loop_filter_chroma) = record_v;
    dsp->MEMBER(h_loop_filter_luma) = dsp->MEMBER(h_loop_filter_chroma) = record_h;
    dsp->MEMBER(v_loop_filter_luma_intra) = record_v_intra;
    dsp->MEMBER(v_loop_filter_chroma_intra) = record_v_intra;
    dsp->MEMBER(h_loop_filter_luma_intra) = record_h_intra;
    dsp->MEMBER(h_loop_filter_chroma_intra) = record_h_intra;
}

// -- the context -------------------------------------------------------------------------------

static void fill_parameter_sets(Context *c, const FfdspFilter *in) {
    const int depth = in->bit_depth - 8, most = 51 + 6 * depth;
    c->sps.chroma_format_idc = in->chroma_format_idc;
    c->sps.bit_depth_luma = c->sps.bit_depth_chroma = in->bit_depth;
    c->pps.cabac = in->cabac;
    c->pps.transform_8x8_mode = 1;
    c->pps.sps = &c->sps;
    for (int plane = 0; plane < 2; plane++) {
        const int offset = in->chroma_qp_index_offset[plane];
        c->pps.chroma_qp_index_offset[plane] = offset;
        for (int qp = 0; qp <= most; qp++) {
            const int index = qp + offset < 0 ? 0 : qp + offset > most ? most : qp + offset;
            c->pps.chroma_qp_table[plane][qp] = ff_h264_chroma_qp[depth][index];
        }
    }
    c->pps.chroma_qp_diff = in->chroma_qp_index_offset[0] != in->chroma_qp_index_offset[1];
    c->h.ps.sps = &c->sps;
    c->h.ps.pps = &c->pps;
}

static void fill_picture(H264Context *h, const FfdspFilter *in) {
    H264Picture *picture = &h->cur_pic;
    h->picture_structure = in->structure;
    h->mb_aff_frame = in->mbaff;
    h->pixel_shift = in->bit_depth > 8;
    h->chroma_x_shift = in->chroma_format_idc == 1 || in->chroma_format_idc == 2;
    h->chroma_y_shift = in->chroma_format_idc == 1;
    h->mb_width = in->mb_width;
    h->mb_height = in->mb_height;
    h->mb_stride = in->mb_stride;
    h->b_stride = 4 * in->mb_width;
    h->slice_table = in->slice_table;
    h->non_zero_count = in->non_zero_count;
    h->cbp_table = in->cbp;
    picture->mb_type = in->mb_type;
    picture->qscale_table = in->qscale;
    for (int list = 0; list < 2; list++) {
        picture->motion_val[list] = in->motion[list];
        picture->ref_index[list] = in->reference[list];
    }
    for (int plane = 0; plane < 3; plane++) {
        // A missing plane is not filtered, but FFmpeg does arithmetic with its pointer.
        picture->f->data[plane] = in->data[in->chroma_format_idc ? plane : 0];
        picture->f->linesize[plane] = (int)in->stride[plane > 0];
    }
    for (int y = 0; y < in->mb_height; y++)
        for (int x = 0; x < in->mb_width; x++)
            h->mb2b_xy[y * in->mb_stride + x] = (uint32_t)(4 * x + 4 * y * h->b_stride);
}

static void fill_slice(H264Context *h, const FfdspFilter *in, int n) {
    const FfdspFilterSlice *from = &in->slices[n];
    H264SliceContext *sl = &h->slice_ctx[n];
    const int field = in->structure != PICT_FRAME;
    sl->h264 = h;
    sl->slice_num = n + 1;
    sl->resync_mb_x = sl->mb_x = from->first % in->mb_width;
    sl->resync_mb_y = sl->mb_y =
        ((from->first / in->mb_width) << field) + (in->structure == PICT_BOTTOM_FIELD);
    sl->picture_structure = in->structure;
    sl->mb_field_decoding_flag = field;
    sl->linesize = in->stride[0];
    sl->uvlinesize = in->stride[1];
    // FFmpeg exchanges 0 and 1.
    sl->deblocking_filter =
        from->disable_deblocking_filter < 2 ? !from->disable_deblocking_filter : 2;
    sl->slice_alpha_c0_offset = from->offset_a;
    sl->slice_beta_offset = from->offset_b;
    sl->list_count = (unsigned)from->lists;
    const int *chroma = in->chroma_qp_index_offset;
    sl->qp_thresh = 15 - FFMIN(from->offset_a, from->offset_b) - FFMAX3(0, chroma[0], chroma[1]) +
                    6 * (in->bit_depth - 8);
    for (int list = 0; list < 2; list++) {
        int *ref2frm = h->ref2frm[(n + 1) & (MAX_SLICES - 1)][list];
        ref2frm[0] = ref2frm[1] = -1;
        for (int i = 0; i < 32; i++)
            ref2frm[i + 2] = from->picture[list][i];
        if (in->mbaff) ref2frm[18] = ref2frm[19] = -1;
        for (int i = 0; in->mbaff && i < 32; i++)
            ref2frm[i + 20] = from->field_picture[list][i];
        sl->top_borders[list] = av_mallocz((size_t)in->mb_width * sizeof(*sl->top_borders[0]));
    }
}

// In place of decoding: each slice ends where the next one begins.
static int end_slices(AVCodecContext *avctx, int (*decode)(AVCodecContext *, void *), void *slices,
                      int *results, int count, int size) {
    H264SliceContext *sl = slices;
    H264Context *h = (H264Context *)avctx->priv_data;
    (void)decode, (void)results, (void)size;
    for (int i = 0; i < count; i++) {
        const int last = i + 1 == count;
        sl[i].mb_x = last ? 0 : sl[i + 1].resync_mb_x;
        sl[i].mb_y = last ? h->mb_height : sl[i + 1].resync_mb_y;
    }
    return 0;
}

static void free_context(Context *c, int slices) {
    for (int i = 0; i < slices && c->h.slice_ctx; i++)
        for (int list = 0; list < 2; list++)
            av_freep(&c->h.slice_ctx[i].top_borders[list]);
    av_freep(&c->h.slice_ctx);
    av_freep(&c->h.mb2b_xy);
    av_frame_free(&c->h.cur_pic.f);
    av_free(c);
}

int ffdsp_filter_picture(const FfdspFilter *input, int simd, FfdspFilterRecord record,
                         void *opaque) {
    if (input->slice_count < 1 || input->slice_count > FFDSP_FILTER_SLICES) return -1;
    // A single context would be decoded at once, without the postponed filter: add an empty one.
    const int contexts = input->slice_count + (input->slice_count == 1);
    Context *c = av_mallocz(sizeof(*c));
    H264Context *h = &c->h;
    h->slice_ctx = av_calloc((size_t)contexts, sizeof(*h->slice_ctx));
    h->mb2b_xy = av_calloc((size_t)(input->mb_stride * input->mb_height), sizeof(*h->mb2b_xy));
    h->cur_pic.f = av_frame_alloc();
    h->avctx = &c->avctx;
    c->avctx.priv_data = h;
    c->avctx.execute = end_slices;
    h->nb_slice_ctx = h->nb_slice_ctx_queued = contexts;
    h->postpone_filter = 1;
    fill_parameter_sets(c, input);
    fill_picture(h, input);
    for (int n = 0; n < input->slice_count; n++)
        fill_slice(h, input, n);
    if (contexts > input->slice_count) {
        h->slice_ctx[1].resync_mb_y = input->mb_height;
        h->slice_ctx[1].mb_y = input->mb_height - 1;
    }
    ffdsp_lock(simd);
    ff_h264dsp_init(&h->h264dsp, input->bit_depth, input->chroma_format_idc);
    ffdsp_unlock();
    if (record) use_recorders(&h->h264dsp);
    current.input = input;
    current.record = record;
    current.opaque = opaque;
    const int result = ff_h264_execute_decode_slices(h);
    ffdsp_emms();
    free_context(c, contexts);
    return result < 0 ? -1 : 0;
}
