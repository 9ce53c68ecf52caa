// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/filter/edge.hpp"

#include <bit>
#include <cstring>

namespace v3doff::vp9 {
namespace {

// For each limit and level: bit s is set if sharpness s gives that limit for that level (8.8.4).
struct SharpnessTable {
    uint8_t fits[64][64] = {};
    SharpnessTable() {
        for (uint32_t s = 0; s < 8; s++)
            for (uint32_t level = 0; level < 64; level++)
                fits[FilterSharpness(s).limit(level)][level] |= uint8_t(1 << s);
    }
};

// When the edges of one superblock, plane and direction were filtered.
struct Span {
    uint32_t first = UINT32_MAX, last = 0;
    void add(uint32_t ticket) {
        first = std::min(first, ticket);
        last = std::max(last, ticket);
    }
    bool before(const Span &other) const { return last < other.first; }
};

struct Progress {
    Span span[2];
    int16_t reached[2][8]; // the last edge on each line of blocks, in samples
    Progress() { std::memset(reached, -1, sizeof reached); }
};

class Resolver {
  public:
    Resolver(const PictureFormat &format, std::vector<FilterSuperblock> &superblocks)
        : format_(format), cols_((format.width + 63) / 64), rows_((format.height + 63) / 64),
          superblocks_(superblocks), second_(size_t(cols_) * rows_ * (format.planes() - 1)),
          progress_(size_t(cols_) * rows_ * format.planes()) {
        superblocks_.assign(size_t(cols_) * rows_, FilterSuperblock{});
    }

    const char *add(const PlacedEdge &edge) {
        const unsigned shift[2] = {format_.shift_x(edge.plane), format_.shift_y(edge.plane)};
        const unsigned shift_across = shift[edge.between_rows], size = edge.call.size;
        const unsigned across = edge.between_rows ? edge.y : edge.x;
        const unsigned along = edge.between_rows ? edge.x : edge.y;
        if (across % 4 || along % 8) return "an edge lies between blocks";
        if (across % 8 && size != 4) return "a wide filter on an edge inside a block";
        const unsigned block_across = shift_across ? across / 4 : across / 8;
        const unsigned block_along = along / 8 << shift[!edge.between_rows];
        const uint32_t col = edge.between_rows ? block_along : block_across;
        const uint32_t row = edge.between_rows ? block_across : block_along;
        if (col >= cols_ * 8 || row >= rows_ * 8) return "an edge lies outside of the picture";
        const size_t number = size_t(row / 8) * cols_ + col / 8;
        if (const char *problem = take_order(edge, number, across, along)) return problem;
        const uint32_t level_row = (row & ~shift[1]) % 8, level_col = (col & ~shift[0]) % 8;
        if (const char *problem =
                take_level(edge.call, superblocks_[number].level[level_row][level_col]))
            return problem;
        const EdgeMask mask = !shift_across && across % 8 ? mask_inner
                              : size == 16                ? mask_16
                              : size == 8                 ? mask_8
                                                          : mask_4;
        marks(edge.plane, number)[edge.between_rows][row % 8][mask] |= uint8_t(1 << col % 8);
        return nullptr;
    }

    const char *finish(uint32_t &sharpness) {
        if (!sharpness_) return "the limits of its levels belong to no sharpness";
        sharpness = uint32_t(std::countr_zero(sharpness_));
        for (size_t n = 0; n < superblocks_.size(); n++)
            for (unsigned plane = 1; plane < format_.planes(); plane++) {
                const unsigned set = filter_mask_set(format_, plane);
                if (plane == 1 && set) continue; // its marks are the set
                if (std::memcmp(marks(plane, n), superblocks_[n].mask[set], sizeof(Marks)))
                    return "planes that share their edges have different ones";
            }
        return check_order();
    }

  private:
    using Marks = uint8_t[2][8][mask_sizes];

    // Where a plane's marks are collected: the first plane of each set in the set itself.
    Marks &marks(unsigned plane, size_t number) {
        if (!plane) return superblocks_[number].mask[0];
        if (plane == 1 && filter_mask_set(format_, 1)) return superblocks_[number].mask[1];
        return second_[(plane - 1) * superblocks_.size() + number].marks;
    }

    const char *take_level(const EdgeCall &call, uint8_t &level) {
        static const SharpnessTable table;
        const int found = (call.e - call.i) / 2 - 2;
        if (call.i < 1 || call.i > 63 || found < 1 || found > 63 ||
            2 * (found + 2) + call.i != call.e || found >> 4 != call.h)
            return "an edge's limits belong to no filter level";
        sharpness_ &= table.fits[call.i][found];
        if (level && level != found) return "a block's edges have different levels";
        level = uint8_t(found);
        return nullptr;
    }

    const char *take_order(const PlacedEdge &edge, size_t number, unsigned across, unsigned along) {
        Progress &progress = progress_[edge.plane * superblocks_.size() + number];
        progress.span[edge.between_rows].add(edge.ticket);
        int16_t &reached = progress.reached[edge.between_rows][along / 8 % 8];
        if (int(across) <= reached) return "a line's edges do not follow each other";
        reached = int16_t(across);
        return nullptr;
    }

    // Between superblocks, the order matters only for neighbours: V reads and writes up to 8
    // columns to the left, H up to 8 rows above.
    const char *check_order() const {
        for (unsigned plane = 0; plane < format_.planes(); plane++)
            for (uint32_t row = 0; row < rows_; row++)
                for (uint32_t col = 0; col < cols_; col++)
                    if (!in_order(plane, row, col)) return "its edges are not in raster order";
        return nullptr;
    }

    bool in_order(unsigned plane, uint32_t row, uint32_t col) const {
        const auto at = [&](uint32_t r, uint32_t c) -> const Progress & {
            return progress_[plane * superblocks_.size() + size_t(r) * cols_ + c];
        };
        const Span &v = at(row, col).span[0], &h = at(row, col).span[1];
        if (!v.before(h)) return false;
        if (col + 1 < cols_) {
            const Span &right = at(row, col + 1).span[0];
            if (!v.before(right) || !h.before(right)) return false;
        }
        if (row + 1 < rows_) {
            const Span &below = at(row + 1, col).span[1];
            if (!v.before(below) || !h.before(below)) return false;
            if (col + 1 < cols_ && !at(row, col + 1).span[0].before(below)) return false;
        }
        return true;
    }

    struct PlaneMarks {
        Marks marks = {};
    };
    const PictureFormat &format_;
    const uint32_t cols_, rows_;
    std::vector<FilterSuperblock> &superblocks_;
    std::vector<PlaneMarks> second_;
    std::vector<Progress> progress_;
    uint32_t sharpness_ = 0xff;
};

} // namespace

const char *resolve_edges(std::span<const PlacedEdge> edges, const PictureFormat &format,
                          FilterInput &input, std::vector<FilterSuperblock> &superblocks) {
    Resolver resolver(format, superblocks);
    for (const PlacedEdge &edge : edges)
        if (const char *problem = resolver.add(edge)) return problem;
    input.format = format;
    input.top = 0;
    input.filtered_above = false;
    input.superblocks = superblocks.data();
    if (const char *problem = resolver.finish(input.sharpness)) return problem;
    return check_filter(input);
}

} // namespace v3doff::vp9
