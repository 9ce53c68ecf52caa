// SPDX-License-Identifier: BSD-2-Clause
// A picture as the deblocking filter sees it: reconstructed planes and the strength of each edge.
#pragma once

#include "h264_filter.hpp"
#include "random.hpp"

#include <array>
#include <vector>

namespace v3doff::order::h264 {

enum class Format { monochrome, yuv420, yuv422, yuv444 };
const char *name(Format format);

// One edge of a macroblock, 16 luma lines long. A macroblock edge of a mixed pair (MBAFF) stands
// against two macroblocks and so has two sets of thresholds; set[line] tells which one counts.
struct Edge {
    struct Thresholds {
        uint8_t alpha, beta, tc0;
    };
    std::array<uint8_t, 16> bs{};
    std::array<uint8_t, 16> set{};
    Thresholds thresholds[3][2]{}; // [plane][set]

    // line 0..lines-1 along the edge in that plane.
    Strength strength(int plane, int line, int lines) const;
};

struct Macroblock {
    bool field = false;        // MBAFF: every second line of the pair
    bool transform8x8 = false; // transform_size_8x8_flag
    int slice = 0;
    Edge vertical[4];
    Edge horizontal[4];
    // MBAFF: a frame macroblock under a field pair has two top edges, horizontal[0] for the lines
    // of the top field and this one for those of the bottom field.
    Edge top_of_bottom_field;
};

// What the passes need to know of a plane. strip: the columns at the right of a unit that the unit
// to its right filters; upper_rows: the rows at the bottom of a unit that the unit below filters.
struct PlaneShape {
    int mb_width, mb_height;
    Taps taps;
    int strip, upper_rows;
};

// A unit is a macroblock, or a macroblock pair when MbaffFrameFlag is 1.
struct Picture {
    int cols = 0, rows = 0; // units
    bool mbaff = false;
    Format format = Format::yuv420;
    Filter filter;
    std::vector<Macroblock> macroblocks;
    std::vector<PlaneShape> shapes;
    std::vector<std::vector<Sample>> planes;

    int mbs_per_unit() const { return mbaff ? 2 : 1; }
    int plane_count() const { return static_cast<int>(shapes.size()); }
    int unit_height(int plane) const {
        return shapes[static_cast<size_t>(plane)].mb_height * mbs_per_unit();
    }
    int width(int plane) const { return cols * shapes[static_cast<size_t>(plane)].mb_width; }
    int height(int plane) const { return rows * unit_height(plane); }
    const PlaneShape &shape(int plane) const { return shapes[static_cast<size_t>(plane)]; }
    const Macroblock &mb(int row, int col, int m) const {
        return macroblocks[static_cast<size_t>((row * cols + col) * mbs_per_unit() + m)];
    }
    Macroblock &mb(int row, int col, int m) {
        return macroblocks[static_cast<size_t>((row * cols + col) * mbs_per_unit() + m)];
    }
    // A pair is all field or all frame.
    bool field(int row, int col) const { return mb(row, col, 0).field; }

    // Position of edge 0..3 across the macroblock in a plane, or -1: clause 8.7, the conditions on
    // transform_size_8x8_flag and ChromaArrayType. With 4:2:2 the horizontal edges of luma rows
    // 4 and 12 exist in chroma whatever the transform size, and keep the strength of these rows.
    int vertical_position(int plane, int edge, bool transform8x8) const;
    int horizontal_position(int plane, int edge, bool transform8x8) const;
};

struct Options {
    bool mbaff = false;
    int max_cols = 8, max_rows = 6;
    // Exactly that size, 4:2:0, 8 bits, one slice: what a decoder meets.
    bool plain = false;
};

// Random size, chroma format, bit depth, slices, transform sizes, strengths and samples.
Picture random_picture(Random &random, const Options &options);

// Everything but the random contents.
Picture empty_picture(int cols, int rows, bool mbaff, Format format);

} // namespace v3doff::order::h264
