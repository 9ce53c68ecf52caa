// SPDX-License-Identifier: BSD-2-Clause
// Puts libv3doff's functions into the tables that FFmpeg's checkasm asks FFmpeg for. The linker
// sends checkasm's calls of ff_*dsp_init here (--wrap), so FFmpeg's sources stay as they are.
//
// checkasm first requests tables without CPU flags: it gets FFmpeg's C code, its reference. For any
// request with flags it gets the same C code, with libv3doff's functions in place of those that the
// library has. So only libv3doff is tested, each function once.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libavcodec/h264dsp.h"
#include "libavcodec/vp9dsp.h"
#include "libavutil/cpu.h"
#include "v3doff/h264dsp.h"
#include "v3doff/vp9dsp.h"

static void *library(void) {
    static void *handle;
    const char *path = getenv("V3DOFF_LIBRARY");
    if (!handle) handle = dlopen(path ? path : "libv3doff.so.0", RTLD_NOW);
    if (!handle) {
        fprintf(stderr, "checkasm: %s\n", dlerror());
        exit(2);
    }
    return handle;
}

static void *function(const char *name) {
    void *found = dlsym(library(), name);
    if (!found) {
        fprintf(stderr, "checkasm: libv3doff has no %s\n", name);
        exit(2);
    }
    return found;
}

// Lines of the log at warning level and above: why the CPU did something.
static void show(void *opaque, v3doff_log_level level, const char *line) {
    (void)opaque;
    (void)level;
    fprintf(stderr, "libv3doff: %s\n", line);
}

static void begin(void) {
    static int begun;
    if (begun++) return;
    v3doff_result (*log_add)(v3doff_log_callback, void *, v3doff_log_level) =
        function("v3doff_log_add");
    log_add(show, NULL, V3DOFF_LOG_WARNING);
}

// Read by tools/checkasm: a silent fallback to the CPU is a failure there.
__attribute__((destructor)) static void end(void) {
    v3doff_result (*get_counts)(v3doff_dsp_counts *) = function("v3doff_dsp_get_counts");
    v3doff_dsp_counts counts = {.struct_size = sizeof counts};
    get_counts(&counts);
    fprintf(stderr,
            "libv3doff: calls on the device: %llu, too large for it: %llu, on the CPU: %llu\n",
            (unsigned long long)counts.at_once_gpu, (unsigned long long)counts.at_once_large,
            (unsigned long long)counts.at_once_cpu);
}

// Members that the library does not have stay FFmpeg's C functions.
static void take(void *to, const void *from, size_t bytes) {
    void *const *functions = from;
    void **members = to;
    for (size_t n = 0; n < bytes / sizeof *functions; n++)
        if (functions[n]) members[n] = functions[n];
}
#define TAKE(to, from)                                                                             \
    do {                                                                                           \
        _Static_assert(sizeof(to) == sizeof(from), "other dimensions");                            \
        take(&(to), &(from), sizeof(to));                                                          \
    } while (0)

// A function that is wrong on purpose.
static void wrong_itxfm_add(uint8_t *dst, ptrdiff_t stride, int16_t *block, int eob) {
    (void)dst;
    (void)stride;
    (void)eob;
    memset(block, 0, 16 * sizeof *block);
}

void __real_ff_vp9dsp_init(VP9DSPContext *dsp, int bpp, int bitexact);
void __wrap_ff_vp9dsp_init(VP9DSPContext *dsp, int bpp, int bitexact) {
    const int flags = av_get_cpu_flags();
    av_force_cpu_flags(0);
    __real_ff_vp9dsp_init(dsp, bpp, bitexact);
    av_force_cpu_flags(flags);
    if (!flags) return;
    begin();
    v3doff_result (*init)(v3doff_vp9dsp *, uint32_t) = function("v3doff_vp9dsp_init");
    v3doff_vp9dsp ours = {.struct_size = sizeof ours};
    if (init(&ours, (uint32_t)bpp) != V3DOFF_OK) exit(2);
    TAKE(dsp->itxfm_add, ours.itxfm_add);
    TAKE(dsp->loop_filter_8, ours.loop_filter_8);
    TAKE(dsp->loop_filter_16, ours.loop_filter_16);
    TAKE(dsp->loop_filter_mix2, ours.loop_filter_mix2);
    TAKE(dsp->mc, ours.mc);
    TAKE(dsp->smc, ours.smc);
    const char *wrong = getenv("V3DOFF_CHECKASM_WRONG");
    if (wrong && *wrong && bpp == 8) dsp->itxfm_add[0][0] = wrong_itxfm_add;
}

static void wrong_idct_add(uint8_t *dst, int16_t *block, int stride) {
    (void)dst;
    (void)stride;
    memset(block, 0, 16 * sizeof *block);
}

// From 8.0 on FFmpeg's names lack the h264_ in front (see tools/checkasm).
#if FFMPEG_H264_PREFIX
#define THEIRS(name) h264_##name
#else
#define THEIRS(name) name
#endif
#define TAKE_H264(name) TAKE(dsp->THEIRS(name), ours.h264_##name)

static void take_h264(H264DSPContext *dsp, const v3doff_h264dsp *table) {
    const v3doff_h264dsp ours = *table;
    TAKE_H264(v_loop_filter_luma);
    TAKE_H264(h_loop_filter_luma);
    TAKE_H264(h_loop_filter_luma_mbaff);
    TAKE_H264(v_loop_filter_luma_intra);
    TAKE_H264(h_loop_filter_luma_intra);
    TAKE_H264(h_loop_filter_luma_mbaff_intra);
    TAKE_H264(v_loop_filter_chroma);
    TAKE_H264(h_loop_filter_chroma);
    TAKE_H264(h_loop_filter_chroma_mbaff);
    TAKE_H264(v_loop_filter_chroma_intra);
    TAKE_H264(h_loop_filter_chroma_intra);
    TAKE_H264(h_loop_filter_chroma_mbaff_intra);
    TAKE_H264(idct_add);
    TAKE_H264(idct8_add);
    TAKE_H264(idct_dc_add);
    TAKE_H264(idct8_dc_add);
    TAKE_H264(idct_add16);
    TAKE_H264(idct8_add4);
    TAKE_H264(idct_add8);
    TAKE_H264(idct_add16intra);
    TAKE_H264(luma_dc_dequant_idct);
    TAKE_H264(chroma_dc_dequant_idct);
    TAKE_H264(add_pixels8_clear);
    TAKE_H264(add_pixels4_clear);
}

void __real_ff_h264dsp_init(H264DSPContext *dsp, const int bit_depth, const int chroma_format_idc);
void __wrap_ff_h264dsp_init(H264DSPContext *dsp, const int bit_depth, const int chroma_format_idc) {
    const int flags = av_get_cpu_flags();
    av_force_cpu_flags(0);
    __real_ff_h264dsp_init(dsp, bit_depth, chroma_format_idc);
    av_force_cpu_flags(flags);
    if (!flags) return;
    begin();
    v3doff_result (*init)(v3doff_h264dsp *, uint32_t, uint32_t) = function("v3doff_h264dsp_init");
    v3doff_h264dsp ours = {.struct_size = sizeof ours};
    if (init(&ours, (uint32_t)bit_depth, (uint32_t)chroma_format_idc) != V3DOFF_OK) exit(2);
    take_h264(dsp, &ours);
    const char *wrong = getenv("V3DOFF_CHECKASM_WRONG");
    if (wrong && *wrong && bit_depth == 8) dsp->THEIRS(idct_add) = wrong_idct_add;
}
