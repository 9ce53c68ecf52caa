// SPDX-License-Identifier: BSD-2-Clause
#include "h264_edges.hpp"

namespace v3doff::order::h264 {

Edges::Place Edges::place(int plane, int row, int col, int y) const {
    if (picture_.field(row, col)) return {picture_.mb(row, col, y & 1), y >> 1};
    const int height = picture_.shape(plane).mb_height;
    return {picture_.mb(row, col, y / height), y % height};
}

int Edges::rows_above(int plane, int row, int col) const {
    const bool field_mode = picture_.field(row, col) || picture_.field(row - 1, col);
    if (picture_.shape(plane).taps == Taps::chroma) return field_mode ? 4 : 2;
    return field_mode ? 6 : 4;
}

int Edges::tail_start(int plane, int row, int col) const {
    if (picture_.field(row, col)) return 2 * 9;
    return picture_.unit_height(plane) - 16 + 9;
}

std::vector<HorizontalEdge> Edges::horizontal(int plane, int row, int col) const {
    std::vector<HorizontalEdge> edges;
    const int height = picture_.shape(plane).mb_height;
    const bool field = picture_.field(row, col);
    for (int m = 0; m < picture_.mbs_per_unit(); ++m) {
        const Macroblock &mb = picture_.mb(row, col, m);
        for (int e = 0; e < 4; ++e) {
            const int y = picture_.horizontal_position(plane, e, mb.transform8x8);
            if (y < 0) continue;
            const bool under_field = e == 0 && m == 0 && row && !field &&
                                     picture_.field(row - 1, col) &&
                                     wrong_ != Wrong::frame_mode_top;
            if (under_field) {
                edges.push_back({&mb.horizontal[0], 0, 0, 2});
                edges.push_back({&mb.top_of_bottom_field, 0, 1, 2});
            } else if (field) {
                edges.push_back({&mb.horizontal[e], e, m + 2 * y, 2});
            } else {
                edges.push_back({&mb.horizontal[e], e, m * height + y, 1});
            }
        }
    }
    return edges;
}

} // namespace v3doff::order::h264
