// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_INTRA_WHOLE_GLSL
#define H264_INTRA_WHOLE_GLSL

// 16x16 luma and chroma, each predicted as a whole, and PCM: sums of the samples around it, what
// follows from them, and then the samples, of which an invocation has some words.

uint intra_whole_mode(IntraItem item) { return item.modes_low & 15u; }

// Eight sums of the row above, then eight of the column on the left.
uint intra_sum_cell(IntraItem item, uint side, uint i) { return item.line + side * 8 + i; }

// What follows from the sums: cells of samples that are not there yet.
uint intra_result_cell(IntraItem item, uint i) { return item.corner + (1 + i) * INTRA_ROW + 5; }

// For ITU-T H.264 8.3.3.4 and 8.3.4.4 differences with their weights, else four samples each.
void intra_whole_sums(IntraItem item) {
    uint mode = intra_whole_mode(item);
    uint side = item.lane >> 3, i = item.lane & 7;
    if (side > 1 || mode == INTRA_WHOLE_HORIZONTAL || mode == INTRA_WHOLE_VERTICAL) return;
    uint edge = side > 0 ? intra_rows(item) : intra_is_chroma(item) ? 8 : 16;
    uint step = side > 0 ? INTRA_ROW : 1, sum = 0;
    if (mode == INTRA_WHOLE_PLANE) {
        uint middle = edge >> 1;
        if (i < middle)
            sum = (i + 1) * (cells[item.corner + (middle + 1 + i) * step] -
                             cells[item.corner + (middle - 1 - i) * step]);
    } else if (i < edge >> 2) {
        [[unroll]] for (uint j = 1; j <= 4; j++) sum += cells[item.corner + (i * 4 + j) * step];
    }
    cells[intra_sum_cell(item, side, i)] = sum;
}

// The gradient to the right, the one downwards, and the sum of the ends.
uint intra_plane_result(IntraItem item) {
    bool chroma = intra_is_chroma(item);
    uint rows = intra_rows(item), columns = chroma ? 8 : 16;
    if (item.lane > 1)
        return cells[item.corner + columns] + cells[item.corner + rows * INTRA_ROW];
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < 8; i++) sum += cells[intra_sum_cell(item, item.lane, i)];
    uint factor = (item.lane > 0 ? rows : columns) == 16 ? 5 : 34;
    return uint(int(sum * factor) + 32 >> 6);
}

// The mean of 16x16 luma, 8.3.3.3, or of a 4x4 block of chroma, 8.3.4.1 to 8.3.4.3.
uint intra_flat_result(IntraItem item) {
    uint of = item.modes_high >> item.lane * 2 & 3u, x = item.lane & 1, y = item.lane >> 1;
    bool left = (of & 1u) != 0, above = (of & 2u) != 0;
    uint sum = 0, bits = 2, count = 1;
    if (!intra_is_chroma(item)) {
        x = y = 0;
        bits = count = 4;
    }
    if (of == 0) return push.sample_max + 1 >> 1;
    [[dont_unroll]] for (uint i = 0; i < count; i++) {
        if (above) sum += cells[intra_sum_cell(item, 0, x + i)];
        if (left) sum += cells[intra_sum_cell(item, 1, y + i)];
    }
    bits += uint(above && left);
    return sum + (1u << bits >> 1) >> bits;
}

void intra_whole_results(IntraItem item) {
    uint mode = intra_whole_mode(item);
    if (item.lane > 7 || mode == INTRA_WHOLE_HORIZONTAL || mode == INTRA_WHOLE_VERTICAL) return;
    cells[intra_result_cell(item, item.lane)] =
        mode == INTRA_WHOLE_PLANE ? intra_plane_result(item) : intra_flat_result(item);
}

// Of a row from a sample on: (start + i * across) >> 5.
int intra_plane_start(IntraItem item, uint x, uint y, int across) {
    int down = int(cells[intra_result_cell(item, 1)]), ends = int(cells[intra_result_cell(item, 2)]);
    int middle_x = intra_is_chroma(item) ? 3 : 7, middle_y = int(intra_rows(item) >> 1) - 1;
    return ends * 16 + 16 + (int(x) - middle_x) * across + (int(y) - middle_y) * down;
}

// Sums that wrap have more bits than a sample. With 8 bits, none is negative.
uint intra_word(int values[INTRA_IN_WORD]) {
#if INTRA_DEPTH == 8
    uint even = uint(values[0] + (values[2] << 16)) & 0x00ff00ffu;
    uint odd = uint(values[1] + (values[3] << 16)) & 0x00ff00ffu;
    return even + (odd << 8);
#else
    return (uint(values[0]) & 0xffffu) + (uint(values[1]) << 16);
#endif
}

void intra_whole(IntraItem item) {
    uint mode = intra_whole_mode(item), row_log2 = intra_row_log2(item);
    bool chroma = intra_is_chroma(item);
    [[dont_unroll]] for (uint w = item.lane; w < intra_rows(item) << row_log2; w += item.lanes) {
        uint y = w >> row_log2, column = w & (1u << row_log2) - 1, x = column << INTRA_WORD_LOG2;
        uint block = (y >> 2) * (chroma ? 2 : 4) + (x >> 2);
        int values[INTRA_IN_WORD];
        if (mode == INTRA_WHOLE_VERTICAL) {
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
                values[i] = int(cells[item.corner + 1 + x + i]);
        } else {
            uint cell = mode == INTRA_WHOLE_HORIZONTAL ? item.corner + (y + 1) * INTRA_ROW
                        : mode == INTRA_WHOLE_PLANE    ? intra_result_cell(item, 0)
                                                       : intra_result_cell(item, chroma ? block : 0);
            int value = int(cells[cell]);
            if (mode == INTRA_WHOLE_PLANE) {
                int start = intra_plane_start(item, x, y, value);
                [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
                    values[i] = int(intra_clip(start + int(i) * value >> 5));
            } else {
                [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) values[i] = value;
            }
        }
        if ((item.coded >> block & 1u) != 0) {
            uint at = item.source + y * (chroma ? 4 : 8);
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
                values[i] = int(intra_sum(item, values[i] + intra_residual(at, x + i)));
        }
        samples[item.at + y * item.stride + column] = intra_word(values);
    }
}

// 8.3.5
void intra_pcm(IntraItem item) {
    uint row_log2 = intra_row_log2(item);
    [[dont_unroll]] for (uint w = item.lane; w < intra_rows(item) << row_log2; w += item.lanes)
        samples[item.at + (w >> row_log2) * item.stride + (w & (1u << row_log2) - 1)] =
            arena_words[item.source + w];
}

#endif
