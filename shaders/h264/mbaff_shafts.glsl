// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_MBAFF_SHAFTS_GLSL
#define H264_MBAFF_SHAFTS_GLSL

#include "h264/mbaff_units.glsl"
#include "h264/deblock_chroma_edges.glsl"

// Horizontal edges, in place in a shaft: `zero` is the word of the unit's row 0, above it are the
// rows of the unit above. No other invocation touches the shaft.

uint shaft_row(uint zero, int row) { return zero + uint(row * int(QUAD)); }

uvec2 load_row(uint zero, int row) { return to_row(load_scratch(shaft_row(zero, row))); }

void store_row(uint zero, int row, uvec2 samples_of_row) {
    store_scratch(shaft_row(zero, row), from_row(samples_of_row));
}

// -- planes filtered as luma ------------------------------------------------------------------------

void load_edge(uint zero, int q0, int step, out Columns p, out Columns q) {
    [[unroll]] for (int i = 0; i < 4; i++) {
        p.column[i] = load_row(zero, q0 - (4 - i) * step);
        q.column[i] = load_row(zero, q0 + i * step);
    }
}

void long_edge(uint zero, int q0, int step, uint thresholds, uint strength) {
    if (strength > 0u) {
        Columns p, q;
        load_edge(zero, q0, step, p, q);
        outer_edge(p, q, thresholds, strength);
        [[unroll]] for (int i = 0; i < 3; i++) {
            store_row(zero, q0 - (3 - i) * step, p.column[i + 1]);
            store_row(zero, q0 + i * step, q.column[i]);
        }
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
        if (strength > 0u) {
            Columns p, q;
            load_edge(zero, q0, step, p, q);
            edge_before(p, q, limits_of(thresholds), thresholds, strength);
            store_row(zero, q0 + step, q.column[1]);
        }
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

void short_edge(uint zero, int q0, int step, uint thresholds, uint strengths) {
    uvec2 p1 = load_row(zero, q0 - 2 * step);
    uvec2 p0 = load_row(zero, q0 - step);
    uvec2 q = load_row(zero, q0);
    uvec2 q1 = load_row(zero, q0 + step);
    chroma_outer_edge(p1, p0, q, q1, limits_of(thresholds),
                      row_tc(chroma_tcs(thresholds), strengths), (strengths & 15u) == 4u);
    store_row(zero, q0 - step, p0);
    store_row(zero, q0, q);
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
