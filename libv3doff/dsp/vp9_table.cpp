// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "dsp/vp9.hpp"

namespace v3doff::dsp {
namespace {

template <unsigned depth, int tx, int type>
void itxfm_add(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob) {
    vp9_itxfm_add({"itxfm_add", dst, stride, depth}, tx, type, block, eob);
}

vp9::EdgeCall edge(unsigned size, int e, int i, int h) {
    return {vp9::cut_limit(e), vp9::cut_limit(i), vp9::cut_limit(h), uint8_t(size)};
}

template <unsigned depth, int width, bool between_rows>
void loop_filter_8(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const vp9::EdgeCall edges[] = {edge(4u << width, e, i, h)};
    vp9_loop_filter({"loop_filter_8", dst, stride, depth}, between_rows, edges);
}

template <unsigned depth, bool between_rows>
void loop_filter_16(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const vp9::EdgeCall edges[] = {edge(16, e, i, h), edge(16, e, i, h)};
    vp9_loop_filter({"loop_filter_16", dst, stride, depth}, between_rows, edges);
}

template <unsigned depth, int first, int second, bool between_rows>
void loop_filter_mix2(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const vp9::EdgeCall edges[] = {edge(4u << first, e & 0xff, i & 0xff, h & 0xff),
                                   edge(4u << second, e >> 8, i >> 8, h >> 8)};
    vp9_loop_filter({"loop_filter_mix2", dst, stride, depth}, between_rows, edges);
}

// mc[size][filter][average][across][down] with the last index running first.
template <unsigned depth, size_t index>
void predict(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref, ptrdiff_t ref_stride, int h,
             int mx, int my) {
    constexpr bool down = index & 1, across = index & 2, average = index & 4;
    constexpr unsigned filter = index / 8 % 4, width = 64u >> index / 32;
    vp9_predict({"mc", dst, dst_stride, depth}, {width, filter, average, ref, ref_stride, h,
                                                 across ? mx : 0, down ? my : 0, 16, 16});
}

// smc[size][filter][average]
template <unsigned depth, size_t index>
void predict_scaled(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *ref, ptrdiff_t ref_stride,
                    int h, int mx, int my, int dx, int dy) {
    constexpr bool average = index & 1;
    constexpr unsigned filter = index / 2 % 4, width = 64u >> index / 8;
    vp9_predict({"smc", dst, dst_stride, depth},
                {width, filter, average, ref, ref_stride, h, mx, my, dx, dy});
}

template <unsigned depth, size_t... index>
void fill_predictions(v3doff_vp9dsp &table, std::index_sequence<index...>) {
    ((table.mc[index / 32][index / 8 % 4][index / 4 % 2][index / 2 % 2][index % 2] =
          predict<depth, index>),
     ...);
}

template <unsigned depth, size_t... index>
void fill_scaled(v3doff_vp9dsp &table, std::index_sequence<index...>) {
    ((table.smc[index / 8][index / 2 % 4][index % 2] = predict_scaled<depth, index>), ...);
}

// The type of itxfm_add[size][type]. The last two sizes have only one.
constexpr int type_of(size_t index) {
    return index / 4 < 3 ? index % 4 : 0;
}

template <unsigned depth, size_t... index>
void fill_transforms(v3doff_vp9dsp &table, std::index_sequence<index...>) {
    ((table.itxfm_add[index / 4][index % 4] = itxfm_add<depth, index / 4, type_of(index)>), ...);
}

template <unsigned depth, bool between_rows>
void fill_filters(v3doff_vp9dsp &table) {
    table.loop_filter_8[0][between_rows] = loop_filter_8<depth, 0, between_rows>;
    table.loop_filter_8[1][between_rows] = loop_filter_8<depth, 1, between_rows>;
    table.loop_filter_8[2][between_rows] = loop_filter_8<depth, 2, between_rows>;
    table.loop_filter_16[between_rows] = loop_filter_16<depth, between_rows>;
    table.loop_filter_mix2[0][0][between_rows] = loop_filter_mix2<depth, 0, 0, between_rows>;
    table.loop_filter_mix2[0][1][between_rows] = loop_filter_mix2<depth, 0, 1, between_rows>;
    table.loop_filter_mix2[1][0][between_rows] = loop_filter_mix2<depth, 1, 0, between_rows>;
    table.loop_filter_mix2[1][1][between_rows] = loop_filter_mix2<depth, 1, 1, between_rows>;
}

} // namespace

bool fill_table(v3doff_vp9dsp &table, uint32_t bit_depth) {
    return with_depth<8, 10, 12>(bit_depth, [&](auto depth) {
        fill_transforms<depth>(table, std::make_index_sequence<5 * 4>());
        fill_filters<depth, false>(table);
        fill_filters<depth, true>(table);
        fill_predictions<depth>(table, std::make_index_sequence<5 * 4 * 2 * 2 * 2>());
        fill_scaled<depth>(table, std::make_index_sequence<5 * 4 * 2>());
    });
}

} // namespace v3doff::dsp
