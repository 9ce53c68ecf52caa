// SPDX-License-Identifier: BSD-2-Clause
// A picture as the VP9 loop filter sees it: planes, and the width of the filter on every edge.
#pragma once

#include "random.hpp"
#include "vp9_filter.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace v3doff::order::vp9 {

// One plane. Sizes are those of the area that 8x8 luma blocks cover, subsampled: a multiple of 8,
// or of 4 where the number of blocks is odd. Edges stand on multiples of 4; 8 and 16 wide ones on
// multiples of 8 alone; one value counts for 4 samples along the edge.
struct Plane {
    int width = 0, height = 0;
    int sb_width = 64, sb_height = 64; // a superblock in this plane
    std::vector<uint8_t> vertical, horizontal;
    std::vector<Sample> samples;

    uint8_t &vertical_at(int x, int y) { return vertical[index(x, y)]; }
    uint8_t &horizontal_at(int x, int y) { return horizontal[index(x, y)]; }
    int vertical_width(int x, int y) const { return vertical[index(x, y)]; }
    int horizontal_width(int x, int y) const { return horizontal[index(x, y)]; }

    // Bounds of superblock row or column i, the last one clipped.
    int top(int row) const { return row * sb_height; }
    int bottom(int row) const { return std::min((row + 1) * sb_height, height); }
    int left(int col) const { return col * sb_width; }
    int right(int col) const { return std::min((col + 1) * sb_width, width); }

  private:
    size_t index(int x, int y) const {
        return static_cast<size_t>(y / 4) * static_cast<size_t>(width / 4) +
               static_cast<size_t>(x / 4);
    }
};

struct Picture {
    int width = 0, height = 0; // of the luma plane as coded
    int ss_h = 0, ss_v = 0;    // chroma subsampling
    int sb_cols = 0, sb_rows = 0;
    std::vector<Plane> planes;

    std::string text() const;
};

// How blocks fall: percentages of splitting a block, of 4x4 transforms, of blocks without inner
// edges (skipped inter blocks). wild: edges without any block structure.
struct Texture {
    int split = 50, small = 25, skip = 33;
    bool wild = false;
};

Picture empty_picture(int width, int height, int ss_h, int ss_v);
Picture random_picture(Random &random, int width, int height, int ss_h, int ss_v,
                       const Texture &texture);

// Vertical edges of row y whose position lies in [from, to), from left to right.
template <class Line>
void filter_row(const Plane &plane, Line line, int y, int from, int to) {
    for (int x = from; x < to; x += 4)
        filter_edge(line, x, plane.vertical_width(x, y));
}

// Horizontal edges of column x whose position lies in [from, to), from top to bottom.
template <class Line>
void filter_column(const Plane &plane, Line line, int x, int from, int to) {
    for (int y = from; y < to; y += 4)
        filter_edge(line, y, plane.horizontal_width(x, y));
}

// Rows and columns of anything with load(x, y) and store(x, y, value).
template <class Samples>
struct RowOf {
    Samples &samples;
    int y;
    Sample get(int x) { return samples.load(x, y); }
    void set(int x, Sample value) { samples.store(x, y, value); }
};
template <class Samples>
struct ColumnOf {
    Samples &samples;
    int x;
    Sample get(int y) { return samples.load(x, y); }
    void set(int y, Sample value) { samples.store(x, y, value); }
};

} // namespace v3doff::order::vp9
