// SPDX-License-Identifier: BSD-2-Clause
// The edges of one unit (macroblock or MBAFF pair), line by line, for schedules that do not walk
// macroblocks. Positions count from the corner of the unit.
#pragma once

#include "h264_picture.hpp"

namespace v3doff::order::h264 {

// Each takes one necessity away; a run with it must be detected. See h264_wrong_orders.cpp.
enum class Wrong {
    nothing,
    no_q1,            // a tail begins with the edge at 12 as if the one at 8 did not reach it
    no_up_right_edge, // rows above go down the strip without the left edge of the unit up-right
    unfiltered_strip, // the left edge takes the neighbour's strip as it is before its own H
    no_tail,          // rows above are taken without their own last horizontal edges
    frame_mode_top,   // MBAFF: a frame macroblock meets a field pair in frame mode
    four_rows_above,  // MBAFF: field mode, but only four rows above have seen the up-right edge
    swapped_passes,   // third pass before the second
    fused_strips,     // first and second pass in one dispatch, without recomputing
    fused_lines,      // third and fourth pass in one dispatch, without recomputing
    in_place,         // the fourth pass writes to the buffer from which it reads
};

struct HorizontalEdge {
    const Edge *edge;
    int number;   // 0..3 in its macroblock
    int q0, step; // first row of the q side, and the distance to the next: 2 in field mode
};

class Edges {
  public:
    Edges(const Picture &picture, Wrong wrong) : picture_(picture), wrong_(wrong) {}

    // Rows of the unit above that the top edges of this unit read.
    int rows_above(int plane, int row, int col) const;

    // First row of a unit from which on its strip, after its own filtering, is a function of R.
    int tail_start(int plane, int row, int col) const;

    // In raster order.
    std::vector<HorizontalEdge> horizontal(int plane, int row, int col) const;

    // Row y of a unit, position 0 its first column: all vertical edges; the left edge alone; the
    // two last ones, as far as the strip needs them.
    template <class Line>
    void vertical(Line line, int plane, int row, int col, int y) const;
    template <class Line>
    void left_edge(Line line, int plane, int row, int col, int y) const;
    template <class Line>
    void vertical_tail(Line line, int plane, int row, int col, int y) const;

    // Column x of a unit, position 0 its first row. Edges that write only to rows from end on are
    // left out.
    template <class Line>
    void horizontal(Line line, int plane, int row, int col, int x, int end) const;

    // What the last needed rows of a unit get from its own horizontal edges.
    template <class Line>
    void horizontal_tail(Line line, int plane, int row, int col, int x, int needed) const;

  private:
    struct Place {
        const Macroblock &mb;
        int line;
    };
    // Which macroblock holds row y of a unit, and which of its lines that is.
    Place place(int plane, int row, int col, int y) const;

    const Picture &picture_;
    Wrong wrong_;
};

template <class Line>
void Edges::vertical(Line line, int plane, int row, int col, int y) const {
    const PlaneShape &shape = picture_.shape(plane);
    const auto [mb, k] = place(plane, row, col, y);
    for (int e = 0; e < 4; ++e) {
        const int x = picture_.vertical_position(plane, e, mb.transform8x8);
        if (x >= 0)
            filter_edge(line, x, 1, picture_.filter, shape.taps,
                        mb.vertical[e].strength(plane, k, shape.mb_height));
    }
}

template <class Line>
void Edges::left_edge(Line line, int plane, int row, int col, int y) const {
    const PlaneShape &shape = picture_.shape(plane);
    const auto [mb, k] = place(plane, row, col, y);
    filter_edge(line, 0, 1, picture_.filter, shape.taps,
                mb.vertical[0].strength(plane, k, shape.mb_height));
}

template <class Line>
void Edges::vertical_tail(Line line, int plane, int row, int col, int y) const {
    const PlaneShape &shape = picture_.shape(plane);
    const auto [mb, k] = place(plane, row, col, y);
    // Chroma with two taps never reaches the strip; an 8x8 transform has no edge at 12.
    if (shape.taps == Taps::chroma || mb.transform8x8) return;
    if (wrong_ != Wrong::no_q1)
        filter_q1_only(line, 8, 1, picture_.filter,
                       mb.vertical[2].strength(plane, k, shape.mb_height));
    filter_edge(line, 12, 1, picture_.filter, shape.taps,
                mb.vertical[3].strength(plane, k, shape.mb_height));
}

template <class Line>
void Edges::horizontal(Line line, int plane, int row, int col, int x, int end) const {
    const PlaneShape &shape = picture_.shape(plane);
    for (const HorizontalEdge &h : horizontal(plane, row, col)) {
        const int first_written = h.q0 - (shape.taps == Taps::luma ? 2 : 1) * h.step;
        if (first_written < end)
            filter_edge(line, h.q0, h.step, picture_.filter, shape.taps,
                        h.edge->strength(plane, x, shape.mb_width));
    }
}

template <class Line>
void Edges::horizontal_tail(Line line, int plane, int row, int col, int x, int needed) const {
    if (wrong_ == Wrong::no_tail) return;
    const PlaneShape &shape = picture_.shape(plane);
    const int height = picture_.unit_height(plane);
    const int last_mb = picture_.field(row, col) ? 0 : height - shape.mb_height;
    for (const HorizontalEdge &h : horizontal(plane, row, col)) {
        const Strength strength = h.edge->strength(plane, x, shape.mb_width);
        if (shape.taps == Taps::chroma) {
            if (h.number && h.q0 >= height - needed)
                filter_edge(line, h.q0, h.step, picture_.filter, shape.taps, strength);
        } else if (h.q0 >= last_mb && h.number == 2 && wrong_ != Wrong::no_q1) {
            filter_q1_only(line, h.q0, h.step, picture_.filter, strength);
        } else if (h.q0 >= last_mb && h.number == 3) {
            filter_edge(line, h.q0, h.step, picture_.filter, shape.taps, strength);
        }
    }
}

} // namespace v3doff::order::h264
