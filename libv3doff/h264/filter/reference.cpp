// SPDX-License-Identifier: BSD-2-Clause
#include "h264/filter/reference.hpp"

#include <algorithm>
#include <cstdlib>

namespace v3doff::h264 {
namespace {

// The samples of one line across an edge, by their names in 8.7.2: p3 p2 p1 p0 | q0 q1 q2 q3.
template <typename Sample>
class Line {
  public:
    Line(std::byte *at, ptrdiff_t across) : at_(at), across_(across) {}
    Sample &p(int i) const { return sample(-1 - i); }
    Sample &q(int i) const { return sample(i); }

  private:
    Sample &sample(int i) const { return *reinterpret_cast<Sample *>(at_ + i * across_); }
    std::byte *at_;
    ptrdiff_t across_;
};

struct Limits {
    int alpha, beta, tc0, largest;
};

// filterSamplesFlag of 8.7.2.2.
template <typename Sample>
bool filters(const Line<Sample> &s, const Limits &limits) {
    return std::abs(s.p(0) - s.q(0)) < limits.alpha && std::abs(s.p(1) - s.p(0)) < limits.beta &&
           std::abs(s.q(1) - s.q(0)) < limits.beta;
}

template <typename Sample>
void filter_line(const Line<Sample> &s, const Limits &limits, bool chroma_style) {
    if (!filters(s, limits)) return;
    const int p0 = s.p(0), p1 = s.p(1), q0 = s.q(0), q1 = s.q(1);
    int tc = limits.tc0;
    if (chroma_style) {
        tc++;
    } else {
        const int p2 = s.p(2), q2 = s.q(2), middle = (p0 + q0 + 1) >> 1;
        if (std::abs(p2 - p0) < limits.beta) {
            s.p(1) = Sample(p1 + std::clamp((p2 + middle - 2 * p1) >> 1, -limits.tc0, limits.tc0));
            tc++;
        }
        if (std::abs(q2 - q0) < limits.beta) {
            s.q(1) = Sample(q1 + std::clamp((q2 + middle - 2 * q1) >> 1, -limits.tc0, limits.tc0));
            tc++;
        }
    }
    const int delta = std::clamp((4 * (q0 - p0) + (p1 - q1) + 4) >> 3, -tc, tc);
    s.p(0) = Sample(std::clamp(p0 + delta, 0, limits.largest));
    s.q(0) = Sample(std::clamp(q0 - delta, 0, limits.largest));
}

// 8.7.2.4 for one side; a are the samples on it, b those on the other.
template <typename Sample>
void smooth(Sample *const a[4], const int b[2], bool wide) {
    const int a0 = *a[0], a1 = *a[1];
    if (!wide) {
        *a[0] = Sample((2 * a1 + a0 + b[1] + 2) >> 2);
        return;
    }
    const int a2 = *a[2], a3 = *a[3];
    *a[0] = Sample((a2 + 2 * a1 + 2 * a0 + 2 * b[0] + b[1] + 4) >> 3);
    *a[1] = Sample((a2 + a1 + a0 + b[0] + 2) >> 2);
    *a[2] = Sample((2 * a3 + 3 * a2 + a1 + a0 + b[0] + 4) >> 3);
}

template <typename Sample>
void filter_line_strong(const Line<Sample> &s, const Limits &limits, bool chroma_style) {
    if (!filters(s, limits)) return;
    const int p[2] = {s.p(0), s.p(1)}, q[2] = {s.q(0), s.q(1)};
    const bool near = !chroma_style && std::abs(p[0] - q[0]) < (limits.alpha >> 2) + 2;
    const bool wide_p = near && std::abs(s.p(2) - p[0]) < limits.beta;
    const bool wide_q = near && std::abs(s.q(2) - q[0]) < limits.beta;
    // Chroma has no samples 2 and 3 to name: an edge may be 2 samples from the picture's border.
    Sample *side_p[4] = {&s.p(0), &s.p(1), wide_p ? &s.p(2) : nullptr, wide_p ? &s.p(3) : nullptr};
    Sample *side_q[4] = {&s.q(0), &s.q(1), wide_q ? &s.q(2) : nullptr, wide_q ? &s.q(3) : nullptr};
    smooth<Sample>(side_p, q, wide_p);
    smooth<Sample>(side_q, p, wide_q);
}

template <typename Sample, typename FilterLine>
void each_line(const Edge &edge, const Limits &limits, bool chroma_style, FilterLine filter) {
    for (unsigned i = 0; i < edge.lines; i++)
        filter(Line<Sample>(edge.at + ptrdiff_t(i) * edge.along, edge.across), limits,
               chroma_style);
}

// How the edges of a plane follow from those of luma.
struct PlaneEdges {
    bool chroma_style;
    unsigned width, height; // samples of a macroblock
};

PlaneEdges edges_of(const PictureFormat &format, unsigned plane) {
    return {plane > 0 && format.chroma != V3DOFF_CHROMA_444, 16u >> format.shift_x(plane),
            16u >> format.shift_y(plane)};
}

// The edges of one direction from edge `first` on; thresholds: those of edge 0 and of the others.
// Chroma's edges are 8 luma samples apart where it is subsampled along that direction, 4:2:2's
// horizontal ones are as many as luma's (8.7, 8.7.1).
void filter_direction(Edge edge, const PlaneEdges &plane, const uint32_t (&thresholds)[2],
                      const uint32_t strengths[2], unsigned direction, unsigned first) {
    const unsigned extent = direction == vertical_edges ? plane.width : plane.height;
    const unsigned length = direction == vertical_edges ? plane.height : plane.width;
    const unsigned edges = extent / 4, step = 4 / edges;
    std::byte *const origin = edge.at;
    edge.lines = length / 4;
    for (unsigned e = first; e < edges; e++)
        for (unsigned segment = 0; segment < 4; segment++) {
            edge.at = origin + ptrdiff_t(e) * 4 * edge.across +
                      ptrdiff_t(segment) * edge.lines * edge.along;
            filter_packed(edge, thresholds[e > 0], strength_of(strengths, e * step, segment),
                          plane.chroma_style);
        }
}

void filter_plane_mb(const PictureView &picture, unsigned p, const FilterMb &record, uint32_t x,
                     uint32_t y) {
    const PlaneEdges plane = edges_of(picture.format, p);
    const PlaneView &view = picture.plane[p];
    const ptrdiff_t bytes = picture.format.sample_bytes();
    std::byte *at =
        view.data + ptrdiff_t(y) * plane.height * view.stride + ptrdiff_t(x) * plane.width * bytes;
    const uint32_t *thresholds = p == 0 ? record.luma : p == 1 ? record.cb : record.cr;
    const uint32_t chroma[2] = {record.chroma_left, record.chroma_right};
    const int depth = int(picture.format.bit_depth);
    filter_direction({at, bytes, view.stride, 0, depth}, plane, {thresholds[0], thresholds[2]},
                     record.vertical, vertical_edges, 0);
    filter_direction({at, view.stride, bytes, 0, depth}, plane, {thresholds[1], thresholds[2]},
                     plane.chroma_style ? chroma : record.horizontal, horizontal_edges, 0);
}

// One macroblock in one plane: its lines are `line` bytes apart, twice the stride in a field pair.
struct Block {
    std::byte *at;
    ptrdiff_t line, sample;
    int bit_depth;
    PlaneEdges plane;
    const uint32_t *thresholds;
};

// The strengths of `left` stand for two lines each, of a half or of a parity of the macroblock.
void filter_left(const Block &block, const FilterMbaffMb &mb) {
    const bool alternate = mb.flags & MBAFF_ALTERNATE;
    const unsigned height = block.plane.height, lines = height / 8; // with one strength
    for (unsigned y = 0; y < height; y++) {
        const unsigned group = alternate ? y / (2 * lines) * 2 + y % 2 : y / lines;
        const unsigned neighbour = alternate ? y % 2 : y / (height / 2);
        const Edge line{block.at + ptrdiff_t(y) * block.line, block.sample, block.line, 1,
                        block.bit_depth};
        filter_packed(line, block.thresholds[neighbour], mb.left >> (group * 4) & 15,
                      block.plane.chroma_style);
    }
}

// The upper edge, `step` bytes from line to line across it; q0 in the line at `at`.
void filter_upper(const Block &block, std::byte *at, ptrdiff_t step, uint32_t strengths,
                  uint32_t thresholds) {
    const unsigned columns = block.plane.width / 4;
    for (unsigned segment = 0; segment < 4; segment++)
        filter_packed({at + ptrdiff_t(segment * columns) * block.sample, step, block.sample,
                       columns, block.bit_depth},
                      thresholds, strengths >> (segment * 4) & 15, block.plane.chroma_style);
}

void filter_mb(const PictureView &picture, unsigned p, const FilterMbaffMb &mb, uint32_t x,
               uint32_t pair, unsigned m) {
    const PictureFormat &format = picture.format;
    const ptrdiff_t stride = picture.plane[p].stride, sample = ptrdiff_t(format.sample_bytes());
    const bool field = mb.flags & MBAFF_FIELD;
    const PlaneEdges plane = edges_of(format, p);
    const int depth = int(format.bit_depth);
    const unsigned row = (pair * 2 + (field ? 0 : m)) * plane.height + (field ? m : 0);
    std::byte *const at =
        picture.plane[p].data + ptrdiff_t(row) * stride + ptrdiff_t(x) * plane.width * sample;
    const Block block{at, field ? stride * 2 : stride, sample, depth, plane, mb.thresholds[p]};
    const uint32_t chroma[2] = {mb.chroma_left, mb.chroma_right};
    const uint32_t inner[2] = {0, block.thresholds[4]};
    filter_left(block, mb);
    filter_direction({at, sample, block.line, 0, depth}, plane, inner, mb.vertical, vertical_edges,
                     1);
    if (mb.flags & MBAFF_TWO_TOPS) {
        // 8.7: the fields of the pair above, one after the other, in field mode.
        filter_upper(block, block.at, stride * 2, mb.top, block.thresholds[2]);
        filter_upper(block, block.at + stride, stride * 2, mb.top >> 16, block.thresholds[3]);
    } else {
        filter_upper(block, block.at, block.line, mb.top, block.thresholds[2]);
    }
    filter_direction({at, block.line, sample, 0, depth}, plane, inner,
                     plane.chroma_style ? chroma : mb.horizontal, horizontal_edges, 1);
}

} // namespace

void filter_edge(const Edge &edge, int alpha, int beta, int tc0, bool chroma_style) {
    if (tc0 < 0) return;
    const int scale = 1 << (edge.bit_depth - 8);
    const Limits limits{alpha * scale, beta * scale, tc0 * scale, (1 << edge.bit_depth) - 1};
    if (edge.bit_depth > 8)
        each_line<uint16_t>(edge, limits, chroma_style, filter_line<uint16_t>);
    else
        each_line<uint8_t>(edge, limits, chroma_style, filter_line<uint8_t>);
}

void filter_edge_strong(const Edge &edge, int alpha, int beta, bool chroma_style) {
    const int scale = 1 << (edge.bit_depth - 8);
    const Limits limits{alpha * scale, beta * scale, 0, (1 << edge.bit_depth) - 1};
    if (edge.bit_depth > 8)
        each_line<uint16_t>(edge, limits, chroma_style, filter_line_strong<uint16_t>);
    else
        each_line<uint8_t>(edge, limits, chroma_style, filter_line_strong<uint8_t>);
}

void filter_packed(const Edge &edge, uint32_t thresholds, unsigned strength, bool chroma_style) {
    const int alpha = int(unpack(thresholds, THRESHOLD_ALPHA));
    const int beta = int(unpack(thresholds, THRESHOLD_BETA));
    if (strength == 4)
        filter_edge_strong(edge, alpha, beta, chroma_style);
    else if (strength > 0)
        filter_edge(edge, alpha, beta, int(unpack_tc0(thresholds, strength)), chroma_style);
}

void filter_reference(const PictureView &picture, const FilterMb *records, uint32_t mb_width,
                      uint32_t mb_height) {
    for (uint32_t y = 0; y < mb_height; y++)
        for (uint32_t x = 0; x < mb_width; x++)
            for (unsigned p = 0; p < picture.format.planes(); p++)
                filter_plane_mb(picture, p, records[size_t(y) * mb_width + x], x, y);
}

void filter_mbaff_reference(const PictureView &picture, const FilterMbaffMb *records,
                            uint32_t mb_width, uint32_t pair_height) {
    for (uint32_t pair = 0; pair < pair_height; pair++)
        for (uint32_t x = 0; x < mb_width; x++)
            for (unsigned m = 0; m < 2; m++, records++)
                for (unsigned p = 0; p < picture.format.planes(); p++)
                    filter_mb(picture, p, *records, x, pair, m);
}

} // namespace v3doff::h264
