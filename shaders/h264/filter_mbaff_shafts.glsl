// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_MBAFF_SHAFTS_GLSL
#define H264_FILTER_MBAFF_SHAFTS_GLSL

#include "h264/filter_mbaff_units.glsl"
#include "h264/filter_chroma_edges.glsl"

// Horizontal edges, in place in a shaft: `zero` is the word of the unit's row 0, above it are the
// rows of the unit above. No other invocation touches the shaft.

uint shaft_row(uint zero, int row) { return zero + uint(row * int(QUAD)); }

// -- planes filtered as luma ------------------------------------------------------------------------

// The addresses are sums in which nothing is worth keeping in a register from loads to stores. With
// 8 bits, the first side's columns wait for those of the other side, two rows in a word: then a row
// is stored without being loaded again.
void long_edge(uint zero, int q0, int step, uint thresholds, uint strength) {
    if (strength == 0u) return;
    uint pitch = uint(step) * QUAD;
    uint first[3] = uint[3](0u, 0u, 0u), second[3] = uint[3](0u, 0u, 0u);
    [[dont_unroll]] for (uint side = 0; side < 2u; side++) {
        Columns p, q;
        uint at = shaft_row(zero, q0 - 4 * step);
        [[unroll]] for (int i = 0; i < 4; i++) {
            p.column[i] = load_half(at, side);
            at += pitch;
        }
        [[unroll]] for (int i = 0; i < 4; i++) {
            q.column[i] = load_half(at, side);
            at += pitch;
        }
        outer_edge(p, q, thresholds, strength);
        uint changed[6] = uint[6](p.column[1], p.column[2], p.column[3], q.column[0], q.column[1],
                                  q.column[2]);
#ifdef HIGH_DEPTH
        at = shaft_row(zero, q0 - 3 * step) + side;
        [[unroll]] for (int i = 0; i < 6; i++) {
            scratch[at] = changed[i];
            at += pitch;
        }
#else
        [[unroll]] for (int i = 0; i < 3; i++) {
            first[i] = second[i];
            second[i] = changed[2 * i] | changed[2 * i + 1] << 8;
        }
#endif
    }
#ifndef HIGH_DEPTH
    uint at = shaft_row(zero, q0 - 3 * step);
    [[unroll]] for (int i = 0; i < 3; i++) {
        scratch[at] = (first[i] & BYTES) | (second[i] & BYTES) << 8;
        at += pitch;
        scratch[at] = (first[i] >> 8 & BYTES) | (second[i] & ~BYTES);
        at += pitch;
    }
#endif
}

// Its q1 alone, which depends on nothing before p1.
void long_edge_before(uint zero, int q0, int step, uint thresholds, uint strength) {
    if (strength == 0u) return;
    uint pitch = uint(step) * QUAD;
    [[dont_unroll]] for (uint word = 0; word < QUAD; word++) {
        uint rows[5]; // from p1 on
        uint at = shaft_row(zero, q0 - 2 * step) + word;
        [[unroll]] for (int i = 0; i < 5; i++) {
            rows[i] = scratch[at];
            at += pitch;
        }
        [[dont_unroll]] for (uint side = 0; side < SIDES_OF_WORD; side++) {
            uint column[5];
            [[unroll]] for (int i = 0; i < 5; i++)
                column[i] = columns_in(rows[i], side);
            uint q1 = filter_normal_q1(column[0], column[1], column[2], column[3], column[4],
                                       limits_of(thresholds), tc0_of(thresholds, strength));
            rows[3] = with_columns(rows[3], side, q1);
        }
        scratch[shaft_row(zero, q0 + step) + word] = rows[3];
    }
}

uint horizontal_strength(uint record, uint edge, uint segment) {
    return arena[record + HORIZONTAL + (segment >> 1)] >> (segment & 1u) * 16u + edge * 4u & 15u;
}

// What the rows above get from their own last edges: of the one at row 8 its q1 alone, which
// depends on nothing further up, then the one at row 12.
void long_tail(Unit above, uint zero, uint segment) {
    bool field = (flags_of(above) & MBAFF_FIELD) != 0u;
    int step = field ? 2 : 1;
    [[dont_unroll]] for (uint m = field ? 0u : 1u; m < 2u; m++) {
        uint record = above.record + m * MB;
        uint thresholds = thresholds_of(record, above.plane, INNER_EDGES);
        int q0 = field ? int(m) - 16 : -8;
        uint strength = horizontal_strength(record, 2u, segment);
        long_edge_before(zero, q0, step, thresholds, strength);
        long_edge(zero, q0 + 4 * step, step, thresholds, horizontal_strength(record, 3u, segment));
    }
}

// Where an edge of a unit lies. `index` counts the upper edge of the first macroblock twice.
struct UnitEdge {
    uint record, number; // number of the edge in its macroblock
    int q0, step;
    uint second; // 1: the second upper edge of a frame macroblock under a field pair
};

UnitEdge unit_edge(Unit unit, uint index, uint edges, int mb_lines) {
    uint position = index - (index > 0u ? 1u : 0u);
    uint m = position / edges;
    uint number = position % edges;
    uint flags = flags_of(unit);
    UnitEdge edge;
    edge.record = unit.record + m * MB;
    edge.number = number;
    edge.second = index == 1u ? 1u : 0u;
    if ((flags & MBAFF_FIELD) != 0u) {
        edge.q0 = int(m + number * 8u);
        edge.step = 2;
    } else {
        bool two = position == 0u && (flags & MBAFF_TWO_TOPS) != 0u;
        edge.q0 = two ? int(edge.second) : int(m) * mb_lines + int(number) * 4;
        edge.step = two ? 2 : 1;
    }
    return edge;
}

void long_edges(Unit unit, uint zero, uint segment) {
    [[dont_unroll]] for (uint index = 0; index < 9u; index++) {
        UnitEdge edge = unit_edge(unit, index, 4u, 16);
        uint strength = horizontal_strength(edge.record, edge.number, segment);
        uint kind = INNER_EDGES;
        if (edge.number == 0u) {
            strength = arena[edge.record + TOP] >> edge.second * 16u + segment * 4u & 15u;
            kind = UPPER_EDGE + edge.second;
        }
        long_edge(zero, edge.q0, edge.step, thresholds_of(edge.record, unit.plane, kind), strength);
    }
}

// -- subsampled chroma -------------------------------------------------------------------------------

// tC of the half's columns; low and high are those of columns 0 and 1, 2 and 3.
uint half_tc(uint side, uint low, uint high) {
#ifdef HIGH_DEPTH
    return (side == 0u ? low : high) * ONES;
#else
    return low + (high << 16);
#endif
}

void short_edge(uint zero, int q0, int step, uint thresholds, uint strengths) {
    if ((strengths & 0xf000fu) == 0u) return;
    uint tcs = chroma_tcs(thresholds);
    uint low = chroma_tc(tcs, strengths & 15u);
    uint high = chroma_tc(tcs, strengths >> 16 & 15u);
    Limits limits = limits_of(thresholds);
    uint pitch = uint(step) * QUAD;
    [[dont_unroll]] for (uint word = 0; word < QUAD; word++) {
        uint rows[4]; // from p1 on
        uint at = shaft_row(zero, q0 - 2 * step) + word;
        [[unroll]] for (int i = 0; i < 4; i++) {
            rows[i] = scratch[at];
            at += pitch;
        }
        [[dont_unroll]] for (uint side = 0; side < SIDES_OF_WORD; side++) {
            uint p0 = columns_in(rows[1], side), q = columns_in(rows[2], side);
            chroma_outer_edge(columns_in(rows[0], side), p0, q, columns_in(rows[3], side), limits,
                              half_tc(word + side, low, high), (strengths & 15u) == 4u);
            rows[1] = with_columns(rows[1], side, p0);
            rows[2] = with_columns(rows[2], side, q);
        }
        scratch[shaft_row(zero, q0 - step) + word] = rows[1];
        scratch[shaft_row(zero, q0) + word] = rows[2];
    }
}

// The fourth row above the next unit is q0 of a frame pair's last edge.
void short_tail(Unit above, uint zero, uint quad) {
    if ((flags_of(above) & MBAFF_FIELD) == 0u) {
        uint record = above.record + MB;
        uint luma_edge = 4u - 4u / SHORT_EDGES;
        short_edge(zero, -4, 1, thresholds_of(record, above.plane, INNER_EDGES),
                   arena[record + CHROMA + quad] >> luma_edge * 4u);
    }
}

void short_edges(Unit unit, uint zero, uint quad) {
    [[dont_unroll]] for (uint index = 0; index < SHORT_EDGES * 2u + 1u; index++) {
        UnitEdge edge = unit_edge(unit, index, SHORT_EDGES, int(SHORT_ROWS / 2u));
        uint strengths = arena[edge.record + CHROMA + quad] >> edge.number * (16u / SHORT_EDGES);
        uint kind = INNER_EDGES;
        if (edge.number == 0u) {
            uint top = arena[edge.record + TOP] >> edge.second * 16u + quad * 8u;
            strengths = (top & 15u) + (top >> 4 & 15u) * 0x10000u;
            kind = UPPER_EDGE + edge.second;
        }
        short_edge(zero, edge.q0, edge.step, thresholds_of(edge.record, unit.plane, kind),
                   strengths);
    }
}

#endif
