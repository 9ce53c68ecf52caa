// SPDX-License-Identifier: BSD-2-Clause
// The bitstream's block sizes, and the largest transforms in them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace v3doff::vp9 {

// Edges in luma samples. Blocks below 8x8 are four quarters of an 8x8 block, each with its own
// vector.
struct BlockSize {
    uint8_t width_log2, height_log2;
    // In 8x8 blocks.
    constexpr uint32_t columns() const { return 1u << width_log2 >> 3; }
    constexpr uint32_t rows() const { return 1u << height_log2 >> 3; }
};
inline constexpr BlockSize block_sizes[] = {{6, 6}, {6, 5}, {5, 6}, {5, 5}, {5, 4}, {4, 5}, {4, 4},
                                            {4, 3}, {3, 4}, {3, 3}, {3, 3}, {3, 3}, {3, 3}};
inline constexpr uint32_t last_whole_size = 9;

// The largest transform of a block in a plane. A block has one transform size; chroma has the
// largest that fits, if that is smaller (get_uv_tx_size, 6.4.21).
constexpr uint32_t most_tx(uint32_t size, unsigned shift_x, unsigned shift_y) {
    if (size > last_whole_size) return 0;
    const BlockSize &edges = block_sizes[size];
    return std::min({3u, edges.width_log2 - shift_x - 2u, edges.height_log2 - shift_y - 2u});
}

} // namespace v3doff::vp9
