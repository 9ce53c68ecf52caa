// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_STRENGTH_CORE_GLSL
#define H264_FILTER_STRENGTH_CORE_GLSL

// Boundary strengths of ITU-T H.264 8.7.2.1 between 4x4 blocks, p before q. Strengths are nibbles as
// in FilterMb: two segments of four edges.
const uint EDGES = 0x11111111u, OUTER_EDGES = 0x00010001u, LUMA_8X8_EDGES = 0x01010101u;

// What a 4x4 block is predicted from. Vectors are in quarter frame samples; where the list is not
// used the picture is 255 and the vector 0.
struct Prediction {
    uint picture[LISTS];
    ivec2 vector[LISTS];
};

// At most 6 where the vectors are less than 4 apart in both directions; 3 was added to p.
uint distance_of(ivec2 p, ivec2 q) {
    ivec2 difference = p - q;
    return max(uint(difference.x), uint(difference.y));
}

// 1 where pictures, their number or motion vectors differ. An unused list is compared as a picture
// of its own without motion, so no number of vectors is a case of its own.
uint differ(Prediction p, Prediction q) {
    ivec2 p0 = p.vector[0] + 3;
#if LISTS == 2
    ivec2 p1 = p.vector[1] + 3;
    bool straight = max(distance_of(p0, q.vector[0]), distance_of(p1, q.vector[1])) <= 6u &&
                    p.picture[0] == q.picture[0] && p.picture[1] == q.picture[1];
    bool crossed = max(distance_of(p0, q.vector[1]), distance_of(p1, q.vector[0])) <= 6u &&
                   p.picture[0] == q.picture[1] && p.picture[1] == q.picture[0];
    return straight || crossed ? 0u : 1u;
#else
    return distance_of(p0, q.vector[0]) <= 6u && p.picture[0] == q.picture[0] ? 0u : 1u;
#endif
}

// 1 for edges that have coefficients on either side. bits and beside are those of MacroblockRecord, of
// the macroblock and of the one across its outer edge; pair: segments 0 and 1, or 2 and 3.
uint edges_with_coefficients(uint bits, uint beside, bool horizontal, uint pair) {
    // At the place of each block: its left edge, its upper edge.
    uint left = bits | (bits << 1 & 0xeeeeu) | (beside >> 3 & 0x1111u);
    uint upper = bits | bits << 4 | (beside >> 12 & 0xfu);
    // Along a row the bits lie side by side, down a column they are nibbles apart already.
    uint row = left >> pair * 8u;
    row = (row & 0xfu) | (row & 0xf0u) << 12;
    row |= row << 3 | row << 6 | row << 9;
    uint column = upper >> pair * 2u;
    column = (column & 0x1111u) | (column & 0x2222u) << 15;
    return (horizontal ? column : row) & EDGES;
}

#endif
