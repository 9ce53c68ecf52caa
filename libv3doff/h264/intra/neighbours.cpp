// SPDX-License-Identifier: BSD-2-Clause
#include "h264/intra/neighbours.hpp"

#include "util/error.hpp"

namespace v3doff::h264 {
namespace {

void need_mode(bool exists) {
    if (!exists) throw Error(V3DOFF_ERROR_INVALID_ARGUMENT, "an intra mode that does not exist");
}

// The corner and the row above of a block that has macroblocks' borders above it, or on its left.
constexpr unsigned from_above(unsigned reads) {
    return reads & (reads_above | reads_corner | reads_above_right) ? unsigned(reads_above) : 0u;
}
constexpr unsigned from_left(unsigned reads) {
    return reads & (reads_left | reads_corner) ? unsigned(reads_left) : 0u;
}

unsigned blocks_4x4(const IntraMacroblock &macroblock) {
    for (uint8_t mode : macroblock.mode)
        need_mode(mode < INTRA_MODES);
    const auto reads = [&](int i) -> unsigned { return intra_block_reads[macroblock.mode[i]]; };
    constexpr unsigned inside = reads_left;
    unsigned all = reads(0) & (reads_left | reads_above | reads_corner);
    for (int i : {1, 4})
        all |= from_above(reads(i) & ~inside);
    all |= from_above(reads(5) & reads_above);
    if (macroblock.top_right_available & 1u << (15 - 5)) all |= reads(5) & reads_above_right;
    for (int i : {2, 8, 10})
        all |= from_left(reads(i));
    return all;
}

unsigned blocks_8x8(const IntraMacroblock &macroblock) {
    const auto reads = [&](unsigned i) -> unsigned {
        need_mode(macroblock.mode[i] < INTRA_MODES);
        return intra_block_8x8_reads(macroblock.mode[i],
                                     (macroblock.top_left_available << i & 0x8000) != 0,
                                     (macroblock.top_right_available << i & 0x4000) != 0);
    };
    const unsigned second = reads(4);
    need_mode(macroblock.mode[12] < INTRA_MODES);
    return (reads(0) & (reads_left | reads_above | reads_corner)) | (second & reads_above_right) |
           from_above(second & (reads_above | reads_corner)) | from_left(reads(8));
}

} // namespace

uint8_t intra_macroblock_reads(const IntraMacroblock &macroblock, bool chroma) {
    if (macroblock.kind == IntraKind::pcm) return 0;
    unsigned all = 0;
    if (chroma) {
        need_mode(macroblock.chroma_mode < INTRA_WHOLE_MODES);
        all = intra_whole_reads[macroblock.chroma_mode];
    }
    switch (macroblock.kind) {
    case IntraKind::blocks_4x4:
        all |= blocks_4x4(macroblock);
        break;
    case IntraKind::blocks_8x8:
        all |= blocks_8x8(macroblock);
        break;
    case IntraKind::whole_16x16:
        need_mode(macroblock.mode[0] < INTRA_WHOLE_MODES);
        all |= intra_whole_reads[macroblock.mode[0]];
        break;
    default:
        need_mode(false);
    }
    return uint8_t(all);
}

} // namespace v3doff::h264
