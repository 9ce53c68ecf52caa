// SPDX-License-Identifier: BSD-2-Clause
#include "v3doff/vp9dsp.h"

#include <utility>

#include "api/guard.hpp"
#include "api/vp9dsp_calls.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace {

template <unsigned depth, int tx, int type>
void itxfm_add(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob) {
    vp9_itxfm_add({"itxfm_add", dst, stride, depth}, tx, type, block, eob);
}

template <unsigned depth, int width, bool between_rows>
void loop_filter_8(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const Vp9Edge edge{4u << width, e, i, h};
    vp9_loop_filter({"loop_filter_8", dst, stride, depth}, between_rows, &edge, 1);
}

template <unsigned depth, bool between_rows>
void loop_filter_16(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const Vp9Edge edges[2] = {{16, e, i, h}, {16, e, i, h}};
    vp9_loop_filter({"loop_filter_16", dst, stride, depth}, between_rows, edges, 2);
}

template <unsigned depth, int first, int second, bool between_rows>
void loop_filter_mix2(uint8_t *dst, ptrdiff_t stride, int e, int i, int h) {
    const Vp9Edge edges[2] = {{4u << first, e & 0xff, i & 0xff, h & 0xff},
                              {4u << second, e >> 8, i >> 8, h >> 8}};
    vp9_loop_filter({"loop_filter_mix2", dst, stride, depth}, between_rows, edges, 2);
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

template <unsigned depth, int tx>
void fill_transform(v3doff_vp9dsp &table) {
    constexpr int dct_only = tx == 3 || tx == 4;
    table.itxfm_add[tx][0] = itxfm_add<depth, tx, 0>;
    table.itxfm_add[tx][1] = itxfm_add < depth, tx, dct_only ? 0 : 1 > ;
    table.itxfm_add[tx][2] = itxfm_add < depth, tx, dct_only ? 0 : 2 > ;
    table.itxfm_add[tx][3] = itxfm_add < depth, tx, dct_only ? 0 : 3 > ;
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

template <unsigned depth>
void fill(v3doff_vp9dsp &table) {
    fill_transform<depth, 0>(table);
    fill_transform<depth, 1>(table);
    fill_transform<depth, 2>(table);
    fill_transform<depth, 3>(table);
    fill_transform<depth, 4>(table);
    fill_filters<depth, false>(table);
    fill_filters<depth, true>(table);
    fill_predictions<depth>(table, std::make_index_sequence<5 * 4 * 2 * 2 * 2>());
    fill_scaled<depth>(table, std::make_index_sequence<5 * 4 * 2>());
}

} // namespace

v3doff_result v3doff_vp9dsp_init(v3doff_vp9dsp *table, uint32_t bit_depth) {
    return guarded(__func__, [&]() -> v3doff_result {
        read_struct(table, "table");
        v3doff_vp9dsp filled{};
        switch (bit_depth) {
        case 8:
            fill<8>(filled);
            break;
        case 10:
            fill<10>(filled);
            break;
        case 12:
            fill<12>(filled);
            break;
        default:
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        "bit_depth: " + std::to_string(bit_depth) + " is not 8, 10 or 12");
        }
        write_struct(table, filled);
        return V3DOFF_OK;
    });
}
