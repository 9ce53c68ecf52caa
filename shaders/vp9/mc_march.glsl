// SPDX-License-Identifier: BSD-2-Clause
// Blocks that read inside the reference only: an invocation goes down its columns, four rows in a
// step, with the last seven rows of the filter across in registers.

// Words to read for `count` words of a row, and how many of them remain once they are aligned.
#if MC_DEPTH == 8
int mc_aligned(int count, bool across) { return count + (across ? 2 : 0); }
int mc_read(int count, bool across) { return mc_aligned(count, across) + 1; }
#else
int mc_aligned(int count, bool across) { return count + (across ? 4 : 0); }
int mc_read(int count, bool across) { return count + (across ? 4 : 1); }
#endif

struct McWalk {
    uint from, at; // words
    uint shift;    // bits between words and samples
};

void mc_read_row(inout McWalk walk, McTask task, int count, bool across, out uint words[6]) {
    uint raw[7];
    int reads = mc_read(count, across);
    [[unroll]] for (int i = 0; i < 7; i++)
        raw[i] = i < reads ? reference[walk.from + uint(i)] : 0u;
    [[unroll]] for (int i = 0; i < 6; i++)
        words[i] = i < mc_aligned(count, across) ? mc_funnel(raw[i], raw[i + 1], walk.shift) : 0u;
    walk.from += task.from_stride;
}

MC_ROW mc_next_row(inout McWalk walk, McTask task, int count, bool across, McTaps taps) {
    uint words[6];
    mc_read_row(walk, task, count, across, words);
    if (across) return mc_filter_across(words, taps);
    return mc_spread(words);
}

void mc_write(inout McWalk walk, McTask task, int count, uvec2 words) {
    if (count == 2) {
#if MC_AVERAGE
        words.x = mc_average(words.x, sample_pairs[walk.at >> 1].x);
        words.y = mc_average(words.y, sample_pairs[walk.at >> 1].y);
#endif
        sample_pairs[walk.at >> 1] = words;
    } else {
#if MC_AVERAGE
        words.x = mc_average(words.x, samples[walk.at]);
#endif
        samples[walk.at] = words.x;
    }
    walk.at += task.stride;
}

// across, down and count are constants in every call.
void mc_march(McTask task, int count, bool across, bool down) {
    int x = task.x - (across ? 3 : 0), y = task.y - (down ? 3 : 0);
    McWalk walk;
    walk.shift = uint(x & (MC_SAMPLES - 1)) * uint(MC_SAMPLE_BITS);
    walk.from = task.from + uint(y) * task.from_stride + uint(x / MC_SAMPLES);
    walk.at = task.at;
    McTaps taps_across = mc_unpack_taps(task.across), taps_down = mc_unpack_taps(task.down);
    if (down) {
        McSums sums = mc_no_sums();
        for (uint row = 0; row < task.rows + 7; row++) {
            MC_ROW result =
                mc_add_row(sums, mc_next_row(walk, task, count, across, taps_across), taps_down);
            if (row >= 7) mc_write(walk, task, count, mc_pack(result));
        }
        return;
    }
    for (uint row = 0; row < task.rows; row += 4) {
        [[unroll]] for (int step = 0; step < 4; step++) {
            if (across) {
                mc_write(walk, task, count,
                         mc_pack(mc_next_row(walk, task, count, true, taps_across)));
            } else {
                uint words[6];
                mc_read_row(walk, task, count, false, words);
                mc_write(walk, task, count, uvec2(words[0], words[1]));
            }
        }
    }
}
