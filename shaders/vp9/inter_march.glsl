// SPDX-License-Identifier: BSD-2-Clause
// Blocks that read inside the reference only: an invocation goes down its columns, four rows in a
// step, with the last seven rows of the filter across in registers.

// Words to read for `count` words of a row, and how many of them remain once they are aligned.
#if INTER_DEPTH == 8
int inter_aligned(int count, bool across) { return count + (across ? 2 : 0); }
int inter_read(int count, bool across) { return inter_aligned(count, across) + 1; }
#else
int inter_aligned(int count, bool across) { return count + (across ? 4 : 0); }
int inter_read(int count, bool across) { return count + (across ? 4 : 1); }
#endif

struct InterWalk {
    uint from, at; // words
    uint shift;    // bits between words and samples
};

// The words from `from` on, out of whole vectors: V3D's cost is that of each access, and of each
// line of the cache that it touches.
void inter_load_quads(uint from, out uint raw[7]) {
    uint quad = from >> 2;
    uvec4 a = reference_quads[quad], b = reference_quads[quad + 1u];
    bool two = (from & 2u) != 0, one = (from & 1u) != 0;
    uvec4 low = two ? uvec4(a.zw, b.xy) : a;
    uvec2 high = two ? b.zw : b.xy;
    uint words[6] = {low.x, low.y, low.z, low.w, high.x, high.y};
    [[unroll]] for (int i = 0; i < 5; i++) raw[i] = one ? words[i + 1] : words[i];
}
void inter_load_pairs(uint from, out uint raw[7]) {
    uvec2 a = reference_pairs[from >> 1], b = reference_pairs[(from >> 1) + 1u];
    bool one = (from & 1u) != 0;
    raw[0] = one ? a.y : a.x;
    raw[1] = one ? b.x : a.y;
    raw[2] = one ? b.y : b.x;
}

void inter_read_row(inout InterWalk walk, InterTask task, int count, bool across, out uint words[6]) {
    uint raw[7];
    int reads = inter_read(count, across);
    if (count == 2 && reads == 5)
        inter_load_quads(walk.from, raw);
    else if (count == 2 && reads == 3)
        inter_load_pairs(walk.from, raw);
    else
        [[unroll]] for (int i = 0; i < 7; i++)
            raw[i] = i < reads ? reference[walk.from + uint(i)] : 0u;
    [[unroll]] for (int i = 0; i < 6; i++)
        words[i] = i < inter_aligned(count, across) ? inter_funnel(raw[i], raw[i + 1], walk.shift) : 0u;
    walk.from += task.from_stride;
}

INTER_ROW inter_next_row(inout InterWalk walk, InterTask task, int count, bool across, InterTaps taps) {
    uint words[6];
    inter_read_row(walk, task, count, across, words);
    if (across) return inter_filter_across(words, taps);
    return inter_spread(words);
}

void inter_write(inout InterWalk walk, InterTask task, int count, uvec2 words) {
    if (count == 2) {
#if INTER_AVERAGE
        words.x = inter_average(words.x, sample_pairs[walk.at >> 1].x);
        words.y = inter_average(words.y, sample_pairs[walk.at >> 1].y);
#endif
        sample_pairs[walk.at >> 1] = words;
    } else {
#if INTER_AVERAGE
        words.x = inter_average(words.x, samples[walk.at]);
#endif
        samples[walk.at] = words.x;
    }
    walk.at += task.stride;
}

// across, down and count are constants in every call.
void inter_march(InterTask task, int count, bool across, bool down) {
    int x = task.x - (across ? 3 : 0), y = task.y - (down ? 3 : 0);
    InterWalk walk;
    walk.shift = uint(x & (INTER_SAMPLES - 1)) * uint(INTER_SAMPLE_BITS);
    walk.from = task.from + uint(y) * task.from_stride + uint(x / INTER_SAMPLES);
    walk.at = task.at;
    InterTaps taps_across = inter_unpack_taps(task.across), taps_down = inter_unpack_taps(task.down);
    if (down) {
        InterSums sums = inter_no_sums();
        for (uint row = 0; row < task.rows + 7; row++) {
            INTER_ROW result =
                inter_add_row(sums, inter_next_row(walk, task, count, across, taps_across), taps_down);
            if (row >= 7) inter_write(walk, task, count, inter_pack(result));
        }
        return;
    }
    for (uint row = 0; row < task.rows; row += 4) {
        [[unroll]] for (int step = 0; step < 4; step++) {
            if (across) {
                inter_write(walk, task, count,
                         inter_pack(inter_next_row(walk, task, count, true, taps_across)));
            } else {
                uint words[6];
                inter_read_row(walk, task, count, false, words);
                inter_write(walk, task, count, uvec2(words[0], words[1]));
            }
        }
    }
}
