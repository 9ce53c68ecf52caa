// SPDX-License-Identifier: BSD-2-Clause
// Blocks that read outside the reference, where the nearest sample stands for the others (8.5.2.3),
// and blocks of any height: a row in a step, always with both filters, which change nothing where a
// fraction is zero.

MC_ROW mc_any_row(McTask task, int y) {
    // Moved by whole words, so that the division does not round towards zero.
    int x = task.x - 3 + 1024 * MC_SAMPLES;
    int word = x / MC_SAMPLES - 1024;
    uint shift = uint(x & (MC_SAMPLES - 1)) * uint(MC_SAMPLE_BITS);
    uint raw[7], words[6];
    [[unroll]] for (int i = 0; i < 7; i++)
        raw[i] = i < mc_read(1, true) ? mc_load_clamped(task, word + i, y) : 0u;
    [[unroll]] for (int i = 0; i < 6; i++)
        words[i] = i < mc_aligned(1, true) ? mc_funnel(raw[i], raw[i + 1], shift) : 0u;
    return mc_filter_across(words, mc_unpack_taps(task.across));
}

void mc_any(McTask task) {
    McTaps taps_down = mc_unpack_taps(task.down);
    McSums sums = mc_no_sums();
    uint at = task.at;
    for (uint row = 0; row < task.rows + 7; row++) {
        MC_ROW result = mc_add_row(
            sums, mc_any_row(task, task.y + int(row) - 3), taps_down);
        if (row < 7) continue;
        uint word = mc_pack(result).x;
#if MC_AVERAGE
        word = mc_average(word, samples[at]);
#endif
        samples[at] = word;
        at += task.stride;
    }
}
