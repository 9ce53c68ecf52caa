// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_STRENGTH_MIXED_GLSL
#define H264_FILTER_STRENGTH_MIXED_GLSL

// Boundary strengths (ITU-T H.264 8.7.2.1) of edges to both macroblocks of a pair of the other
// kind: 4 or 3 beside intra, else 2 with coefficients, else 1. `bits` are those of MacroblockRecord, a
// strength is a nibble.

// Four nibbles, each twice.
uint repeat_nibbles(uint nibbles) {
    uint apart = (nibbles & 15u) | (nibbles & 0xf0u) << 4 | (nibbles & 0xf00u) << 8 |
                 (nibbles & 0xf000u) << 12;
    return apart * 0x11u;
}

// The left edge, in 8 groups of lines as FilterMbaffMb has them.
uint mixed_left_edge(uint bits, uint upper, uint lower, uint is_lower) {
    uint coded, of_upper;
    if ((bits & MB_FIELD) != 0u) {
        // Two lines of a field are one row of blocks in a frame macroblock: rows 0 to 3 of both.
        coded = (upper >> 3 & 0x1111u) | (lower >> 3 & 0x1111u) << 16;
        of_upper = 0x0000ffffu;
    } else {
        // Even lines beside the top, odd ones beside the bottom field macroblock: of these two rows
        // of blocks, as a frame macroblock has half as many of its lines.
        uint row = 3u + is_lower * 8u;
        uint rows = (upper >> row & 1u) | (upper >> row + 4u & 1u) << 16 |
                    (lower >> row & 1u) << 4 | (lower >> row + 4u & 1u) << 20;
        coded = rows * 0x101u;
        of_upper = 0x0f0f0f0fu;
    }
    coded |= repeat_nibbles(bits & 0x1111u);
    uint strengths = 0x11111111u + coded;
    uint intra = ((upper & MB_INTRA) != 0u ? of_upper : 0u) |
                 ((lower & MB_INTRA) != 0u ? ~of_upper : 0u) |
                 ((bits & MB_INTRA) != 0u ? ~0u : 0u);
    return (strengths & ~intra) | (0x44444444u & intra);
}

uint upper_edge(uint bits, uint above) {
    uint coded = (bits | above >> 12) & 15u;
    coded = (coded | coded << 3 | coded << 6 | coded << 9) & 0x1111u;
    return ((bits | above) & MB_INTRA) != 0u ? 0x3333u : 0x1111u + coded;
}

// Upper edges of a frame macroblock to the fields above it.
uint two_upper_edges(uint bits, uint upper, uint lower) {
    return upper_edge(bits, upper) | upper_edge(bits, lower) << 16;
}

#endif
