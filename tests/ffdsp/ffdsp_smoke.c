// SPDX-License-Identifier: BSD-2-Clause
// Whether FFmpeg's functions can be called, and those with SIMD are others than those in C. That
// both give the same bits is for v3doff check. With --break only C's are taken, so the program must
// fail.
#include "ffdsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;

#define DIFFER(c, simd, function)                                                                  \
    do {                                                                                           \
        const int differ = (c)->function != (simd)->function;                                      \
        printf("%-24s %s\n", #function, differ ? "ok" : "FAIL: SIMD and C are one function");      \
        failed |= !differ;                                                                         \
    } while (0)

// A flat residual of 1 (8.7.1), in the block's place alone.
static void check_call(const FfdspVp9 *functions, const char *name) {
    _Alignas(64) uint8_t samples[16 * 64] = {0};
    _Alignas(64) int16_t block[64] = {64};
    int sum = 0;
    functions->itxfm_add[1][0](samples + 4 * 64 + 16, 64, block, 1);
    ffdsp_emms();
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 64; x++)
            sum += samples[y * 64 + x] * (y >= 4 && y < 12 && x >= 16 && x < 24 ? 1 : 1000);
    printf("%-24s %s: a sum of %d\n", name, sum == 64 ? "ok" : "FAIL", sum);
    failed |= sum != 64 || block[0];
}

int main(int argc, char **argv) {
    const int simd = argc < 2 || strcmp(argv[1], "--break") != 0;
    const FfdspVp9 *vp9[2] = {ffdsp_vp9(8, 0), ffdsp_vp9(8, simd)};
    const FfdspH264 *h264[2] = {ffdsp_h264(8, 1, 0), ffdsp_h264(8, 1, simd)};
    printf("FFmpeg %s, CPU flags: %s\n", ffdsp_version(), ffdsp_cpu_flag_names());
    check_call(vp9[0], "C");
    check_call(vp9[1], "SIMD");
    if (!ffdsp_cpu_flags()) return failed;
    DIFFER(vp9[0], vp9[1], itxfm_add[1][0]);
    for (int rows = 0; rows < 2; rows++) {
        DIFFER(vp9[0], vp9[1], loop_filter_8[0][rows]);
        DIFFER(vp9[0], vp9[1], loop_filter_8[1][rows]);
        DIFFER(vp9[0], vp9[1], loop_filter_16[rows]); // x86 has none at 8 bits for loop_filter_8[2]
    }
    DIFFER(h264[0], h264[1], idct_add);
    DIFFER(h264[0], h264[1], v_loop_filter_luma);
    DIFFER(h264[0], h264[1], h_loop_filter_luma);
    return failed;
}
