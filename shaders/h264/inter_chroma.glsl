// SPDX-License-Identifier: BSD-2-Clause
// Chroma (8.4.2.2.2): between four whole samples, in eighths.

INTER_ROW inter_chroma_row(InterTask task, uint words[5]) {
    INTER_PART p[INTER_PARTS];
    inter_part(words, p);
    return inter_blend(INTER_AT(p, 0), INTER_AT(p, 1), uint(task.fraction_x));
}

uvec2 inter_chroma_words(InterTask task, INTER_ROW above, INTER_ROW below) {
    return inter_pack(inter_blended(inter_blend(above, below, uint(task.fraction_y))));
}

// Half of a word. The other half is another invocation's, of this dispatch or of one beside it, so
// only bits that change are touched.
void inter_write_part(inout uint at, InterTask task, uint half_word) {
    uint old = samples[at];
    uint word = inter_combined(task, old, half_word << task.part);
    atomicXor(samples[at], (word ^ old) & (0xffffu << task.part));
    at += task.stride;
}

// count: words of a row; 0: half of one.
void inter_write_chroma(inout uint at, InterTask task, int count, uvec2 words) {
    if (count == 0)
        inter_write_part(at, task, words.x & 0xffffu);
    else
        inter_write(at, task, count, words);
}

// What reads inside only. Where a fraction is zero nothing behind the block counts, and nothing
// behind the reference is read.
void inter_chroma(InterTask task, int count) {
    int writes = max(count, 1);
    int reads = (count == 0 ? 2 : count * INTER_SAMPLES) + (task.fraction_x != 0 ? 1 : 0);
    InterWalk walk = inter_walk(task, task.x, task.y, writes);
    walk.last = uint((task.x + reads - 1) / INTER_SAMPLES - task.x / INTER_SAMPLES);
    uint last_from = walk.from + uint(task.last_y - task.y) * task.from_stride;
    INTER_ROW above = INTER_ROW(0);
    uint row = 0;
    do {
        uint words[5], raw[6];
        if (writes == 2) {
            inter_load(task, walk.from, walk.last, 3, raw);
        } else {
            raw[0] = reference[walk.from];
            raw[1] = raw[2] = reference[walk.from + walk.last];
        }
        words[0] = inter_funnel(raw[0], raw[1], walk.shift);
        words[1] = inter_funnel(raw[1], raw[2], walk.shift);
        words[2] = raw[2] >> walk.shift;
        words[3] = words[4] = 0u;
        walk.from = min(walk.from + task.from_stride, last_from);
        INTER_ROW below = inter_chroma_row(task, words);
        if (row > 0)
            inter_write_chroma(walk.at, task, count, inter_chroma_words(task, above, below));
        above = below;
    } while (++row <= task.rows);
}

// What reads outside.
void inter_chroma_any(InterTask task, int count) {
    uint at = task.at;
    INTER_ROW above = INTER_ROW(0);
    uint row = 0;
    do {
        uint words[5];
        inter_clamped_row(task, task.x, task.y + int(row), max(count, 1) + 1, words);
        INTER_ROW below = inter_chroma_row(task, words);
        if (row > 0) inter_write_chroma(at, task, count, inter_chroma_words(task, above, below));
        above = below;
    } while (++row <= task.rows);
}
