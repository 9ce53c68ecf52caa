// SPDX-License-Identifier: BSD-2-Clause
#ifndef H264_INTRA_WHOLE_GLSL
#define H264_INTRA_WHOLE_GLSL

// 16x16 luma and chroma, each predicted as a whole, and PCM. An invocation has some words.

// Sums of an item, in its cells of INTRA_LINES: 8 of the row above, then 8 of the column on the
// left, and those of Cr behind them.
uint intra_sums(IntraItem item, uint plane, uint side) { return item.line + plane * 16 + side * 8; }

// What the sums count: for ITU-T H.264 8.3.3.4 and 8.3.4.4 differences with their weights, else
// four samples each.
void intra_whole_sums(IntraItem item) {
    uint mode = item.modes_low & 15u;
    uint plane = item.lane >> 4, side = item.lane >> 3 & 1, k = item.lane & 7;
    bool chroma = intra_is_chroma(item);
    if (plane > uint(chroma) || mode == INTRA_WHOLE_HORIZONTAL || mode == INTRA_WHOLE_VERTICAL ||
        mode == INTRA_WHOLE_DC_128)
        return;
    uint edge = !chroma ? 16 : side == 0 ? 8 : push.chroma_rows;
    uint step = side == 0 ? 1 : INTRA_ROW;
    uint corner = item.corner + plane * INTRA_SECOND, sum = 0;
    if (mode == INTRA_WHOLE_PLANE) {
        uint middle = edge >> 1;
        if (k < middle)
            sum = (k + 1) * (cells[corner + (middle + 1 + k) * step] -
                             cells[corner + (middle - 1 - k) * step]);
    } else if (k < edge >> 2) {
        [[unroll]] for (uint i = 1; i <= 4; i++) sum += cells[corner + (k * 4 + i) * step];
    }
    cells[intra_sums(item, plane, side) + k] = sum;
}

int intra_sum_of_eight(uint cell) {
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < 8; i++) sum += cells[cell + i];
    return int(sum);
}

// A sample is (start + x * across + y * down) >> 5.
struct IntraGradient {
    int start, across, down;
};

IntraGradient intra_gradient(IntraItem item, uint plane) {
    bool chroma = intra_is_chroma(item);
    uint width = chroma ? 8 : 16, height = chroma ? push.chroma_rows : 16;
    uint corner = item.corner + plane * INTRA_SECOND;
    IntraGradient gradient;
    gradient.across = intra_sum_of_eight(intra_sums(item, plane, 0)) * (width == 16 ? 5 : 34) + 32 >> 6;
    gradient.down = intra_sum_of_eight(intra_sums(item, plane, 1)) * (height == 16 ? 5 : 34) + 32 >> 6;
    uint ends = cells[corner + width] + cells[corner + height * INTRA_ROW];
    gradient.start = int(ends * 16 + 16) - gradient.across * (int(width >> 1) - 1) -
                     gradient.down * (int(height >> 1) - 1);
    return gradient;
}

// The mean of which a 4x4 block is made, 8.3.3.3 and 8.3.4.1 to 8.3.4.3; x and y count blocks.
uint intra_whole_flat(IntraItem item, uint mode, uint plane, uint x, uint y) {
    if (mode == INTRA_WHOLE_DC_128) return push.sample_max + 1 >> 1;
    bool above = mode != INTRA_WHOLE_DC_LEFT, left = mode != INTRA_WHOLE_DC_ABOVE;
    uint sums = intra_sums(item, plane, 0), sum = 0, bits = 4;
    if (intra_is_chroma(item)) {
        // At the border one side alone counts, where there are both.
        bool both = above && left;
        above = above && !(both && x == 0 && y > 0);
        left = left && !(both && x > 0 && y == 0);
        if (above) sum += cells[sums + x];
        if (left) sum += cells[sums + 8 + y];
        bits = 2;
    } else {
        [[unroll]] for (uint i = 0; i < 4; i++) {
            if (above) sum += cells[sums + i];
            if (left) sum += cells[sums + 8 + i];
        }
    }
    bits += uint(above && left);
    return sum + (1u << bits >> 1) >> bits;
}

// Words of an item: of a row, of a plane, of all, and where its residuals are.
struct IntraShape {
    uint row_log2, plane_words, words;
    uint residual_row; // words
};

IntraShape intra_shape(IntraItem item) {
    bool chroma = intra_is_chroma(item);
    IntraShape shape;
    shape.row_log2 = (chroma ? 3 : 4) - INTRA_WORD_LOG2;
    shape.plane_words = (chroma ? push.chroma_rows : 16) << shape.row_log2;
    shape.words = shape.plane_words << uint(chroma);
    shape.residual_row = chroma ? 4 : 8;
    return shape;
}

void intra_whole(IntraItem item) {
    uint mode = item.modes_low & 15u;
    IntraShape shape = intra_shape(item);
    [[dont_unroll]] for (uint w = item.lane; w < shape.words; w += INTRA_LANES) {
        uint plane = uint(w >= shape.plane_words), in_plane = w - (plane != 0 ? shape.plane_words : 0);
        uint y = in_plane >> shape.row_log2, column = in_plane & (1u << shape.row_log2) - 1;
        uint x = column << INTRA_WORD_LOG2;
        uint corner = item.corner + plane * INTRA_SECOND;
        int values[INTRA_IN_WORD];
        if (mode == INTRA_WHOLE_VERTICAL) {
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) values[i] = int(cells[corner + 1 + x + i]);
        } else if (mode == INTRA_WHOLE_PLANE) {
            IntraGradient gradient = intra_gradient(item, plane);
            int value = gradient.start + int(x) * gradient.across + int(y) * gradient.down;
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
                values[i] = int(intra_clip(value + int(i) * gradient.across >> 5));
        } else {
            uint value = mode == INTRA_WHOLE_HORIZONTAL
                             ? cells[corner + (y + 1) * INTRA_ROW]
                             : intra_whole_flat(item, mode, plane, x >> 2, y >> 2);
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) values[i] = int(value);
        }
        uint block = (y >> 2) * (shape.residual_row >> 1) + (x >> 2) + plane * 8;
        if ((item.coded >> block & 1u) != 0) {
            uint at = item.source + (plane * push.chroma_rows + y) * shape.residual_row;
            [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++)
                values[i] = int(intra_clip(values[i] + intra_residual(at, x + i)));
        }
        uint word = 0;
        [[unroll]] for (uint i = 0; i < INTRA_IN_WORD; i++) word += uint(values[i]) << i * INTRA_BITS;
        uvec2 place = intra_place(item, item.plane + plane);
        samples[place.x + y * place.y + column] = word;
    }
}

// 8.3.5
void intra_pcm(IntraItem item) {
    IntraShape shape = intra_shape(item);
    [[dont_unroll]] for (uint w = item.lane; w < shape.words; w += INTRA_LANES) {
        uint plane = uint(w >= shape.plane_words), in_plane = w - (plane != 0 ? shape.plane_words : 0);
        uint y = in_plane >> shape.row_log2, column = in_plane & (1u << shape.row_log2) - 1;
        uvec2 place = intra_place(item, item.plane + plane);
        samples[place.x + y * place.y + column] = arena_words[item.source + w];
    }
}

#endif
