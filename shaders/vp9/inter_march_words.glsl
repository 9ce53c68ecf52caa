// SPDX-License-Identifier: BSD-2-Clause
// With 8 bits, two words of a row by the filter down: rows are kept as words of samples.

// The filter down of rows that are kept as words: half the registers of sums, and taking them apart
// again for each result is hidden behind the multiplications.
struct InterWords {
    uvec2 a, b, c, d, e, f, g;
};

uint inter_down_pair(uint a, uint b, uint c, uint d, uint e, uint f, uint g, uint h, InterTaps taps) {
    uint sum = INTER_LIFT + INTER_ROUND + a * uint(taps.t[0]) + b * uint(taps.t[1]);
    sum += c * uint(taps.t[2]) + d * uint(taps.t[3]) + e * uint(taps.t[4]);
    return inter_clip(sum + f * uint(taps.t[5]) + g * uint(taps.t[6]) + h * uint(taps.t[7]));
}

uint inter_down_word(uint a, uint b, uint c, uint d, uint e, uint f, uint g, uint h, InterTaps taps) {
    uint even = inter_down_pair(inter_even(a), inter_even(b), inter_even(c), inter_even(d), inter_even(e), inter_even(f),
                             inter_even(g), inter_even(h), taps);
    uint odd = inter_down_pair(inter_odd(a), inter_odd(b), inter_odd(c), inter_odd(d), inter_odd(e), inter_odd(f),
                            inter_odd(g), inter_odd(h), taps);
    return inter_pack(INTER_ROW(even, odd, 0u, 0u)).x;
}

uvec2 inter_next_words(inout InterWalk walk, InterTask task) {
    uint words[6];
    inter_read_row(walk, task, 2, false, words);
    return uvec2(words[0], words[1]);
}

void inter_step_down(inout InterWalk walk, inout InterWords w, InterTask task, InterTaps taps) {
    uvec2 next = inter_next_words(walk, task);
    uint left = inter_down_word(w.a.x, w.b.x, w.c.x, w.d.x, w.e.x, w.f.x, w.g.x, next.x, taps);
    uint right = inter_down_word(w.a.y, w.b.y, w.c.y, w.d.y, w.e.y, w.f.y, w.g.y, next.y, taps);
    inter_write(walk, task, 2, uvec2(left, right));
    w = InterWords(w.b, w.c, w.d, w.e, w.f, w.g, next);
}

// Two words of a row by the filter down alone.
void inter_march_down(InterTask task) {
    InterWalk walk;
    walk.shift = uint(task.x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    walk.from = task.from + uint(task.y - 3) * task.from_stride + uint(task.x / INTER_SAMPLES);
    walk.at = task.at;
    InterTaps taps = inter_unpack_taps(task.down);
    InterWords w;
    w.a = inter_next_words(walk, task);
    w.b = inter_next_words(walk, task);
    w.c = inter_next_words(walk, task);
    w.d = inter_next_words(walk, task);
    w.e = inter_next_words(walk, task);
    w.f = inter_next_words(walk, task);
    w.g = inter_next_words(walk, task);
    for (uint row = 0; row < task.rows; row++)
        inter_step_down(walk, w, task, taps);
}

// Two words of a row by both filters.
void inter_march_both(InterTask task) {
    int x = task.x - 3;
    InterWalk walk;
    walk.shift = uint(x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    walk.from = task.from + uint(task.y - 3) * task.from_stride + uint(x / INTER_SAMPLES);
    walk.at = task.at;
    InterTaps across = inter_unpack_taps(task.across);
    InterWords w;
    w.a = w.b = w.c = w.d = w.e = w.f = w.g = uvec2(0);
    for (uint row = 0; row < task.rows + 7; row++) {
        uvec2 next = inter_pack(inter_next_row(walk, task, 2, true, across));
        if (row >= 7) {
            InterTaps down = inter_unpack_taps(task.down); // here, for want of registers
            uint left = inter_down_word(w.a.x, w.b.x, w.c.x, w.d.x, w.e.x, w.f.x, w.g.x, next.x, down);
            uint right = inter_down_word(w.a.y, w.b.y, w.c.y, w.d.y, w.e.y, w.f.y, w.g.y, next.y, down);
            inter_write(walk, task, 2, uvec2(left, right));
        }
        w = InterWords(w.b, w.c, w.d, w.e, w.f, w.g, next);
    }
}
