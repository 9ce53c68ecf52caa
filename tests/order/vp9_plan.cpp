// SPDX-License-Identifier: BSD-2-Clause
// Where chains of edges end, and what follows for the number of dispatches.
#include "vp9_cut.hpp"

namespace v3doff::order::vp9 {
namespace {

// Samples before `frontier` may still change with the superblock before this one. An edge that
// reads one of them passes that on to all that it writes; after the first edge that does not, none
// does, because edges are at least 4 apart and a 16 wide one at least 8 from the one before it.
template <class WidthAt>
Chain chain(int length, WidthAt width_at) {
    int frontier = 0;
    for (int position = 0; position < length; position += 4) {
        const int width = width_at(position);
        if (!width) continue;
        if (position - samples_read(width) >= frontier)
            return {position, frontier <= length - strip_width};
        frontier = position + samples_written(width);
    }
    return {length, frontier <= length - strip_width};
}

void plan_strip(StripPlan &strip, const StripPlan *left, const StripPlan *above, Tails tails) {
    const int vertical_ready = strip.vertical_cut ? 0 : left->whole;
    int above_ready = 0;
    if (above && tails == Tails::recomputed)
        above_ready = above->needs;
    else if (above)
        above_ready = above->tail ? above->tail : above->whole;
    strip.whole = 1 + std::max(vertical_ready, above_ready);
    strip.needs = strip.horizontal_cut ? vertical_ready : strip.whole;
    if (tails == Tails::stored && strip.horizontal_cut && vertical_ready + 1 < strip.whole)
        strip.tail = vertical_ready + 1;
}

// The length of the longest chain of missing cuts that ends at a strip. A strip without a vertical
// cut waits for the one to its left; one under a strip without a horizontal cut for that one; one
// under a strip that has a horizontal cut but no vertical one waits for what that one waits for,
// and, if tails go through memory, for the tail too.
int chain_step(const std::vector<StripPlan> &strips, const std::vector<int> &chains, int row,
               int col, int cols, Tails tails) {
    const auto at = [&](int r, int c) { return static_cast<size_t>(r * cols + c); };
    int length = row || tails == Tails::recomputed ? 0 : -1; // the top row has no tail to wait for
    if (!strips[at(row, col)].vertical_cut) length = std::max(length, chains[at(row, col - 1)] + 1);
    if (!row) return length;
    const StripPlan &above = strips[at(row - 1, col)];
    if (!above.horizontal_cut)
        length = std::max(length, chains[at(row - 1, col)] + 1);
    else if (!above.vertical_cut)
        length =
            std::max(length, chains[at(row - 1, col - 1)] + (tails == Tails::recomputed ? 1 : 2));
    return length;
}

// Whether every line of a strip has its cut.
void find_cuts(const Plane &plane, int row, int col, StripPlan &strip) {
    strip.vertical_cut = strip.horizontal_cut = true;
    for (int y = 0; y < plane.bottom(row) - plane.top(row); y += 4)
        strip.vertical_cut &= vertical_chain(plane, row, col, y).cut;
    for (int x = plane.right(col) - strip_width; x < plane.right(col); x += 4)
        strip.horizontal_cut &= horizontal_chain(plane, row, x).cut;
}

} // namespace

Chain vertical_chain(const Plane &plane, int row, int col, int y) {
    const int left = plane.left(col), top = plane.top(row);
    return chain(plane.right(col) - left,
                 [&](int x) { return plane.vertical_width(left + x, top + y); });
}

Chain horizontal_chain(const Plane &plane, int row, int x) {
    const int top = plane.top(row);
    return chain(plane.bottom(row) - top,
                 [&](int y) { return plane.horizontal_width(x, top + y); });
}

std::vector<int> segments(const Plane &plane, int x) {
    std::vector<int> cuts{0};
    for (int top = 0; top < plane.height; top += plane.sb_height)
        for (int cut = std::max(top, 4); cut < std::min(top + plane.sb_height, plane.height);
             cut += 4) {
            bool straddled = false;
            for (int y = std::max(cut - 4, 0); y <= std::min(cut + 4, plane.height - 4); y += 4) {
                const int width = plane.horizontal_width(x, y);
                straddled |=
                    width && y - samples_read(width) < cut && y + samples_read(width) > cut;
            }
            if (straddled) continue;
            cuts.push_back(cut);
            break;
        }
    cuts.push_back(plane.height);
    return cuts;
}

Plan plan(const Picture &picture, Tails tails) {
    Plan result;
    const int cols = picture.sb_cols - 1; // the last column has no strip
    result.longest_chain = cols ? -1 : 0;
    for (const Plane &plane : picture.planes) {
        std::vector<StripPlan> strips(static_cast<size_t>(picture.sb_rows * cols));
        std::vector<int> chains(strips.size());
        for (int row = 0; row < picture.sb_rows; ++row)
            for (int col = 0; col < cols; ++col) {
                const auto i = static_cast<size_t>(row * cols + col);
                const auto up = static_cast<size_t>(cols);
                StripPlan &strip = strips[i];
                find_cuts(plane, row, col, strip);
                plan_strip(strip, col ? &strips[i - 1] : nullptr, row ? &strips[i - up] : nullptr,
                           tails);
                chains[i] = chain_step(strips, chains, row, col, cols, tails);
                result.strip_dispatches = std::max(result.strip_dispatches, strip.whole);
                result.longest_chain = std::max(result.longest_chain, chains[i]);
                result.missing_cuts += !strip.vertical_cut;
                result.missing_cuts += !strip.horizontal_cut && row + 1 < picture.sb_rows;
            }
        result.strips.push_back(std::move(strips));
    }
    return result;
}

} // namespace v3doff::order::vp9
