// SPDX-License-Identifier: BSD-2-Clause
// Proves that the FFmpeg tables exist and are what they claim to be: SIMD and C functions are
// different functions, change samples, and agree bit for bit on legal inputs. With --break one
// sample of each SIMD result is altered before the comparison, so the program must fail.
#include "ffdsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kStride = 64, kRows = 32, kBytes = kStride * kRows, kRounds = 200 };

typedef struct Pair {
    _Alignas(64) uint8_t c[kBytes];
    _Alignas(64) uint8_t simd[kBytes];
    _Alignas(64) int16_t block_c[64];
    _Alignas(64) int16_t block_simd[64];
    uint8_t before[kBytes];
} Pair;

static int break_results;
static uint32_t state = 1;

static uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int between(int low, int high) {
    return low + (int)(next() % (uint32_t)(high - low + 1));
}

// A slope with little noise on it, so that filters neither skip every line nor saturate.
static void fill_samples(Pair *pair) {
    const int base = between(40, 200), step = between(-2, 2), noise = between(0, 6);
    for (int i = 0; i < kBytes; i++) {
        int value = base + step * (i % kStride) / 4 + between(0, noise);
        pair->before[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    memcpy(pair->c, pair->before, kBytes);
    memcpy(pair->simd, pair->before, kBytes);
}

static void fill_block(Pair *pair, const int16_t *scan, int count, int limit) {
    memset(pair->block_c, 0, sizeof(pair->block_c));
    for (int i = 0; i < count; i++) {
        pair->block_c[scan ? scan[i] : i] = (int16_t)between(-limit, limit);
    }
    if (pair->block_c[0] == 0) pair->block_c[0] = (int16_t)limit;
    memcpy(pair->block_simd, pair->block_c, sizeof(pair->block_c));
}

// Counts a round as failed when the two differ, in samples or in what is left of the block.
static int differs(Pair *pair, int *changed) {
    ffdsp_emms();
    if (break_results) pair->simd[kStride * 8 + 8] ^= 1;
    *changed += memcmp(pair->c, pair->before, kBytes) != 0;
    return memcmp(pair->c, pair->simd, kBytes) != 0 ||
           memcmp(pair->block_c, pair->block_simd, sizeof(pair->block_c)) != 0;
}

static int report(const char *name, int wrong, int changed, int same_function) {
    const int simd_expected = ffdsp_cpu_flags() != 0;
    const int failed = wrong || !changed || (same_function && simd_expected);
    printf("%-24s %s: %d of %d rounds differ, %d changed samples%s\n", name, failed ? "FAIL" : "ok",
           wrong, kRounds, changed, same_function ? ", SIMD and C are one function" : "");
    return failed;
}

static int check_vp9_itxfm(Pair *pair) {
    const FfdspVp9 *c = ffdsp_vp9(8, 0), *simd = ffdsp_vp9(8, 1);
    const int16_t *scan = ffdsp_vp9_scan(1, 0);
    int wrong = 0, changed = 0;
    for (int i = 0; i < kRounds; i++) {
        const int eob = i < 64 ? i + 1 : between(1, 64);
        fill_samples(pair);
        fill_block(pair, scan, eob, 300);
        c->itxfm_add[1][0](pair->c + kStride * 8 + 8, kStride, pair->block_c, eob);
        simd->itxfm_add[1][0](pair->simd + kStride * 8 + 8, kStride, pair->block_simd, eob);
        wrong += differs(pair, &changed);
    }
    return report("vp9 8x8 dct_dct", wrong, changed, c->itxfm_add[1][0] == simd->itxfm_add[1][0]);
}

// width 16 is taken from loop_filter_16: x86 has no 8-bit SIMD for loop_filter_8[2].
static FfdspVp9LoopFilter vp9_loop_filter(const FfdspVp9 *table, int wide, int rows) {
    return wide < 2 ? table->loop_filter_8[wide][rows] : table->loop_filter_16[rows];
}

static int check_vp9_loop_filter(Pair *pair, int wide, int rows) {
    const FfdspVp9LoopFilter c = vp9_loop_filter(ffdsp_vp9(8, 0), wide, rows);
    const FfdspVp9LoopFilter simd = vp9_loop_filter(ffdsp_vp9(8, 1), wide, rows);
    char name[40];
    int wrong = 0, changed = 0;
    memset(pair->block_simd, 0, sizeof(pair->block_simd));
    memset(pair->block_c, 0, sizeof(pair->block_c));
    for (int i = 0; i < kRounds; i++) {
        const int mb_lim = between(1, 120), lim = between(1, 40), hev_thr = between(0, 4);
        fill_samples(pair);
        c(pair->c + kStride * 8 + 16, kStride, mb_lim, lim, hev_thr);
        simd(pair->simd + kStride * 8 + 16, kStride, mb_lim, lim, hev_thr);
        wrong += differs(pair, &changed);
    }
    snprintf(name, sizeof(name), "vp9 loop filter %d %s", 4 << wide, rows ? "v" : "h");
    return report(name, wrong, changed, c == simd);
}

static int check_h264_idct4(Pair *pair) {
    const FfdspH264 *c = ffdsp_h264(8, 1, 0), *simd = ffdsp_h264(8, 1, 1);
    int wrong = 0, changed = 0;
    for (int i = 0; i < kRounds; i++) {
        fill_samples(pair);
        fill_block(pair, NULL, 16, 400);
        c->idct_add(pair->c + kStride * 8 + 8, pair->block_c, kStride);
        simd->idct_add(pair->simd + kStride * 8 + 8, pair->block_simd, kStride);
        wrong += differs(pair, &changed);
    }
    return report("h264 idct4", wrong, changed, c->idct_add == simd->idct_add);
}

static int check_h264_loop_filter(Pair *pair, int horizontal_edge) {
    const FfdspH264 *tables[2] = {ffdsp_h264(8, 1, 0), ffdsp_h264(8, 1, 1)};
    FfdspH264LoopFilter filter[2];
    int wrong = 0, changed = 0;
    for (int i = 0; i < 2; i++) {
        filter[i] = horizontal_edge ? tables[i]->v_loop_filter_luma : tables[i]->h_loop_filter_luma;
    }
    for (int i = 0; i < kRounds; i++) {
        int8_t tc0[4];
        const int alpha = between(4, 255), beta = between(2, 18), offset = kStride * 8 + 16;
        for (int k = 0; k < 4; k++)
            tc0[k] = (int8_t)between(-1, 25);
        fill_samples(pair);
        filter[0](pair->c + offset, kStride, alpha, beta, tc0);
        filter[1](pair->simd + offset, kStride, alpha, beta, tc0);
        wrong += differs(pair, &changed);
    }
    return report(horizontal_edge ? "h264 luma filter v" : "h264 luma filter h", wrong, changed,
                  filter[0] == filter[1]);
}

int main(int argc, char **argv) {
    static Pair pair;
    int failed = 0;
    break_results = argc > 1 && strcmp(argv[1], "--break") == 0;
    printf("FFmpeg %s, CPU flags: %s\n", ffdsp_version(), ffdsp_cpu_flag_names());
    failed += check_vp9_itxfm(&pair);
    for (int wide = 0; wide < 3; wide++) {
        for (int rows = 0; rows < 2; rows++)
            failed += check_vp9_loop_filter(&pair, wide, rows);
    }
    failed += check_h264_idct4(&pair);
    for (int edge = 0; edge < 2; edge++)
        failed += check_h264_loop_filter(&pair, edge);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
