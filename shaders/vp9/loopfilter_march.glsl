// SPDX-License-Identifier: BSD-2-Clause
// Filters one superblock of a plane in one direction: an invocation has 4 lines, as two pairs, and
// marches along them in blocks of 8 samples. Lines 0 and 2 are the first pair, 1 and 3 the second;
// but above 8 bits, where edges lie between rows, 0 and 1, 2 and 3.

struct Quad { // 4 samples of each line
    uvec4 a, b;
};

// Where a block's samples are: `at` counts units of 1 << *_UNIT_SHIFT words, so that the compiler
// sees how words are aligned; `stride` leads to the next row.
#if LOOPFILTER_DEPTH == 8
const uint COLUMNS_UNIT_SHIFT = 1, ROWS_UNIT_SHIFT = 0;

// Bytes of two rows to pairs of samples.
uvec4 pair_of_rows(uint upper, uint lower) {
    uint u = (upper & 0xffffu) + (lower << 16), v = (upper >> 16) + (lower & 0xffff0000u);
    return uvec4(u & SAMPLE, (u >> 8) & SAMPLE, v & SAMPLE, (v >> 8) & SAMPLE);
}
uvec2 rows_of_pair(uvec4 pair) {
    uint u = pair.x + (pair.y << 8), v = pair.z + (pair.w << 8);
    return uvec2((u & 0xffffu) + (v << 16), (u >> 16) + (v & 0xffff0000u));
}

void load_columns(uint at, uint stride, out Quad first, out Quad second) {
    uvec2 row[4];
    [[unroll]] for (uint r = 0; r < 4; r++)
        row[r] = uvec2(samples[(at + r * stride) * 2u], samples[(at + r * stride) * 2u + 1u]);
    first = Quad(pair_of_rows(row[0].x, row[2].x), pair_of_rows(row[1].x, row[3].x));
    second = Quad(pair_of_rows(row[0].y, row[2].y), pair_of_rows(row[1].y, row[3].y));
}
void store_columns(uint at, uint stride, Quad first, Quad second) {
    uvec2 a0 = rows_of_pair(first.a), a1 = rows_of_pair(second.a);
    uvec2 b0 = rows_of_pair(first.b), b1 = rows_of_pair(second.b);
    samples[at * 2u] = a0.x;
    samples[at * 2u + 1u] = a1.x;
    samples[(at + stride) * 2u] = b0.x;
    samples[(at + stride) * 2u + 1u] = b1.x;
    samples[(at + 2u * stride) * 2u] = a0.y;
    samples[(at + 2u * stride) * 2u + 1u] = a1.y;
    samples[(at + 3u * stride) * 2u] = b0.y;
    samples[(at + 3u * stride) * 2u + 1u] = b1.y;
}

// Between rows a word of the picture is 4 lines.
void load_rows(uint at, uint stride, out Quad quad) {
    uvec4 words = uvec4(samples[at], samples[at + stride], samples[at + 2u * stride],
                        samples[at + 3u * stride]);
    quad = Quad(words & SAMPLE, (words >> 8) & SAMPLE);
}
void store_rows(uint at, uint stride, Quad quad) {
    uvec4 words = quad.a + (quad.b << 8);
    samples[at] = words.x;
    samples[at + stride] = words.y;
    samples[at + 2u * stride] = words.z;
    samples[at + 3u * stride] = words.w;
}
#else
const uint COLUMNS_UNIT_SHIFT = 2, ROWS_UNIT_SHIFT = 1;

// Two rows to 8 columns of a pair.
void load_pair(uint upper, uint lower, out uvec4 first, out uvec4 second) {
    upper *= 4u;
    lower *= 4u;
    uvec4 u = uvec4(samples[upper], samples[upper + 1u], samples[upper + 2u], samples[upper + 3u]);
    uvec4 l = uvec4(samples[lower], samples[lower + 1u], samples[lower + 2u], samples[lower + 3u]);
    uvec4 even = (u & 0xffffu) + (l << 16), odd = (u >> 16) + (l & 0xffff0000u);
    first = uvec4(even.x, odd.x, even.y, odd.y);
    second = uvec4(even.z, odd.z, even.w, odd.w);
}
void load_columns(uint at, uint stride, out Quad first, out Quad second) {
    load_pair(at, at + 2u * stride, first.a, second.a);
    // The second pair waits for the first: all 16 words at once are more than there is room for.
    at += first.a.x & push.zero;
    load_pair(at + stride, at + 3u * stride, first.b, second.b);
}
void store_row(uint at, uvec2 first, uvec2 second) {
    samples[at * 4u] = first.x;
    samples[at * 4u + 1u] = first.y;
    samples[at * 4u + 2u] = second.x;
    samples[at * 4u + 3u] = second.y;
}
uvec2 upper_row(uvec4 pair) { return (pair.xz & 0xffffu) + (pair.yw << 16); }
uvec2 lower_row(uvec4 pair) { return (pair.xz >> 16) + (pair.yw & 0xffff0000u); }
void store_columns(uint at, uint stride, Quad first, Quad second) {
    store_row(at, upper_row(first.a), upper_row(second.a));
    store_row(at + stride, upper_row(first.b), upper_row(second.b));
    store_row(at + 2u * stride, lower_row(first.a), lower_row(second.a));
    store_row(at + 3u * stride, lower_row(first.b), lower_row(second.b));
}

void load_rows(uint at, uint stride, out Quad quad) {
    [[unroll]] for (int r = 0; r < 4; r++) {
        uint word = (at + uint(r) * stride) * 2u;
        quad.a[r] = samples[word];
        quad.b[r] = samples[word + 1u];
    }
}
void store_rows(uint at, uint stride, Quad quad) {
    [[unroll]] for (int r = 0; r < 4; r++) {
        uint word = (at + uint(r) * stride) * 2u;
        samples[word] = quad.a[r];
        samples[word + 1u] = quad.b[r];
    }
}
#endif

void load_block(bool between_rows, uint at, uint stride, out Quad first, out Quad second) {
    if (between_rows) {
        load_rows(at, stride, first);
        load_rows(at + 4u * stride, stride, second);
    } else {
        load_columns(at, stride, first, second);
    }
}
void store_block(bool between_rows, uint at, uint stride, Quad first, Quad second) {
    if (between_rows) {
        store_rows(at, stride, first);
        store_rows(at + 4u * stride, stride, second);
    } else {
        store_columns(at, stride, first, second);
    }
}

void narrow_both(inout Quad p, inout Quad q, uint level, uvec2 guards) {
    uint beyond = narrow(p.a, q.a, level, guards.x);
    beyond |= narrow(p.b, q.b, level, guards.y);
    if (beyond != 0) {
        clamp_four(p.a, q.a);
        clamp_four(p.b, q.b);
    }
}

const uint HELD = 0x80000000u; // in the marks: the block before this one is held and not stored

// at: the first block; step: from block to block.
void march(bool between_rows, uint at, uint step, uint stride, LoopfilterLine line) {
    uint marks = line.marks;
    uvec2 levels = uvec2(line.levels_0, line.levels_1);
    Quad far, p, q, next; // p7 .. p4, p3 .. p0, q0 .. q3 and q4 .. q7 of the edge before the block
    if ((marks & 3u) != 0) {
        load_block(between_rows, at - step, stride, far, p);
        marks |= HELD;
    }
    [[dont_unroll]] for (uint block = 0; block < 8u; block++) {
        bool needed = (marks & 0x37u) != 0; // also by the edge behind it
        if (needed) load_block(between_rows, at, stride, q, next);
        uint size = marks & 3u;
        uvec2 flat8 = q.a.xy & push.zero, flat16 = q.a.zw & push.zero;
        if (size != 0) {
            Limits limits = limits_of(levels.x & 0xffu);
            uvec2 guards = uvec2(filter_mask(p.a, q.a, limits), filter_mask(p.b, q.b, limits));
            if (size > LOOPFILTER_4) {
                flat8.x = flat_mask(flat_mask(guards.x, p.a.xyz, p.a.w), q.a.yzw, q.a.x);
                flat8.y = flat_mask(flat_mask(guards.y, p.b.xyz, p.b.w), q.b.yzw, q.b.x);
            }
            guards ^= flat8;
            if ((guards.x | guards.y) != 0) narrow_both(p, q, levels.x & 0xffu, guards);
            if ((flat8.x | flat8.y) != 0) {
                if (size == LOOPFILTER_16) {
                    flat16.x = flat_mask(flat_mask(flat8.x, far.a, p.a.w), next.a, q.a.x);
                    flat16.y = flat_mask(flat_mask(flat8.y, far.b, p.b.w), next.b, q.b.x);
                    flat8 ^= flat16;
                }
                if ((flat8.x | flat8.y) != 0) {
                    wide_8(p.a, q.a, whole(flat8.x));
                    wide_8(p.b, q.b, whole(flat8.y));
                }
                if (flat16.x != 0) wide_16(far.a, p.a, q.a, next.a, whole(flat16.x));
                if (flat16.y != 0) wide_16(far.b, p.b, q.b, next.b, whole(flat16.y));
            }
        }
        if (marks >= HELD) store_block(between_rows, at - step, stride, far, p);
        if ((marks & 4u) != 0) {
            Limits limits = limits_of(levels.x & 0xffu);
            uvec2 guards =
                uvec2(filter_mask(q.a, next.a, limits), filter_mask(q.b, next.b, limits));
            narrow_both(q, next, levels.x & 0xffu, guards);
        }
        far = q;
        p = next;
        marks = ((marks & ~HELD) >> 4) | (needed ? HELD : 0);
        levels = uvec2((levels.x >> 8) | (levels.y << 24), levels.y >> 8);
        at += step;
    }
    if (marks != 0) store_block(between_rows, at - step, stride, far, p);
}
