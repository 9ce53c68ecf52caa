// SPDX-License-Identifier: BSD-2-Clause
// Luma that reads outside of the reference, where the nearest sample is repeated: one word of each
// row, at any fractions.

// The words from sample x on.
void inter_clamped_row(InterTask task, int x, int y, int count, out uint words[5]) {
    // Moved by whole words, so that the division does not round towards zero.
    int first = x + 8192 * INTER_SAMPLES;
    int word = first / INTER_SAMPLES - 8192;
    uint shift = uint(first & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    uint raw[6];
    [[unroll]] for (int i = 0; i < 6; i++)
        raw[i] = i < count ? inter_load_clamped(task, word + i, y) : 0u;
    [[unroll]] for (int i = 0; i < 5; i++)
        words[i] = inter_funnel(raw[i], raw[i + 1], shift);
}

// across: sums of the filter across; whole: whole samples, of the column that is nearer.
INTER_ROW inter_any_result(InterTask task, InterRows across, InterRows whole, INTER_ROW across_f,
                           INTER_ROW whole_f) {
    INTER_ROW nearest = task.fraction_y == 3 ? whole.d : whole.c;
    INTER_ROW half_across = inter_half(task.fraction_y == 3 ? across.d : across.c);
    INTER_ROW half_down = inter_half(
        inter_lifted(inter_six(whole.a, whole.b, whole.c, whole.d, whole.e, whole_f)));
    INTER_ROW centre =
        inter_centre(across.a, across.b, across.c, across.d, across.e, across_f);
    bool has_x = task.fraction_x != 0, has_y = task.fraction_y != 0;
    bool odd_x = (task.fraction_x & 1) != 0, odd_y = (task.fraction_y & 1) != 0;
    INTER_ROW one = has_x ? half_across : has_y ? half_down : nearest;
    if (has_x && has_y && !(odd_x && odd_y)) one = centre;
    INTER_ROW other = has_x && has_y ? (odd_x ? half_down : half_across) : nearest;
    if (!odd_x && !odd_y) other = one;
    return INTER_ROW(inter_mean(inter_pack(one), inter_pack(other)), 0, 0);
}

void inter_any(InterTask task) {
    InterRows across = inter_no_rows(), whole = across;
    uint at = task.at;
    uint row = 0;
    do {
        uint words[5];
        inter_clamped_row(task, task.x - 2, task.y + int(row) - 2,
                          inter_reads_across(1), words);
        INTER_ROW across_f = inter_sum_across(words);
        INTER_ROW whole_f = inter_unpack(inter_whole(words, task.fraction_x == 3));
        if (row >= 5) {
            INTER_ROW result = inter_any_result(task, across, whole, across_f, whole_f);
            inter_write(at, task, 1, uvec2(result.xy));
        }
        across = InterRows(across.b, across.c, across.d, across.e, across_f);
        whole = InterRows(whole.b, whole.c, whole.d, whole.e, whole_f);
    } while (++row < task.rows + 5);
}
