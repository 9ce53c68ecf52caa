// SPDX-License-Identifier: BSD-2-Clause
#include "dsp/h264.hpp"
#include "h264/residual/reference.hpp"

namespace v3doff::dsp {
namespace {

using h264::MacroblockGroup;
using h264::ResidualKind;

template <unsigned depth, ResidualKind kind>
void residual(uint8_t *dst, int16_t *block, int stride) {
    h264_residual({"h264 residual", dst, stride, depth, true}, kind, block);
}

template <unsigned depth, MacroblockGroup group>
void residuals(uint8_t *dst, const int *blockoffset, int16_t *block, int stride,
               const uint8_t *nnzc) {
    h264_residuals({"h264 residuals", dst, stride, depth, true}, &dst,
                   {group, V3DOFF_CHROMA_420, blockoffset, block, nnzc});
}

template <unsigned depth, v3doff_chroma chroma>
void chroma_residuals(uint8_t **dst, const int *blockoffset, int16_t *block, int stride,
                      const uint8_t *nnzc) {
    h264_residuals({"h264_idct_add8", nullptr, stride, depth, true}, dst,
                   {MacroblockGroup::add8, chroma, blockoffset, block, nnzc});
}

template <unsigned depth>
void luma_dc(int16_t *output, int16_t *input, int qmul) {
    h264::luma_dc_dequant(output, input, qmul, depth);
}

template <unsigned depth, bool tall>
void chroma_dc(int16_t *block, int qmul) {
    h264::chroma_dc_dequant(block, qmul, depth, tall);
}

// group: lines that share a tc0. Null: the filter of intra macroblocks, which has none.
template <unsigned depth, bool between_rows, bool chroma, unsigned group>
void filter(uint8_t *pix, ptrdiff_t stride, int alpha, int beta, int8_t *tc0) {
    h264::EdgeCall edge;
    edge.alpha = h264::cut_threshold(alpha);
    edge.beta = h264::cut_threshold(beta);
    // For chroma, FFmpeg's functions expect tc0 plus one.
    for (unsigned n = 0; tc0 && n < 4; n++)
        edge.tc0[n] = int8_t(chroma ? std::max(int(tc0[n]), 0) - 1 : tc0[n]);
    edge.lines_a_group = group;
    edge.chroma_style = chroma;
    edge.strong = !tc0;
    h264_loop_filter({"h264 loop filter", pix, stride, depth, true}, between_rows, edge);
}

template <unsigned depth, bool between_rows, bool chroma, unsigned group>
void filter_intra(uint8_t *pix, ptrdiff_t stride, int alpha, int beta) {
    filter<depth, between_rows, chroma, group>(pix, stride, alpha, beta, nullptr);
}

template <unsigned depth>
void fill_residuals(v3doff_h264dsp &table, bool tall) {
    table.h264_idct_add = residual<depth, ResidualKind::residual_4x4>;
    table.h264_idct8_add = residual<depth, ResidualKind::residual_8x8>;
    table.h264_idct_dc_add = residual<depth, ResidualKind::dc_4x4>;
    table.h264_idct8_dc_add = residual<depth, ResidualKind::dc_8x8>;
    table.h264_add_pixels4_clear = residual<depth, ResidualKind::bypass_4x4>;
    table.h264_add_pixels8_clear = residual<depth, ResidualKind::bypass_8x8>;
    table.h264_idct_add16 = residuals<depth, MacroblockGroup::add16>;
    table.h264_idct8_add4 = residuals<depth, MacroblockGroup::add4>;
    table.h264_idct_add16intra = residuals<depth, MacroblockGroup::add16_intra>;
    table.h264_idct_add8 = tall ? chroma_residuals<depth, V3DOFF_CHROMA_422>
                                : chroma_residuals<depth, V3DOFF_CHROMA_420>;
    table.h264_luma_dc_dequant_idct = luma_dc<depth>;
    table.h264_chroma_dc_dequant_idct = tall ? chroma_dc<depth, true> : chroma_dc<depth, false>;
}

template <unsigned depth>
void fill_filters(v3doff_h264dsp &table, bool tall) {
    table.h264_v_loop_filter_luma = filter<depth, true, false, 4>;
    table.h264_h_loop_filter_luma = filter<depth, false, false, 4>;
    table.h264_h_loop_filter_luma_mbaff = filter<depth, false, false, 2>;
    table.h264_v_loop_filter_luma_intra = filter_intra<depth, true, false, 4>;
    table.h264_h_loop_filter_luma_intra = filter_intra<depth, false, false, 4>;
    table.h264_h_loop_filter_luma_mbaff_intra = filter_intra<depth, false, false, 2>;
    table.h264_v_loop_filter_chroma = filter<depth, true, true, 2>;
    table.h264_h_loop_filter_chroma =
        tall ? filter<depth, false, true, 4> : filter<depth, false, true, 2>;
    table.h264_h_loop_filter_chroma_mbaff =
        tall ? filter<depth, false, true, 2> : filter<depth, false, true, 1>;
    table.h264_v_loop_filter_chroma_intra = filter_intra<depth, true, true, 2>;
    table.h264_h_loop_filter_chroma_intra =
        tall ? filter_intra<depth, false, true, 4> : filter_intra<depth, false, true, 2>;
    table.h264_h_loop_filter_chroma_mbaff_intra =
        tall ? filter_intra<depth, false, true, 2> : filter_intra<depth, false, true, 1>;
}

} // namespace

bool fill_table(v3doff_h264dsp &table, uint32_t bit_depth, bool tall) {
    return with_depth<8, 9, 10, 12, 14>(bit_depth, [&](auto depth) {
        fill_residuals<depth>(table, tall);
        fill_filters<depth>(table, tall);
    });
}

} // namespace v3doff::dsp
