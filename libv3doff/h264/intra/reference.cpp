// SPDX-License-Identifier: BSD-2-Clause
#include "h264/intra/reference.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "h264/lines.hpp"
#include "h264/residual/reference.hpp"

namespace v3doff::h264 {
namespace {

int mean(int a, int b, int c) {
    return (a + 2 * b + c + 2) >> 2;
}

// The samples around a block in one line: [0] the corner, [1] and on those above from left to
// right, 2 * n of them, [-1] and down those on the left from top to bottom.
struct BlockEdges {
    int n;
    int line[3 * 8 + 1] = {};

    int operator[](int i) const { return line[8 + std::clamp(i, -n, 2 * n)]; }
    int &at(int i) { return line[8 + i]; }
};

// 8.3.2.2.1
BlockEdges filtered(const BlockEdges &from, bool has_corner) {
    BlockEdges to{from.n};
    for (int i = -8; i <= 16; i++) {
        const bool beside_corner = !has_corner && (i == 1 || i == -1);
        const int before = beside_corner && i == 1 ? i : i - 1;
        const int behind = beside_corner && i == -1 ? i : i + 1;
        to.at(i) = mean(from[before], from[i], from[behind]);
    }
    return to;
}

// Along lines that lead down to the right, more down than right; `sign` -1 exchanges both.
int along_steep_line(const BlockEdges &edges, int x, int y, int sign) {
    const auto edge = [&](int i) { return edges[sign * i]; };
    const int at = x - (y >> 1);
    if (at < 0) { // zVR of -1 and less
        const int center = 2 * at + 1 - (y & 1);
        return mean(edge(center - 1), edge(center), edge(center + 1));
    }
    return y & 1 ? mean(edge(at - 1), edge(at), edge(at + 1)) : (edge(at) + edge(at + 1) + 1) >> 1;
}

// 8.3.1.2 and, of edges that are filtered, 8.3.2.2.
int block_sample(const BlockEdges &edges, unsigned mode, int x, int y, int flat) {
    const auto mean_at = [&](int i) { return mean(edges[i - 1], edges[i], edges[i + 1]); };
    switch (mode) {
    case INTRA_VERTICAL:
        return edges[1 + x];
    case INTRA_HORIZONTAL:
        return edges[-1 - y];
    case INTRA_DOWN_LEFT:
        return mean_at(2 + x + y);
    case INTRA_DOWN_RIGHT:
        return mean_at(x - y);
    case INTRA_VERTICAL_RIGHT:
        return along_steep_line(edges, x, y, 1);
    case INTRA_HORIZONTAL_DOWN:
        return along_steep_line(edges, y, x, -1);
    case INTRA_VERTICAL_LEFT: {
        const int at = 1 + x + (y >> 1);
        return y & 1 ? mean_at(at + 1) : (edges[at] + edges[at + 1] + 1) >> 1;
    }
    case INTRA_HORIZONTAL_UP: {
        const int at = -1 - y - (x >> 1);
        return x & 1 ? mean_at(at - 1) : (edges[at] + edges[at - 1] + 1) >> 1;
    }
    default:
        return flat;
    }
}

// The mean of the samples above and on the left, of those that the mode reads.
int block_flat(const BlockEdges &edges, unsigned mode, int depth) {
    const unsigned reads = intra_block_reads[mode];
    int sum = 0, count = 0;
    for (int i = 1; i <= edges.n; i++) {
        if (reads & reads_above) sum += edges[i], count++;
        if (reads & reads_left) sum += edges[-i], count++;
    }
    return count ? (sum + count / 2) / count : 1 << (depth - 1);
}

// One plane of a macroblock.
template <typename Sample>
struct PlaneOf {
    Sample *first;
    ptrdiff_t stride; // in samples
    int depth;

    Sample &at(int x, int y) const { return first[y * stride + x]; }

    void load(BlockEdges &edges, int x0, int y0, unsigned reads) const {
        const int n = edges.n;
        if (reads & reads_corner) edges.at(0) = at(x0 - 1, y0 - 1);
        for (int i = 0; (reads & reads_left) && i < n; i++)
            edges.at(-1 - i) = at(x0 - 1, y0 + i);
        const int last = reads & reads_above_right ? 2 * n - 1 : n - 1;
        for (int i = 0; (reads & reads_above) && i < 2 * n; i++)
            edges.at(1 + i) = at(x0 + std::min(i, last), y0 - 1);
    }

    void predict_block(const BlockEdges &edges, unsigned mode, int x0, int y0) const {
        const int flat = block_flat(edges, mode, depth);
        for (int y = 0; y < edges.n; y++)
            for (int x = 0; x < edges.n; x++)
                at(x0 + x, y0 + y) = Sample(block_sample(edges, mode, x, y, flat));
    }

    // 8.3.1
    void predict_4x4(unsigned mode, int x0, int y0, bool top_right) const {
        BlockEdges edges{4};
        const unsigned right = top_right ? 0u : unsigned(reads_above_right);
        load(edges, x0, y0, intra_block_reads[mode] & ~right);
        predict_block(edges, mode, x0, y0);
    }

    // 8.3.2
    void predict_8x8(unsigned mode, int x0, int y0, bool top_left, bool top_right) const {
        BlockEdges edges{8};
        load(edges, x0, y0, intra_block_8x8_reads(mode, top_left, top_right));
        predict_block(filtered(edges, top_left), mode, x0, y0);
    }

    int sum_above(int x0, int count) const {
        int sum = 0;
        for (int i = 0; i < count; i++)
            sum += at(x0 + i, -1);
        return sum;
    }
    int sum_left(int y0, int count) const {
        int sum = 0;
        for (int i = 0; i < count; i++)
            sum += at(-1, y0 + i);
        return sum;
    }

    void fill(int x0, int y0, int edge, int value) const {
        for (int y = y0; y < y0 + edge; y++)
            std::fill_n(&at(x0, y), edge, Sample(value));
    }

    // 8.3.3.3, and of a 4x4 block of chroma 8.3.4.1 to 8.3.4.3.
    void predict_flat(int x0, int y0, int edge, bool above, bool left) const {
        const int count = edge * (above + left);
        const int sum = (above ? sum_above(x0, edge) : 0) + (left ? sum_left(y0, edge) : 0);
        fill(x0, y0, edge, count ? (sum + count / 2) / count : 1 << (depth - 1));
    }

    // 8.3.3.4, 8.3.4.4
    void predict_plane(int width, int height) const {
        const int half_x = width / 2, half_y = height / 2;
        int h = 0, v = 0;
        for (int i = 0; i < half_x; i++)
            h += (i + 1) * (at(half_x + i, -1) - at(half_x - 2 - i, -1));
        for (int i = 0; i < half_y; i++)
            v += (i + 1) * (at(-1, half_y + i) - at(-1, half_y - 2 - i));
        const int b = ((width == 16 ? 5 : 34) * h + 32) >> 6;
        const int c = ((height == 16 ? 5 : 34) * v + 32) >> 6;
        const int a = 16 * (at(-1, height - 1) + at(width - 1, -1));
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                at(x, y) =
                    Sample(std::clamp((a + b * (x + 1 - half_x) + c * (y + 1 - half_y) + 16) >> 5,
                                      0, (1 << depth) - 1));
    }

    void predict_dc(unsigned mode, int width, int height) const {
        const unsigned reads = intra_whole_reads[mode];
        if (width == 16) return predict_flat(0, 0, 16, reads & reads_above, reads & reads_left);
        uint32_t means = intra_chroma_means[mode];
        for (int y = 0; y < height; y += 4)
            for (int x = 0; x < width; x += 4, means >>= 2)
                predict_flat(x, y, 4, means & reads_above, means & reads_left);
    }

    void predict_whole(unsigned mode, int width, int height) const {
        if (mode == INTRA_WHOLE_PLANE) return predict_plane(width, height);
        if (mode != INTRA_WHOLE_HORIZONTAL && mode != INTRA_WHOLE_VERTICAL)
            return predict_dc(mode, width, height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                at(x, y) = mode == INTRA_WHOLE_VERTICAL ? at(x, -1) : at(-1, y);
    }
};

int block_x(int i) {
    return 4 * ((i & 1) + (i >> 2 & 1) * 2);
}
int block_y(int i) {
    return 4 * ((i >> 1 & 1) + (i >> 3 & 1) * 2);
}

template <typename Sample>
struct MacroblockOf {
    const PictureView &picture;
    const IntraMacroblock &macroblock;
    const MacroblockResidual &residual;
    const int depth = int(picture.format.bit_depth);
    const ResidualKind kind_4x4 =
        residual.bypass ? ResidualKind::bypass_4x4 : ResidualKind::residual_4x4;
    const std::byte *next = reinterpret_cast<const std::byte *>(residual.coefficients);

    PlaneOf<Sample> plane(unsigned p) const {
        const PlaneView &view = picture.plane[p];
        const ptrdiff_t stride = view.stride / ptrdiff_t(sizeof(Sample));
        const MacroblockLines lines(macroblock.y, macroblock.field,
                                    16u >> picture.format.shift_y(p));
        return {reinterpret_cast<Sample *>(view.data) + ptrdiff_t(lines.first) * stride +
                    macroblock.x * (16 >> picture.format.shift_x(p)),
                stride * ptrdiff_t(lines.step), depth};
    }

    void add(const PlaneOf<Sample> &to, int x, int y, ResidualKind kind) {
        residual_add_reference(&to.at(x, y), to.stride * ptrdiff_t(sizeof(Sample)), next, kind,
                               depth);
        next += residual_used(kind) * coefficient_bytes(depth);
    }

    void luma(unsigned p) {
        const PlaneOf<Sample> to = plane(p);
        const bool large = macroblock.kind == IntraKind::blocks_8x8;
        if (macroblock.kind == IntraKind::whole_16x16) to.predict_whole(macroblock.mode[0], 16, 16);
        for (int i = 0; i < 16; i++) {
            const unsigned mode = macroblock.mode[i];
            const bool top_left = macroblock.top_left_available << i & 0x8000;
            const unsigned top_right = macroblock.top_right_available;
            if (macroblock.kind == IntraKind::blocks_4x4)
                to.predict_4x4(mode, block_x(i), block_y(i), top_right << i & 0x8000);
            if (large && i % 4 == 0)
                to.predict_8x8(mode, block_x(i), block_y(i), top_left, top_right << i & 0x4000);
            if ((residual.coded[p] >> i & 1) && !(residual.transform_8x8 && i % 4))
                add(to, block_x(i), block_y(i),
                    residual.transform_8x8 ? ResidualKind::residual_8x8 : kind_4x4);
        }
    }

    void chroma(unsigned p) {
        const PlaneOf<Sample> to = plane(p);
        const int height = 16 >> picture.format.shift_y(p);
        to.predict_whole(macroblock.chroma_mode, 8, height);
        for (int i = 0; i < height / 2; i++)
            if (residual.coded[p] >> i & 1) add(to, i % 2 * 4, i / 2 * 4, kind_4x4);
    }

    // 8.3.5
    void pcm(unsigned p) {
        const PlaneOf<Sample> to = plane(p);
        const size_t row = sizeof(Sample) * (16 >> picture.format.shift_x(p));
        for (int y = 0; y < 16 >> picture.format.shift_y(p); y++, next += row)
            std::memcpy(&to.at(0, y), next, row);
    }

    void reconstruct() {
        for (unsigned p = 0; p < picture.format.planes(); p++)
            if (macroblock.kind == IntraKind::pcm)
                pcm(p);
            else if (p == 0 || picture.format.chroma == V3DOFF_CHROMA_444)
                luma(p);
            else
                chroma(p);
    }
};

} // namespace

void intra_reconstruct_reference(const PictureView &picture, const IntraMacroblock &macroblock,
                                 const MacroblockResidual &residual) {
    if (picture.format.bit_depth == 8)
        MacroblockOf<uint8_t>{picture, macroblock, residual}.reconstruct();
    else
        MacroblockOf<uint16_t>{picture, macroblock, residual}.reconstruct();
}

} // namespace v3doff::h264
