// SPDX-License-Identifier: BSD-2-Clause
// The reach tables of README.md, sections 1 and 2, as numbers.
#include "h264_tables.hpp"

#include <algorithm>

namespace v3doff::order::h264 {
namespace {

// A unit of one kind. Columns and rows count from its corner; rows above it are negative.
struct Unit {
    int width, strip;  // columns; of these the last ones that the unit to the right filters
    int height, upper; // rows; of these the last ones that the unit below filters
    int tail;          // luma: first row that pass 1 finishes in the strip
    int strip_end;     // luma: last row of A that pass 2 reads
    int above;         // rows above that the top edges read
    int halo;          // rows above whose vertical edges are needed
    int column_end;    // last row that pass 4 reads
};

// [plane type], macroblocks.
constexpr Unit macroblock[] = {
    {16, 4, 16, 4, 9, 10, 4, 10, 14}, {8, 2, 8, 2, 0, 0, 2, 2, 5}, {8, 2, 16, 2, 0, 0, 2, 2, 13}};

// [frame under frame, frame under field, field under frame, field under field][plane type], pairs.
constexpr Unit pair[4][3] = {{{16, 4, 32, 4, 25, 26, 4, 10, 30},
                              {8, 2, 16, 2, 0, 0, 2, 2, 13},
                              {8, 2, 32, 2, 0, 0, 2, 2, 29}},
                             {{16, 4, 32, 4, 25, 26, 6, 20, 30},
                              {8, 2, 16, 2, 0, 0, 4, 4, 13},
                              {8, 2, 32, 2, 0, 0, 4, 4, 29}},
                             {{16, 4, 32, 4, 18, 21, 6, 10, 29},
                              {8, 2, 16, 2, 0, 0, 4, 6, 13},
                              {8, 2, 32, 2, 0, 0, 4, 6, 29}},
                             {{16, 4, 32, 4, 18, 21, 6, 20, 29},
                              {8, 2, 16, 2, 0, 0, 4, 4, 13},
                              {8, 2, 32, 2, 0, 0, 4, 4, 29}}};

void four_passes(std::vector<ReachLine> &lines, int kind, const Unit &u, bool luma) {
    const int w = u.width, s = w - u.strip, h = u.height;
    const auto add = [&](int pass, int buffer, bool write, Box box) {
        lines.push_back({pass - 1, kind, buffer, write, box});
    };
    if (luma) {
        add(1, buffer_r, false, {6, 15, 0, h - 1});
        add(1, buffer_a, true, {s, 15, 0, h - 1});
        add(1, buffer_t, true, {s, 15, u.tail, h - 1});
        add(2, buffer_t, false, {s, 15, -u.above, -1});
        add(2, buffer_a, false, {s, 15, 0, u.strip_end});
        add(2, buffer_t, true, {s, 15, 0, u.tail - 1});
    } else {
        add(2, buffer_r, false, {s, 7, -u.halo, h - 1});
        add(2, buffer_t, true, {s, 7, 0, h - 1});
    }
    add(2, part_r_up_right, false, {w, w + u.strip - 1, -u.above, -1});
    add(2, buffer_g, true, {s, w - 1, -u.upper, -1});
    add(3, buffer_t, false, {-u.strip, -1, 0, h - 1});
    add(3, buffer_r, false, {0, luma ? 14 : 5, 0, h - 1});
    add(3, buffer_a, true, {0, s - 1, 0, h - 1});
    add(3, buffer_g, true, {-u.strip, -1, 0, h - u.upper - 1});
    add(4, buffer_a, false, {0, s - 1, -u.halo, u.column_end});
    add(4, buffer_g, true, {0, s - 1, -u.upper, h - u.upper - 1});
}

// A unit without a neighbour to the right has no strip, one without a neighbour below finishes all
// of its rows: what the last row and column of any kind may reach at most.
void widen_for_border(ReachLine &line, const Unit &u) {
    if (line.pass < 2) return; // strips
    const bool row_item = line.pass == 2;
    if (line.box.x1 >= 0) line.box.x1 = u.width - 1;
    if (!row_item || line.buffer == buffer_g) line.box.y1 = u.height - 1;
}

} // namespace

std::vector<ReachLine> stated_reach(bool mbaff) {
    std::vector<ReachLine> lines, borders;
    for (int kind = 0; kind < (mbaff ? 12 : 3); ++kind) {
        const int type = kind % 3;
        const Unit &unit = mbaff ? pair[kind / 3][type] : macroblock[type];
        const size_t first = lines.size();
        four_passes(lines, kind, unit, !type);
        for (size_t i = first; i < lines.size(); ++i) {
            ReachLine line = lines[i];
            line.kind = 12 + type;
            widen_for_border(line, unit);
            borders.push_back(line);
        }
    }
    // Borders are one kind for all pair types: the union of their boxes.
    for (ReachLine &line : borders)
        for (const ReachLine &other : borders)
            if (line.pass == other.pass && line.kind == other.kind && line.buffer == other.buffer &&
                line.write == other.write) {
                line.box.add(other.box.x0, other.box.y0);
                line.box.add(other.box.x1, other.box.y1);
            }
    lines.insert(lines.end(), borders.begin(), borders.end());
    return lines;
}

} // namespace v3doff::order::h264
