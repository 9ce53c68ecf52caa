// SPDX-License-Identifier: BSD-2-Clause
// Blocks that read outside the reference, where the nearest sample stands for the others (8.5.2.3),
// and blocks of any height: a row in a step, always with both filters, which change nothing where a
// fraction is zero.

INTER_ROW inter_any_row(InterTask task, int y) {
    // Moved by whole words, so that the division does not round towards zero.
    int x = task.x - 3 + 1024 * INTER_SAMPLES;
    int word = x / INTER_SAMPLES - 1024;
    uint shift = uint(x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    uint raw[7], words[6];
    [[unroll]] for (int i = 0; i < 7; i++)
        raw[i] = i < inter_read(1, true) ? inter_load_clamped(task, word + i, y) : 0u;
    [[unroll]] for (int i = 0; i < 6; i++)
        words[i] = i < inter_aligned(1, true) ? inter_funnel(raw[i], raw[i + 1], shift) : 0u;
    return inter_filter_across(words, inter_unpack_taps(task.across));
}

void inter_any(InterTask task) {
    InterTaps taps_down = inter_unpack_taps(task.down);
    InterSums sums = inter_no_sums();
    uint at = task.at;
    for (uint row = 0; row < task.rows + 7; row++) {
        INTER_ROW result = inter_add_row(
            sums, inter_any_row(task, task.y + int(row) - 3), taps_down);
        if (row < 7) continue;
        uint word = inter_pack(result).x;
#if INTER_AVERAGE
        word = inter_average(word, samples[at]);
#endif
        samples[at] = word;
        at += task.stride;
    }
}
