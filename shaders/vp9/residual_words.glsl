// SPDX-License-Identifier: BSD-2-Clause
#ifndef VP9_RESIDUAL_WORDS_GLSL
#define VP9_RESIDUAL_WORDS_GLSL

layout(std430, set = 0, binding = 1) readonly buffer ArenaWords {
    uint arena_words[];
};

// 8.6.2. The caller cuts it to 16 bits where samples have 8, as decoders keep coefficients.
int residual_dequantised(ResidualTask task, uint word, uint n_log2) {
    bool dc = unpack(word, COEFFICIENT_PLACE) == 0;
    int factor = unpack_signed(dc ? task.factors << 16 : task.factors, UPPER_HALF);
    int value = unpack_signed(word, COEFFICIENT_VALUE) * factor;
    return n_log2 == 5 ? value - (value >> 31) >> 1 : value;
}

// Spreads the coefficients of each block over its cells, where the kernels look for them. With 8
// bits a cell has two: below each other, of 32x32 blocks side by side. Above, 32x32 blocks have the
// even columns of a row before the odd ones.
void residual_unpack(ResidualTask task) {
    uint n_log2 = unpack(task.group, RESIDUAL_WORDS_EDGE_LOG2);
    uint edge_log2 = unpack(task.group, RESIDUAL_WORDS_CORNER_LOG2);
    if (edge_log2 == 0) return;
    uint lanes = 1u << unpack(task.group, RESIDUAL_GROUP_LANES_LOG2), edge = 1u << edge_log2;
    bool large = n_log2 == 5;
#if RESIDUAL_DEPTH == 8
    uint halves = large ? 0 : 1;
#else
    uint halves = 0;
#endif
    uint cell = task.block << 2 * n_log2 - halves;
    for (uint i = task.lane; i < edge << n_log2 - halves; i += lanes) cells[cell + i] = 0;
    barrier();
    for (uint i = task.lane; i < task.count; i += lanes) {
        uint word = arena_words[push.coefficients + task.source + i];
        uint column = unpack(word, COEFFICIENT_PLACE) >> n_log2, row = word & (1u << n_log2) - 1;
        uint value = uint(residual_dequantised(task, word, n_log2));
        if ((row | column) >= edge) continue;
#if RESIDUAL_DEPTH == 8
        uint at = large ? (row << 5) + (column >> 1) : (row >> 1 << n_log2) + column;
        uint upper = (large ? column : row) & 1u;
        atomicOr(cells[cell + at], (value & 0xffffu) << upper * 16);
#else
        uint at = large ? (row << 5) + (column >> 1) + (column & 1u) * 16 : (row << n_log2) + column;
        atomicOr(cells[cell + at], value);
#endif
    }
    barrier();
}

#endif
