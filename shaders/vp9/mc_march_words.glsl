// SPDX-License-Identifier: BSD-2-Clause
// With 8 bits, two words of a row by the filter down: rows are kept as words of samples.

// The filter down of rows that are kept as words: half the registers of sums, and taking them apart
// again for each result is hidden behind the multiplications.
struct McWords {
    uvec2 a, b, c, d, e, f, g;
};

uint mc_down_pair(uint a, uint b, uint c, uint d, uint e, uint f, uint g, uint h, McTaps taps) {
    uint sum = MC_LIFT + MC_ROUND + a * uint(taps.t[0]) + b * uint(taps.t[1]);
    sum += c * uint(taps.t[2]) + d * uint(taps.t[3]) + e * uint(taps.t[4]);
    return mc_clip(sum + f * uint(taps.t[5]) + g * uint(taps.t[6]) + h * uint(taps.t[7]));
}

uint mc_down_word(uint a, uint b, uint c, uint d, uint e, uint f, uint g, uint h, McTaps taps) {
    uint even = mc_down_pair(mc_even(a), mc_even(b), mc_even(c), mc_even(d), mc_even(e), mc_even(f),
                             mc_even(g), mc_even(h), taps);
    uint odd = mc_down_pair(mc_odd(a), mc_odd(b), mc_odd(c), mc_odd(d), mc_odd(e), mc_odd(f),
                            mc_odd(g), mc_odd(h), taps);
    return mc_pack(MC_ROW(even, odd, 0u, 0u)).x;
}

uvec2 mc_next_words(inout McWalk walk, McTask task) {
    uint words[6];
    mc_read_row(walk, task, 2, false, words);
    return uvec2(words[0], words[1]);
}

void mc_step_down(inout McWalk walk, inout McWords w, McTask task, McTaps taps) {
    uvec2 next = mc_next_words(walk, task);
    uint left = mc_down_word(w.a.x, w.b.x, w.c.x, w.d.x, w.e.x, w.f.x, w.g.x, next.x, taps);
    uint right = mc_down_word(w.a.y, w.b.y, w.c.y, w.d.y, w.e.y, w.f.y, w.g.y, next.y, taps);
    mc_write(walk, task, 2, uvec2(left, right));
    w = McWords(w.b, w.c, w.d, w.e, w.f, w.g, next);
}

// Two words of a row by the filter down alone.
void mc_march_down(McTask task) {
    McWalk walk;
    walk.shift = uint(task.x & (MC_SAMPLES - 1)) * uint(MC_SAMPLE_BITS);
    walk.from = task.from + uint(task.y - 3) * task.from_stride + uint(task.x / MC_SAMPLES);
    walk.at = task.at;
    McTaps taps = mc_unpack_taps(task.down);
    McWords w;
    w.a = mc_next_words(walk, task);
    w.b = mc_next_words(walk, task);
    w.c = mc_next_words(walk, task);
    w.d = mc_next_words(walk, task);
    w.e = mc_next_words(walk, task);
    w.f = mc_next_words(walk, task);
    w.g = mc_next_words(walk, task);
    for (uint row = 0; row < task.rows; row++)
        mc_step_down(walk, w, task, taps);
}

// Two words of a row by both filters.
void mc_march_both(McTask task) {
    int x = task.x - 3;
    McWalk walk;
    walk.shift = uint(x & (MC_SAMPLES - 1)) * uint(MC_SAMPLE_BITS);
    walk.from = task.from + uint(task.y - 3) * task.from_stride + uint(x / MC_SAMPLES);
    walk.at = task.at;
    McTaps across = mc_unpack_taps(task.across);
    McWords w;
    w.a = w.b = w.c = w.d = w.e = w.f = w.g = uvec2(0);
    for (uint row = 0; row < task.rows + 7; row++) {
        uvec2 next = mc_pack(mc_next_row(walk, task, 2, true, across));
        if (row >= 7) {
            McTaps down = mc_unpack_taps(task.down); // here, for want of registers
            uint left = mc_down_word(w.a.x, w.b.x, w.c.x, w.d.x, w.e.x, w.f.x, w.g.x, next.x, down);
            uint right = mc_down_word(w.a.y, w.b.y, w.c.y, w.d.y, w.e.y, w.f.y, w.g.y, next.y, down);
            mc_write(walk, task, 2, uvec2(left, right));
        }
        w = McWords(w.b, w.c, w.d, w.e, w.f, w.g, next);
    }
}
