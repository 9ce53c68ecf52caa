// SPDX-License-Identifier: BSD-2-Clause
// Random contents, wider than any encoder's: each line of a mixed edge its own bS, thresholds
// without any relation to a quantiser.
#include "h264_picture.hpp"

#include <algorithm>

namespace v3doff::order::h264 {
namespace {

struct Slice {
    int disable_deblocking_filter_idc;
};

void random_thresholds(Random &random, Edge &edge) {
    for (auto &plane : edge.thresholds) {
        for (Edge::Thresholds &t : plane) {
            t.alpha = static_cast<uint8_t>(random.percent(5) ? 0 : random.between(1, 80));
            t.beta = static_cast<uint8_t>(random.between(1, 30));
            t.tc0 = static_cast<uint8_t>(random.below(14));
        }
    }
}

// maximum: the largest bS that 8.7.2.1 can give this edge. mixed: strengths change line by line.
void random_edge(Random &random, Edge &edge, int maximum, bool mixed) {
    random_thresholds(random, edge);
    const bool all_strong = maximum == 4 && random.percent(30);
    for (size_t line = 0; line < 16; ++line) {
        if (!mixed && line % 4) {
            edge.bs[line] = edge.bs[line - 1];
            continue;
        }
        const bool off = random.percent(12);
        edge.bs[line] = static_cast<uint8_t>(all_strong ? 4 : off ? 0 : random.between(1, maximum));
        edge.set[line] = mixed && random.percent(50);
    }
}

// Slices are runs of units in raster order (in MBAFF a pair is never split).
std::vector<Slice> random_slices(Random &random, Picture &picture, bool plain) {
    if (plain) return {{0}};
    std::vector<Slice> slices;
    const int units = picture.cols * picture.rows, cut_percent = random.percent(50) ? 0 : 15;
    for (int unit = 0; unit < units; ++unit) {
        if (!unit || random.percent(cut_percent))
            slices.push_back({random.percent(60) ? 0 : random.below(3)});
        for (int m = 0; m < picture.mbs_per_unit(); ++m)
            picture.mb(unit / picture.cols, unit % picture.cols, m).slice =
                static_cast<int>(slices.size()) - 1;
    }
    return slices;
}

// filterLeftMbEdgeFlag and filterTopMbEdgeFlag of clause 8.7 for a neighbour inside the picture.
bool edge_allowed(const Slice &slice, const Macroblock &mb, const Macroblock &neighbour) {
    return slice.disable_deblocking_filter_idc == 0 ||
           (slice.disable_deblocking_filter_idc == 2 && mb.slice == neighbour.slice);
}

void random_macroblock(Random &random, Picture &picture, int row, int col, int m,
                       const Slice &slice) {
    Macroblock &mb = picture.mb(row, col, m);
    mb.transform8x8 = random.percent(35);
    if (slice.disable_deblocking_filter_idc == 1) return;
    for (int e = 1; e < 4; ++e) {
        random_edge(random, mb.vertical[e], 3, false);
        random_edge(random, mb.horizontal[e], 3, false);
    }
    if (col && edge_allowed(slice, mb, picture.mb(row, col - 1, 0)))
        random_edge(random, mb.vertical[0], 4,
                    picture.field(row, col) != picture.field(row, col - 1));
    // The bottom frame macroblock of a pair stands on the top one, all others on the unit above.
    const bool inner = m && !mb.field;
    if (!inner && (!row || !edge_allowed(slice, mb, picture.mb(row - 1, col, 0)))) return;
    // bS = 4 on a horizontal edge needs frame macroblocks on both sides.
    const bool both_frame = !mb.field && (inner || !picture.field(row - 1, col));
    random_edge(random, mb.horizontal[0], both_frame ? 4 : 3, false);
    random_edge(random, mb.top_of_bottom_field, 3, false);
}

void random_samples(Random &random, Picture &picture) {
    const int maximum = (1 << picture.filter.bit_depth) - 1, scale = picture.filter.bit_depth - 8;
    const int base = random.between(20, 219) << scale, swing = random.between(1, 24) << scale;
    for (int plane = 0; plane < picture.plane_count(); ++plane) {
        const auto count = static_cast<size_t>(picture.width(plane) * picture.height(plane));
        std::vector<Sample> samples(count);
        for (Sample &s : samples)
            s = static_cast<Sample>(std::clamp(base + random.between(-swing, swing), 0, maximum));
        picture.planes.push_back(std::move(samples));
    }
}

} // namespace

Picture random_picture(Random &random, const Options &options) {
    static constexpr Format formats[] = {Format::yuv420, Format::yuv420, Format::yuv422,
                                         Format::yuv444, Format::monochrome};
    static constexpr int depths[] = {8, 8, 10, 12, 14};
    const bool plain = options.plain;
    const int cols = plain ? options.max_cols : random.between(1, options.max_cols);
    const int rows = plain ? options.max_rows : random.between(1, options.max_rows);
    Picture picture =
        empty_picture(cols, rows, options.mbaff, plain ? Format::yuv420 : formats[random.below(5)]);
    if (!plain) {
        picture.filter.arithmetic = random.percent(50) ? Arithmetic::chaotic : Arithmetic::standard;
        picture.filter.bit_depth = depths[random.below(5)];
    }
    const int units = picture.cols * picture.rows;
    picture.macroblocks.resize(static_cast<size_t>(units * picture.mbs_per_unit()));
    for (int unit = 0; unit < units && options.mbaff; ++unit) {
        const bool field = random.percent(50);
        for (int m = 0; m < 2; ++m)
            picture.mb(unit / picture.cols, unit % picture.cols, m).field = field;
    }
    const std::vector<Slice> slices = random_slices(random, picture, options.plain);
    for (int unit = 0; unit < units; ++unit)
        for (int m = 0; m < picture.mbs_per_unit(); ++m) {
            const int row = unit / picture.cols, col = unit % picture.cols;
            const auto slice = static_cast<size_t>(picture.mb(row, col, m).slice);
            random_macroblock(random, picture, row, col, m, slices[slice]);
        }
    random_samples(random, picture);
    return picture;
}

} // namespace v3doff::order::h264
