// SPDX-License-Identifier: BSD-2-Clause
#include "vp9/inter/kind.hpp"

#include <algorithm>
#include <bit>

namespace v3doff::vp9 {
namespace {

uint log2_of(uint32_t count) {
    return uint(std::bit_width(count - 1));
}

// Instructions of 16 invocations for each row that they make.
constexpr uint row_cost[INTER_KINDS] = {22, 122, 115, 250, 17, 74, 116, 145, 270, 680};
constexpr uint start_cost = 120;

// A vertical filter reads seven more rows than it writes.
bool filters_down(uint kind) {
    return kind == INTER_DOWN_2 || kind == INTER_BOTH_2 || kind >= INTER_DOWN_1;
}

// The rows of an invocation: fewer if there are no such seven rows to read, or where many
// invocations are better than few.
uint most_rows(uint kind, bool many_lanes) {
    return filters_down(kind) ? many_lanes ? 16 : 32 : 8;
}

// As in shaders/vp9/inter_march.glsl.
uint words_read(uint count, bool across, uint32_t bit_depth) {
    if (!across) return count + 1;
    return count + (bit_depth == 8 ? 3 : 4);
}

// The kernels without clamps read whole words. These must begin inside the reference, and so must
// every sample that counts.
[[gnu::always_inline]] inline bool reads_inside(const InterInput &block,
                                                const PictureFormat &reference, uint words,
                                                uint32_t bit_depth) {
    const int in_word_log2 = bit_depth == 8 ? 2 : 1;
    const int width = int(reference.plane_width(block.plane)),
              height = int(reference.plane_height(block.plane));
    const int left = block.ref_x - (block.mx ? 3 : 0), top = block.ref_y - (block.my ? 3 : 0);
    const int right = block.ref_x + block.width + (block.mx ? 4 : 0);
    const int bottom = block.ref_y + block.height + (block.my ? 4 : 0);
    if (left < 0 || top < 0 || right > width || bottom > height) return false;
    const int last_lane = left + block.width - (int(words) << in_word_log2);
    const int read = int(words_read(words, block.mx != 0, bit_depth));
    return (last_lane >> in_word_log2) + read - 1 <= (width - 1) >> in_word_log2;
}

} // namespace

uint inter_kind(const InterInput &block, const PictureFormat &reference, uint32_t bit_depth,
                bool pairs) {
    if (block.scaled()) return INTER_SCALED_1;
    const uint in_word = inter_samples_in_word(bit_depth);
    const bool across = block.mx != 0;
    if (block.my) {
        if (bit_depth == 8 && pairs && block.width >= 8 &&
            reads_inside(block, reference, 2, bit_depth))
            return across ? INTER_BOTH_2 : INTER_DOWN_2;
        if (!reads_inside(block, reference, 1, bit_depth)) return INTER_ANY_1;
        return across ? INTER_BOTH_1 : INTER_DOWN_1;
    }
    if (block.height % 4) return INTER_ANY_1;
    const uint words = pairs && block.width >= 2 * in_word ? 2 : 1;
    if (words == 1 && bit_depth != 8) return INTER_ANY_1;
    if (!reads_inside(block, reference, words, bit_depth)) return INTER_ANY_1;
    if (words == 2) return across ? INTER_ACROSS_2 : INTER_COPY_2;
    return across ? INTER_ACROSS_1 : INTER_COPY_1;
}

InterShape inter_shape(const InterInput &block, uint kind, uint32_t bit_depth, bool many_lanes) {
    InterShape shape;
    shape.side_log2 = log2_of(block.width / (inter_words(kind) * inter_samples_in_word(bit_depth)));
    for (shape.rows = most_rows(kind, many_lanes);; shape.rows *= 2) {
        const uint32_t down = (block.height + shape.rows - 1) / shape.rows;
        shape.lanes_log2 = shape.side_log2 + log2_of(down);
        if (1u << shape.lanes_log2 <= INTER_LANES) return shape;
    }
}

uint inter_cost(const InterInput &block, uint kind, uint rows) {
    rows = std::min<uint>(rows, block.height);
    const uint more = filters_down(kind) ? 7 : 0;
    if (kind == INTER_SCALED_1)
        return start_cost + row_cost[kind] * (rows * block.step_y / 16 + more) + 150 * rows;
    return start_cost + row_cost[kind] * (rows + more);
}

} // namespace v3doff::vp9
