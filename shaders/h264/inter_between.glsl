// SPDX-License-Identifier: BSD-2-Clause
// Luma that needs both directions and reads inside of the reference only: half samples across with
// half samples down, and those amid four.

// Rows of whole samples, for the filter down where registers are short.
struct InterWords {
    uvec2 a, b, c, d, e;
};

InterWords inter_no_words() {
    return InterWords(uvec2(0), uvec2(0), uvec2(0), uvec2(0), uvec2(0));
}

uvec2 inter_half_down(InterWords w, uvec2 f) {
    INTER_ROW sum = inter_six(inter_unpack(w.a), inter_unpack(w.b), inter_unpack(w.c),
                              inter_unpack(w.d), inter_unpack(w.e), inter_unpack(f));
    return inter_pack(inter_half(inter_lifted(sum)));
}

// The mean of a half sample across and one down.
void inter_diagonal(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x - 2, task.y - 2, count);
    InterWords w = inter_no_words();
    uvec2 b = uvec2(0), c = uvec2(0), d = uvec2(0); // half samples across of the last three rows
    uint row = 0;
    do {
        uint words[5];
        inter_next_across(walk, task, count, words);
        uvec2 next = inter_whole(words, task.fraction_x == 3);
        uvec2 across = inter_pack(inter_half(inter_sum_across(words)));
        if (row >= 5)
            inter_write(walk.at, task, count,
                        inter_mean(inter_half_down(w, next), task.fraction_y == 3 ? c : b));
        w = InterWords(w.b, w.c, w.d, w.e, next);
        b = c, c = d, d = across;
    } while (++row < task.rows + 5);
}

// The half sample amid four, and its mean with one across, above or below.
void inter_centre(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x - 2, task.y - 2, count);
    InterRows r = inter_no_rows();
    uint row = 0;
    do {
        uint words[5];
        inter_next_across(walk, task, count, words);
        INTER_ROW next = inter_sum_across(words);
        if (row >= 5) {
            uvec2 result = inter_pack(inter_centre(r.a, r.b, r.c, r.d, r.e, next));
            uvec2 other = inter_pack(inter_half(task.fraction_y == 3 ? r.d : r.c));
            result = inter_mean(result, task.fraction_y == 2 ? result : other);
            inter_write(walk.at, task, count, result);
        }
        r = InterRows(r.b, r.c, r.d, r.e, next);
    } while (++row < task.rows + 5);
}

// The mean of the half sample amid four and of one down, left or right.
#if INTER_DEPTH == 8
// The filter down comes first: what is kept of a row are its words.
struct InterAligned {
    uvec4 a, b, c, d, e;
};

uvec4 inter_next_aligned(inout InterWalk walk, InterTask task, int count) {
    uint words[5];
    inter_next_across(walk, task, count, words);
    return uvec4(words[0], words[1], words[2], words[3]);
}

uvec4 inter_sums_down(uvec4 a, uvec4 b, uvec4 c, uvec4 d, uvec4 e, uvec4 f) {
    const uint mask = 0x00ff00ffu;
    return inter_lifted(inter_six(a & mask, b & mask, c & mask, d & mask, e & mask, f & mask));
}

// Four samples amid four, of the sums down of nine columns.
uint inter_four_amid(uint c[13], int first) {
    uint word = 0;
    [[unroll]] for (int i = 0; i < 4; i++) {
        int at = first + i;
        int inner = int(c[at + 2] + c[at + 3] << 2) - int(c[at + 1] + c[at + 4]);
        int sum = int(c[at] + c[at + 5]) + inner + (inner << 2);
        word |= uint(clamp(sum + (512 - 32 * 2560) >> 10, 0, 255)) << (8 * i);
    }
    return word;
}

void inter_beside(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x - 2, task.y - 2, count);
    InterAligned r;
    r.a = inter_next_aligned(walk, task, count);
    r.b = inter_next_aligned(walk, task, count);
    r.c = inter_next_aligned(walk, task, count);
    r.d = inter_next_aligned(walk, task, count);
    r.e = inter_next_aligned(walk, task, count);
    uint row = 0;
    do {
        uvec4 f = inter_next_aligned(walk, task, count);
        uvec4 even = inter_sums_down(r.a, r.b, r.c, r.d, r.e, f);
        uvec4 odd =
            inter_sums_down(r.a >> 8, r.b >> 8, r.c >> 8, r.d >> 8, r.e >> 8, f >> 8);
        uvec4 down = inter_half(even) + (inter_half(odd) << 8);
        uint halves[5] = uint[5](down.x, down.y, down.z, 0u, 0u);
        uint c[13];
        [[unroll]] for (int i = 0; i < 13; i++) {
            uint pair = (i & 1) == 0 ? even[i >> 2] : odd[i >> 2];
            c[i] = (i & 2) == 0 ? pair & 0xffffu : pair >> 16;
        }
        uvec2 result = uvec2(inter_four_amid(c, 0), inter_four_amid(c, 4));
        inter_write(walk.at, task, count,
                    inter_mean(result, inter_whole(halves, task.fraction_x == 3)));
        r = InterAligned(r.b, r.c, r.d, r.e, f);
    } while (++row < task.rows);
}
#else
void inter_beside(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x - 2, task.y - 2, count);
    InterRows r = inter_no_rows();
    InterWords w = inter_no_words();
    uint row = 0;
    do {
        uint words[5];
        inter_next_across(walk, task, count, words);
        INTER_ROW sum = inter_sum_across(words);
        uvec2 next = inter_whole(words, task.fraction_x == 3);
        if (row >= 5) {
            uvec2 result = inter_pack(inter_centre(r.a, r.b, r.c, r.d, r.e, sum));
            inter_write(walk.at, task, count, inter_mean(result, inter_half_down(w, next)));
        }
        r = InterRows(r.b, r.c, r.d, r.e, sum);
        w = InterWords(w.b, w.c, w.d, w.e, next);
    } while (++row < task.rows + 5);
}
#endif
