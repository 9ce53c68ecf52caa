// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_FILTER_CHROMA_STRIP_GLSL
#define H264_FILTER_CHROMA_STRIP_GLSL

#include "h264/filter_chroma.glsl"

// Columns 6 and 7 of a macroblock and of the two lines above it, as the halves of words.
struct Strip {
    uvec4 group[GROUPS];
    uint upper, lower;
};

// The two lines above after the left edge of the macroblock up-right, where there is one. at: the
// first of these lines; record: its macroblock's.
void filter_above(inout Strip strip, uint at, uint line, uint record, uint quad,
                  bool last) {
    record += last ? 0u : 1u;
    uint right = at + (last ? 0u : QUAD);
    uint thresholds = load_word(record, quad, OUTER_LEFT);
    uint strength = load_strengths(record, VERTICAL, 3u) & 15u;
    strength = last ? 0u : strength;
    uint upper = strip_of(load_samples(at));
    uint lower = strip_of(load_samples(at + line));
    uint q_upper = samples[right];
    uint q_lower = samples[right + line];
#ifndef HIGH_DEPTH
    q_upper = (q_upper & 0xffu) + (q_upper << 8 & 0xff0000u);
    q_lower = (q_lower & 0xffu) + (q_lower << 8 & 0xff0000u);
#endif
    uvec2 p1 = low_halves(uvec2(upper), uvec2(lower));
    uvec2 p0 = high_halves(uvec2(upper), uvec2(lower));
    uvec2 q0 = low_halves(uvec2(q_upper), uvec2(q_lower));
    uvec2 q1 = high_halves(uvec2(q_upper), uvec2(q_lower));
    chroma_outer_edge(p1, p0, q0, q1, limits_of(thresholds),
                      uvec2(chroma_tc(chroma_tcs(thresholds), strength) * ONES), strength == 4u);
    strip.upper = low_halves(p1, p0).x;
    strip.lower = high_halves(p1, p0).x;
}

// The horizontal edges of the strip, two at a time: their limits are the elements of the vectors.
void filter_strip(inout Strip strip, uint record, uint quad) {
    uvec4 thresholds = load_thresholds(record, quad);
    uint upper = thresholds[OUTER_UPPER], inner = thresholds[INNER];
    uint strengths = load_word(record, CR, CHROMA_STRENGTHS) >> 16;
    Limits limits = limits_of(inner);
    Limits first = limits_of(upper);
    first.alpha_add.y = limits.alpha_add.y;
    first.alpha_top.y = limits.alpha_top.y;
    first.beta_add.y = limits.beta_add.y;
    first.beta_top.y = limits.beta_top.y;
    uvec2 p1 = uvec2(strip.upper, strip.group[0].z);
    uvec2 p0 = uvec2(strip.lower, strip.group[0].w);
    uvec2 q0 = uvec2(strip.group[0].x, strip.group[1].x);
    uvec2 q1 = uvec2(strip.group[0].y, strip.group[1].y);
    uvec2 tc = uvec2(chroma_tc(chroma_tcs(upper), strengths & 15u),
                     chroma_tc(chroma_tcs(inner), strengths >> edge_shift(1u) & 15u)) * ONES;
    uvec2 line = chroma_flags(p1, p0, q0, q1, first);
    filter_chroma(line, p1, p0, q0, q1, tc);
    if ((strengths & 15u) == 4u) filter_chroma_strong(line & uvec2(0xffffffffu, 0), p1, p0, q0, q1);
    strip.lower = p0.x;
    strip.group[0].w = p0.y;
    strip.group[0].x = q0.x;
    strip.group[1].x = q0.y;
#ifdef CHROMA_422
    p0 = uvec2(strip.group[1].w, strip.group[2].w);
    q0 = uvec2(strip.group[2].x, strip.group[3].x);
    tc = uvec2(chroma_tc(chroma_tcs(inner), strengths >> 8 & 15u),
               chroma_tc(chroma_tcs(inner), strengths >> 12 & 15u)) * ONES;
    chroma_inner_edge(uvec2(strip.group[1].z, strip.group[2].z), p0, q0,
                      uvec2(strip.group[2].y, strip.group[3].y), limits, tc);
    strip.group[1].w = p0.x;
    strip.group[2].w = p0.y;
    strip.group[2].x = q0.x;
    strip.group[3].x = q0.y;
#endif
}

// Columns 6 and 7 of a macroblock after its horizontal edges, from the unfiltered picture.
void chroma_strip(uint mb_x, uint mb_y) {
    ChromaPlane plane = chroma_plane(mb_y);
    uint line = plane.line * 4u;
    uint at = (plane.at + mb_y * LINES * plane.line) * 4u + (mb_x * 2u + 1u) * QUAD;

    Strip strip;
    filter_above(strip, at - (mb_y == 0u ? 0u : line * 2u), line,
                 record_of(mb_x, max(mb_y, 1u) - 1u), plane.thresholds,
                 mb_x + 1u == push.mb_width);
    [[unroll]] for (uint g = 0; g < GROUPS; g++)
        [[unroll]] for (uint i = 0; i < 4; i++)
            strip.group[g][i] = strip_of(load_samples(at + (g * 4u + i) * line));
    filter_strip(strip, record_of(mb_x, mb_y), plane.thresholds);

    uint row = plane.first * GROUPS + mb_y * GROUPS * push.mb_width + mb_x;
    [[unroll]] for (uint g = 0; g < GROUPS; g++)
        store_quad(push.chroma_strip + row + g * push.mb_width, strip.group[g]);
    if (mb_x + 1u == push.mb_width) { // no macroblock on the right will
        [[unroll]] for (uint g = 0; g < GROUPS; g++)
            store_quad(final_strip(plane, mb_y * GROUPS + g, mb_x), memory_strip(strip.group[g]));
    }
    uint number = plane.first + mb_y * push.mb_width + mb_x;
    scratch[push.chroma_bottom + number] = memory_strip(uvec4(strip.lower)).x;
}

#endif
