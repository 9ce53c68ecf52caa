// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/intra/reference.hpp"

#include <algorithm>

namespace v3doff::vp9 {
namespace {

constexpr int most_edge = 32;

// The samples around a block in one line: [0] the corner, [1] and on those above from left to
// right, [-1] and down those on the left from top to bottom.
struct Edges {
    int line[2 * most_edge + 1 + 4];
    int last_above; // index of the last one above that counts
    int last_left;  // the same on the left, positive

    int operator[](int i) const {
        return line[most_edge + std::clamp(i, -last_left - 1, last_above + 1)];
    }
    int &at(int i) { return line[most_edge + i]; }
};

int average(int a, int b) {
    return (a + b + 1) >> 1;
}

int average(int a, int b, int c) {
    return (a + 2 * b + c + 2) >> 2;
}

// Along lines that lead down to the right, more down than right; `sign` -1 exchanges both.
int steep_right(const Edges &edges, int x, int y, int sign) {
    const int k = y >> 1, at = x - k;
    auto edge = [&](int i) { return edges[sign * i]; };
    if (at >= 0)
        return y & 1 ? average(edge(at - 1), edge(at), edge(at + 1))
                     : average(edge(at), edge(at + 1));
    const int center = 2 * at + 1 - (y & 1);
    return average(edge(center + 1), edge(center), edge(center - 1));
}

int sum_of(const Edges &edges, int first, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += edges[first + i];
    return sum;
}

template <typename Sample>
struct IntraPredictor {
    const PlaneView &plane;
    const IntraInput &block;
    const int depth;
    const int n = 1 << block.edge_log2;
    Edges edges{};

    Sample *row(int y) const {
        return reinterpret_cast<Sample *>(plane.data + (ptrdiff_t(block.y) + y) * plane.stride) +
               block.x;
    }

    // 8.5.1.1: what is not there is one more or less than the middle of the range.
    void load() {
        const int middle = 128 << (depth - 8);
        const int wide = n == 4 ? 8 : n;
        for (int i = 0; i < wide; i++)
            edges.at(1 + i) = block.above ? row(-1)[std::min(i, block.above - 1)] : middle - 1;
        for (int i = 0; i < n; i++)
            edges.at(-1 - i) = block.left ? row(std::min(i, block.left - 1))[-1] : middle + 1;
        edges.at(0) = block.above && block.left ? row(-1)[-1] : middle + (block.above ? 1 : -1);
        edges.last_above = wide - 1;
        edges.last_left = n - 1;
    }

    int dc() const {
        const int middle = 128 << (depth - 8), log2 = block.edge_log2;
        switch (block.mode) {
        case INTRA_DC:
            return (sum_of(edges, 1, n) + sum_of(edges, -n, n) + n) >> (log2 + 1);
        case INTRA_DC_LEFT:
            return (sum_of(edges, -n, n) + n / 2) >> log2;
        case INTRA_DC_ABOVE:
            return (sum_of(edges, 1, n) + n / 2) >> log2;
        default:
            return middle + (block.mode == INTRA_DC_127 ? -1 : block.mode == INTRA_DC_129 ? 1 : 0);
        }
    }

    int sample(int x, int y, int flat) const {
        switch (block.mode) {
        case INTRA_VERTICAL:
            return edges[1 + x];
        case INTRA_HORIZONTAL:
            return edges[-1 - y];
        case INTRA_DOWN_LEFT: {
            const int at = 1 + x + y;
            if (n == 4 && at == 7) return edges[8]; // as FFmpeg and libvpx have it
            return average(edges[at], edges[at + 1], edges[at + 2]);
        }
        case INTRA_DOWN_RIGHT:
            return average(edges[x - y - 1], edges[x - y], edges[x - y + 1]);
        case INTRA_VERTICAL_RIGHT:
            return steep_right(edges, x, y, 1);
        case INTRA_HORIZONTAL_DOWN:
            return steep_right(edges, y, x, -1);
        case INTRA_VERTICAL_LEFT: {
            const int at = 1 + x + (y >> 1);
            return y & 1 ? average(edges[at], edges[at + 1], edges[at + 2])
                         : average(edges[at], edges[at + 1]);
        }
        case INTRA_HORIZONTAL_UP: {
            const int at = -1 - y - (x >> 1);
            return x & 1 ? average(edges[at], edges[at - 1], edges[at - 2])
                         : average(edges[at], edges[at - 1]);
        }
        case INTRA_TRUE_MOTION:
            return std::clamp(edges[-1 - y] + edges[1 + x] - edges[0], 0, (1 << depth) - 1);
        default:
            return flat;
        }
    }

    void predict() {
        load();
        const int flat = dc();
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                row(y)[x] = Sample(sample(x, y, flat));
    }
};

} // namespace

IntraInput intra_input(const IntraRecord &record) {
    return {unpack(record.place, PLACE_PLANE),         unpack(record.place, PLACE_X) * 4,
            unpack(record.place, PLACE_Y) * 4,         uint8_t(unpack(record.shape, INTRA_LOG2)),
            uint8_t(unpack(record.shape, INTRA_MODE)), uint8_t(unpack(record.shape, INTRA_ABOVE)),
            uint8_t(unpack(record.shape, INTRA_LEFT))};
}

uint8_t intra_mode_at(unsigned mode, bool has_above, bool has_left) {
    switch (mode) {
    case INTRA_VERTICAL:
    case INTRA_DOWN_LEFT:
    case INTRA_VERTICAL_LEFT:
        return uint8_t(has_above ? mode : INTRA_DC_127);
    case INTRA_HORIZONTAL:
    case INTRA_HORIZONTAL_UP:
        return uint8_t(has_left ? mode : INTRA_DC_129);
    case INTRA_DC:
        return uint8_t(has_above ? (has_left ? INTRA_DC : INTRA_DC_ABOVE)
                                 : (has_left ? INTRA_DC_LEFT : INTRA_DC_128));
    case INTRA_TRUE_MOTION:
        return uint8_t(has_above ? (has_left ? INTRA_TRUE_MOTION : INTRA_VERTICAL)
                                 : (has_left ? INTRA_HORIZONTAL : INTRA_DC_129));
    default:
        return uint8_t(mode);
    }
}

void intra_predict_reference(const PictureView &picture, const IntraInput &block) {
    const PlaneView &plane = picture.plane[block.plane];
    const int depth = int(picture.format.bit_depth);
    if (depth == 8)
        IntraPredictor<uint8_t>{plane, block, depth}.predict();
    else
        IntraPredictor<uint16_t>{plane, block, depth}.predict();
}

} // namespace v3doff::vp9
