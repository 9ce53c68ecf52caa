// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/reference.hpp"

#include <cstdlib>

namespace v3doff::vp9 {
namespace {

int clamp(int value, int low, int high) {
    return std::min(std::max(value, low), high);
}

// One line across an edge: s(-1) is p0, s(0) is q0.
template <typename Sample>
class Line {
  public:
    Line(Sample *q0, ptrdiff_t across, unsigned bit_depth)
        : q0_(q0), across_(across), scale_(1 << (bit_depth - 8)), max_((1 << bit_depth) - 1) {}

    void filter(unsigned size, const EdgeLimits &limits) {
        if (!filter_mask(limits)) return;
        if (size >= 8 && is_flat(1, 3)) {
            if (size >= 16 && is_flat(4, 7)) return wide(8);
            return wide(4);
        }
        narrow(limits.h);
    }

  private:
    Sample &s(int at) { return q0_[at * across_]; }
    int p(int n) { return s(-1 - n); }
    int q(int n) { return s(n); }

    // 8.8.5.2: a line whose samples differ too much is an edge of the picture's content.
    bool filter_mask(const EdgeLimits &limits) {
        const int limit = int(limits.i) * scale_;
        for (int n = 0; n < 3; n++) {
            if (std::abs(p(n + 1) - p(n)) > limit) return false;
            if (std::abs(q(n + 1) - q(n)) > limit) return false;
        }
        return std::abs(p(0) - q(0)) * 2 + std::abs(p(1) - q(1)) / 2 <= int(limits.e) * scale_;
    }

    bool is_flat(int first, int last) {
        for (int n = first; n <= last; n++)
            if (std::abs(p(n) - p(0)) > scale_ || std::abs(q(n) - q(0)) > scale_) return false;
        return true;
    }

    int signed_clamp(int value) { return clamp(value, -(max_ + 1) / 2, max_ / 2); }

    // 8.8.5.3. The specification works on samples minus half of their range; the differences are
    // the same without it.
    void narrow(uint32_t thresh) {
        const int limit = int(thresh) * scale_;
        const bool hev = std::abs(p(1) - p(0)) > limit || std::abs(q(1) - q(0)) > limit;
        int filter = hev ? signed_clamp(p(1) - q(1)) : 0;
        filter = signed_clamp(filter + 3 * (q(0) - p(0)));
        const int filter1 = signed_clamp(filter + 4) >> 3;
        const int filter2 = signed_clamp(filter + 3) >> 3;
        const int filter3 = (filter1 + 1) >> 1;
        const int outer_p = p(1) + filter3, outer_q = q(1) - filter3;
        s(0) = Sample(clamp(q(0) - filter1, 0, max_));
        s(-1) = Sample(clamp(p(0) + filter2, 0, max_));
        if (hev) return;
        s(1) = Sample(clamp(outer_q, 0, max_));
        s(-2) = Sample(clamp(outer_p, 0, max_));
    }

    // 8.8.5.4: the mean of 2 * reach samples round each one, the outermost repeated and the
    // sample itself counted twice.
    void wide(int reach) {
        int old[16];
        for (int n = -reach; n < reach; n++)
            old[n + reach] = s(n);
        for (int n = 1; n < 2 * reach - 1; n++) {
            int sum = old[n] + reach;
            for (int tap = n - reach + 1; tap < n + reach; tap++)
                sum += old[clamp(tap, 0, 2 * reach - 1)];
            s(n - reach) = Sample(sum / (2 * reach));
        }
    }

    Sample *q0_;
    ptrdiff_t across_;
    int scale_, max_;
};

// The size of the edge before 4-sample unit `unit` (along the filtered axis) of 8-line block
// `line` of a superblock; 0 for none.
unsigned edge_size(const uint8_t (&mask)[8][mask_sizes], bool between_rows, unsigned unit,
                   unsigned line, unsigned shift_along, unsigned shift_across) {
    const unsigned block = shift_across ? unit : unit / 2;
    const unsigned row = between_rows ? block : line << shift_along;
    const unsigned column = between_rows ? line << shift_along : block;
    const auto marked = [&](EdgeMask size) { return mask[row][size] >> column & 1; };
    if (!shift_across && unit % 2) return marked(mask_inner) ? 4 : 0;
    return marked(mask_16) ? 16 : marked(mask_8) ? 8 : marked(mask_4) ? 4 : 0;
}

template <typename Sample>
struct Reference {
    const PictureView &picture;
    const FilterInput &input;
    FilterSharpness sharpness{input.sharpness};

    // Edges between columns are taken by line block and from left to right, edges between rows by
    // column block and downwards: lines do not affect each other.
    void superblock_plane(uint32_t row, uint32_t col, unsigned plane, bool between_rows) {
        const PictureFormat &format = input.format;
        const FilterSuperblock &sb = input.at(row, col);
        const auto &mask = sb.mask[filter_mask_set(format, plane)][between_rows];
        const unsigned shift[2] = {format.shift_x(plane), format.shift_y(plane)};
        const unsigned shift_across = shift[between_rows], shift_along = shift[!between_rows];
        const FilterArea area = filter_area(format, plane);
        const uint32_t left = col * 64 >> shift[0], top = row * 64 >> shift[1];
        for (unsigned line = 0; line < 8u >> shift_along; line++) {
            for (unsigned unit = 0; unit < 16u >> shift_across; unit++) {
                const uint32_t x = left + (between_rows ? line * 8 : unit * 4);
                const uint32_t y = top + (between_rows ? unit * 4 : line * 8);
                const unsigned size =
                    edge_size(mask, between_rows, unit, line, shift_along, shift_across);
                if (!size || !(between_rows ? y : x)) continue;
                const unsigned across = shift_across ? unit & ~1u : unit / 2;
                const unsigned along = line << shift_along;
                const unsigned level =
                    between_rows ? sb.level[across][along] : sb.level[along][across];
                const uint32_t room = between_rows ? area.width - x : area.height - y;
                if (level) edge(plane, x, y, between_rows, size, level, std::min(room, 8u));
            }
        }
    }

    void edge(unsigned plane, uint32_t x, uint32_t y, bool between_rows, unsigned size,
              unsigned level, unsigned lines) {
        const PlaneView &view = picture.plane[plane];
        const ptrdiff_t stride = view.stride / ptrdiff_t(sizeof(Sample));
        Sample *q0 = reinterpret_cast<Sample *>(view.data + ptrdiff_t(y) * view.stride) + x;
        filter_edge(q0, between_rows ? stride : 1, between_rows ? 1 : stride, lines, size,
                    edge_limits(level, sharpness), input.format.bit_depth);
    }

    void run() {
        for (uint32_t row = 0; row < input.rows(); row++)
            for (uint32_t col = 0; col < input.cols(); col++)
                for (unsigned plane = 0; plane < input.format.planes(); plane++)
                    for (bool between_rows : {false, true})
                        superblock_plane(row, col, plane, between_rows);
    }
};

} // namespace

EdgeLimits edge_limits(uint32_t level, const FilterSharpness &sharpness) {
    const uint32_t limit = sharpness.limit(level);
    return {2 * (level + 2) + limit, limit, level >> 4};
}

template <typename Sample>
void filter_edge(Sample *q0, ptrdiff_t across, ptrdiff_t along, unsigned lines, unsigned size,
                 const EdgeLimits &limits, unsigned bit_depth) {
    for (unsigned line = 0; line < lines; line++)
        Line<Sample>(q0 + ptrdiff_t(line) * along, across, bit_depth).filter(size, limits);
}
template void filter_edge(uint8_t *, ptrdiff_t, ptrdiff_t, unsigned, unsigned, const EdgeLimits &,
                          unsigned);
template void filter_edge(uint16_t *, ptrdiff_t, ptrdiff_t, unsigned, unsigned, const EdgeLimits &,
                          unsigned);

void filter_picture(const PictureView &picture, const FilterInput &input) {
    if (input.format.bit_depth > 8)
        Reference<uint16_t>{picture, input}.run();
    else
        Reference<uint8_t>{picture, input}.run();
}

} // namespace v3doff::vp9
