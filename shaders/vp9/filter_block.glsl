// SPDX-License-Identifier: BSD-2-Clause
// Blocks of 8 samples of 4 lines, between memory and registers. In registers the lines are two pairs:
// 0 and 2, 1 and 3; but above 8 bits, where edges lie between rows, 0 and 1, 2 and 3.
//
// `at` counts units of 1 << *_UNIT_SHIFT words, so that the compiler sees how words are aligned;
// `stride` leads to the next row. in_scratch is a constant wherever these are called.

struct Quad { // 4 samples of each line
    uvec4 a, b;
};

uint word_at(bool in_scratch, uint at) {
    if (in_scratch) return scratch[at];
    return samples[at];
}
void set_word(bool in_scratch, uint at, uint word) {
    if (in_scratch)
        scratch[at] = word;
    else
        samples[at] = word;
}
uvec2 two_words(bool in_scratch, uint at) {
    return uvec2(word_at(in_scratch, at * 2u), word_at(in_scratch, at * 2u + 1u));
}
void set_two_words(bool in_scratch, uint at, uvec2 words) {
    set_word(in_scratch, at * 2u, words.x);
    set_word(in_scratch, at * 2u + 1u, words.y);
}

#if FILTER_DEPTH == 8
const uint COLUMNS_UNIT_SHIFT = 1, ROWS_UNIT_SHIFT = 0;

// 4 bytes of two rows to a pair's samples, and back.
uvec4 pair_of_rows(uint upper, uint lower) {
    uint u = (upper & 0xffffu) + (lower << 16), v = (upper >> 16) + (lower & 0xffff0000u);
    return uvec4(u & SAMPLE, (u >> 8) & SAMPLE, v & SAMPLE, (v >> 8) & SAMPLE);
}
uvec2 rows_of_pair(uvec4 pair) {
    uint u = pair.x + (pair.y << 8), v = pair.z + (pair.w << 8);
    return uvec2((u & 0xffffu) + (v << 16), (u >> 16) + (v & 0xffff0000u));
}

void load_columns(bool in_scratch, uint at, uint stride, out Quad first, out Quad second) {
    uvec2 row[4];
    [[unroll]] for (uint r = 0; r < 4; r++) row[r] = two_words(in_scratch, at + r * stride);
    first = Quad(pair_of_rows(row[0].x, row[2].x), pair_of_rows(row[1].x, row[3].x));
    second = Quad(pair_of_rows(row[0].y, row[2].y), pair_of_rows(row[1].y, row[3].y));
}
void store_columns(bool in_scratch, uint at, uint stride, Quad first, Quad second) {
    uvec2 a0 = rows_of_pair(first.a), a1 = rows_of_pair(second.a);
    uvec2 b0 = rows_of_pair(first.b), b1 = rows_of_pair(second.b);
    set_two_words(in_scratch, at, uvec2(a0.x, a1.x));
    set_two_words(in_scratch, at + stride, uvec2(b0.x, b1.x));
    set_two_words(in_scratch, at + 2u * stride, uvec2(a0.y, a1.y));
    set_two_words(in_scratch, at + 3u * stride, uvec2(b0.y, b1.y));
}

// Between rows a word of the picture is 4 lines.
void load_rows(bool in_scratch, uint at, uint stride, out Quad quad) {
    uvec4 words;
    [[unroll]] for (int r = 0; r < 4; r++) words[r] = word_at(in_scratch, at + uint(r) * stride);
    quad = Quad(words & SAMPLE, (words >> 8) & SAMPLE);
}
void store_rows(bool in_scratch, uint at, uint stride, Quad quad) {
    uvec4 words = quad.a + (quad.b << 8);
    [[unroll]] for (int r = 0; r < 4; r++) set_word(in_scratch, at + uint(r) * stride, words[r]);
}
#else
const uint COLUMNS_UNIT_SHIFT = 2, ROWS_UNIT_SHIFT = 1;

// 8 columns of two rows to a pair's samples.
void load_pair(bool in_scratch, uint upper, uint lower, out uvec4 first, out uvec4 second) {
    uvec4 u = uvec4(two_words(in_scratch, upper * 2u), two_words(in_scratch, upper * 2u + 1u));
    uvec4 l = uvec4(two_words(in_scratch, lower * 2u), two_words(in_scratch, lower * 2u + 1u));
    uvec4 even = (u & 0xffffu) + (l << 16), odd = (u >> 16) + (l & 0xffff0000u);
    first = uvec4(even.x, odd.x, even.y, odd.y);
    second = uvec4(even.z, odd.z, even.w, odd.w);
}
void load_columns(bool in_scratch, uint at, uint stride, out Quad first, out Quad second) {
    load_pair(in_scratch, at, at + 2u * stride, first.a, second.a);
    // The second pair waits for the first: V3D has no registers for all 16 words at once.
    at += first.a.x & push.zero;
    load_pair(in_scratch, at + stride, at + 3u * stride, first.b, second.b);
}
uvec2 upper_row(uvec4 pair) { return (pair.xz & 0xffffu) + (pair.yw << 16); }
uvec2 lower_row(uvec4 pair) { return (pair.xz >> 16) + (pair.yw & 0xffff0000u); }
void store_row(bool in_scratch, uint at, uvec2 first, uvec2 second) {
    set_two_words(in_scratch, at * 2u, first);
    set_two_words(in_scratch, at * 2u + 1u, second);
}
void store_columns(bool in_scratch, uint at, uint stride, Quad first, Quad second) {
    store_row(in_scratch, at, upper_row(first.a), upper_row(second.a));
    store_row(in_scratch, at + stride, upper_row(first.b), upper_row(second.b));
    store_row(in_scratch, at + 2u * stride, lower_row(first.a), lower_row(second.a));
    store_row(in_scratch, at + 3u * stride, lower_row(first.b), lower_row(second.b));
}

// Between rows a word of the picture is a pair.
void load_rows(bool in_scratch, uint at, uint stride, out Quad quad) {
    [[unroll]] for (int r = 0; r < 4; r++) {
        uvec2 words = two_words(in_scratch, at + uint(r) * stride);
        quad.a[r] = words.x;
        quad.b[r] = words.y;
    }
}
void store_rows(bool in_scratch, uint at, uint stride, Quad quad) {
    [[unroll]] for (int r = 0; r < 4; r++)
        set_two_words(in_scratch, at + uint(r) * stride, uvec2(quad.a[r], quad.b[r]));
}
#endif

void load_block(bool between_rows, bool in_scratch, uint at, uint stride, out Quad first,
                out Quad second) {
    if (between_rows) {
        load_rows(in_scratch, at, stride, first);
        load_rows(in_scratch, at + 4u * stride, stride, second);
    } else {
        load_columns(in_scratch, at, stride, first, second);
    }
}
void store_block(bool between_rows, bool in_scratch, uint at, uint stride, Quad first,
                 Quad second) {
    if (between_rows) {
        store_rows(in_scratch, at, stride, first);
        store_rows(in_scratch, at + 4u * stride, stride, second);
    } else {
        store_columns(in_scratch, at, stride, first, second);
    }
}
