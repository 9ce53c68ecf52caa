// SPDX-License-Identifier: BSD-2-Clause
// Luma that reads inside of the reference only: an invocation goes down its columns, with what the
// filter down needs of the last five rows in registers.

#if INTER_DEPTH == 8
// Words of a row with what the filter across reads: five samples more than `count` words.
int inter_reads_across(int count) { return count + 2; }
#else
int inter_reads_across(int count) { return count + 3; }
#endif

struct InterWalk {
    uint from, at; // words
    uint shift;    // bits between words and samples
    uint last;     // the last word to read of a row, from the first one on
};

InterWalk inter_walk(InterTask task, int x, int y, int count) {
    InterWalk walk;
    walk.shift = uint(x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    walk.from = task.from + uint(y) * task.from_stride + uint(x / INTER_SAMPLES);
    walk.at = task.at;
    walk.last = uint(count) - (walk.shift == 0u ? 1u : 0u); // nothing behind the reference
    return walk;
}

// Two words without what the filter across reads.
uvec2 inter_next_words(inout InterWalk walk, InterTask task, int count) {
    uint raw[6];
    if (count == 1) {
        raw[0] = reference[walk.from];
        raw[1] = reference[walk.from + walk.last];
        raw[2] = 0u;
    } else {
        inter_load(task, walk.from, walk.last, 3, raw);
    }
    walk.from += task.from_stride;
    return uvec2(inter_funnel(raw[0], raw[1], walk.shift),
                 count == 1 ? 0u : inter_funnel(raw[1], raw[2], walk.shift));
}

// The words from two samples to the left on.
void inter_next_across(inout InterWalk walk, InterTask task, int count, out uint words[5]) {
    uint raw[6];
    int reads = inter_reads_across(count);
    inter_load(task, walk.from, uint(reads) - 1u, reads, raw);
    [[unroll]] for (int i = 0; i < 5; i++)
        words[i] = inter_funnel(raw[i], raw[i + 1], walk.shift);
    walk.from += task.from_stride;
}

// Of such words those of whole samples, from the block's column on or the next one.
uvec2 inter_whole(uint words[5], bool next) {
#if INTER_DEPTH == 8
    uint shift = next ? 24u : 16u;
    return uvec2(inter_funnel(words[0], words[1], shift), inter_funnel(words[1], words[2], shift));
#else
    uint shift = next ? 16u : 0u;
    return uvec2(inter_funnel(words[1], words[2], shift), inter_funnel(words[2], words[3], shift));
#endif
}

INTER_ROW inter_sum_across(uint words[5]) {
    INTER_PART p[INTER_PARTS];
    inter_part(words, p);
    return inter_lifted(inter_six(INTER_AT(p, 0), INTER_AT(p, 1), INTER_AT(p, 2), INTER_AT(p, 3),
                                  INTER_AT(p, 4), INTER_AT(p, 5)));
}

#if INTER_MODE == INTER_WEIGHTED
// Of what stands there, of the prediction, and what is added to both, half a unit for rounding where
// anything is shifted out. With 14 bits times 128 twice and the offset it stays below 2^24: exact.
struct InterFactors {
    float first, second, added;
};

InterFactors inter_factors(uvec2 weights) {
    uint shift = unpack(weights.y, UPPER_HALF);
    float scale = 1.0 / float(1u << shift);
    return InterFactors(float(unpack_signed(weights.x, LOWER_HALF)) * scale,
                        float(unpack_signed(weights.x, UPPER_HALF)) * scale,
                        float(unpack_signed(weights.y, LOWER_HALF)) + (shift == 0u ? 0.0 : 0.5));
}

uint inter_combine(InterFactors factors, uint old, uint word) {
    const uint mask = (1u << INTER_SAMPLE_BITS) - 1u;
    uint result = 0;
    [[unroll]] for (int i = 0; i < 32; i += INTER_SAMPLE_BITS) {
        float sum = float(old >> i & mask) * factors.first +
                    float(word >> i & mask) * factors.second + factors.added;
        result |= uint(clamp(floor(sum), 0.0, float(push.sample_max))) << i;
    }
    return result;
}
#endif

uint inter_combined(InterTask task, uint old, uint word) {
#if INTER_MODE == INTER_WEIGHTED
    return inter_combine(inter_factors(task.weights), old, word);
#elif INTER_MODE == INTER_AVERAGE
    return inter_mean(old, word);
#else
    return word;
#endif
}

void inter_write(inout uint at, InterTask task, int count, uvec2 words) {
    if (count == 2) {
#if INTER_MODE != INTER_PUT
        uvec2 old = sample_pairs[at >> 1];
        words = uvec2(inter_combined(task, old.x, words.x), inter_combined(task, old.y, words.y));
#endif
        sample_pairs[at >> 1] = words;
    } else {
#if INTER_MODE != INTER_PUT
        words.x = inter_combined(task, samples[at], words.x);
#endif
        samples[at] = words.x;
    }
    at += task.stride;
}

// count is a constant in every call of what follows.

void inter_copy(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x, task.y, count);
    uint row = 0;
    do {
        inter_write(walk.at, task, count, inter_next_words(walk, task, count));
        inter_write(walk.at, task, count, inter_next_words(walk, task, count));
    } while ((row += 2) < task.rows);
}

void inter_across(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x - 2, task.y, count);
    uint row = 0;
    do {
        uint words[5];
        inter_next_across(walk, task, count, words);
        uvec2 result = inter_pack(inter_half(inter_sum_across(words)));
        uvec2 other = inter_whole(words, task.fraction_x == 3);
        result = inter_mean(result, task.fraction_x == 2 ? result : other);
        inter_write(walk.at, task, count, result);
    } while (++row < task.rows);
}

struct InterRows {
    INTER_ROW a, b, c, d, e;
};

InterRows inter_no_rows() {
    INTER_ROW none = INTER_ROW(0);
    return InterRows(none, none, none, none, none);
}

INTER_ROW inter_next_row(inout InterWalk walk, InterTask task, int count) {
    return inter_unpack(inter_next_words(walk, task, count));
}

void inter_down(InterTask task, int count) {
    InterWalk walk = inter_walk(task, task.x, task.y - 2, count);
    InterRows r;
    r.a = inter_next_row(walk, task, count);
    r.b = inter_next_row(walk, task, count);
    r.c = inter_next_row(walk, task, count);
    r.d = inter_next_row(walk, task, count);
    r.e = inter_next_row(walk, task, count);
    uint row = 0;
    do {
        INTER_ROW next = inter_next_row(walk, task, count);
        INTER_ROW sum = inter_lifted(inter_six(r.a, r.b, r.c, r.d, r.e, next));
        uvec2 result = inter_pack(inter_half(sum));
        uvec2 other = inter_pack(task.fraction_y == 3 ? r.d : r.c);
        result = inter_mean(result, task.fraction_y == 2 ? result : other);
        inter_write(walk.at, task, count, result);
        r = InterRows(r.b, r.c, r.d, r.e, next);
    } while (++row < task.rows);
}
