// SPDX-License-Identifier: BSD-2-Clause
// FFmpeg's version and CPU flags, and the lock under which tables are initialised.
#include "ffdsp_internal.h"

#include <pthread.h>
#include <stdio.h>

#include "config.h"
#include "libavutil/avutil.h"
#include "libavutil/cpu.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int saved_flags;

void ffdsp_lock(int simd) {
    pthread_mutex_lock(&lock);
    saved_flags = av_get_cpu_flags();
    if (!simd) av_force_cpu_flags(0);
}

void ffdsp_unlock(void) {
    av_force_cpu_flags(saved_flags);
    pthread_mutex_unlock(&lock);
}

const char *ffdsp_version(void) {
    return av_version_info();
}

int ffdsp_cpu_flags(void) {
    ffdsp_lock(1);
    const int flags = saved_flags;
    ffdsp_unlock();
    return flags;
}

// Those with a last column are sets of vector instructions that whole functions are written in,
// the widest last.
#define FLAG(name)                                                                                 \
    { AV_CPU_FLAG_##name, #name, NULL }
#define VECTORS(name, text)                                                                        \
    { AV_CPU_FLAG_##name, #name, text }

static const struct {
    int flag;
    const char *name, *vectors;
} flag_names[] = {
#if ARCH_X86
    VECTORS(MMX, "mmx"),
    VECTORS(MMXEXT, "mmxext"),
    FLAG(SSE),
    VECTORS(SSE2, "sse2"),
    VECTORS(SSE3, "sse3"),
    VECTORS(SSSE3, "ssse3"),
    VECTORS(SSE4, "sse4"),
    VECTORS(SSE42, "sse4.2"),
    VECTORS(AVX, "avx"),
    FLAG(FMA3),
    VECTORS(AVX2, "avx2"),
    VECTORS(AVX512, "avx512"),
    VECTORS(AVX512ICL, "avx512icl"),
#elif ARCH_AARCH64
    FLAG(ARMV8),     VECTORS(NEON, "neon"),
#ifdef AV_CPU_FLAG_DOTPROD
    FLAG(DOTPROD),
#endif
#ifdef AV_CPU_FLAG_I8MM
    FLAG(I8MM),
#endif
#elif ARCH_ARM
    FLAG(ARMV6),
    FLAG(VFPV3),
    VECTORS(NEON, "neon"),
#endif
    {0, NULL, NULL},
};

const char *ffdsp_vectors(void) {
    const int flags = ffdsp_cpu_flags();
    const char *name = "none";
    for (size_t i = 0; flag_names[i].name; i++) {
        if ((flags & flag_names[i].flag) && flag_names[i].vectors) name = flag_names[i].vectors;
    }
    return name;
}

const char *ffdsp_cpu_flag_names(void) {
    static char text[256];
    const int flags = ffdsp_cpu_flags();
    size_t used = 0;
    pthread_mutex_lock(&lock);
    text[0] = '\0';
    for (size_t i = 0; flag_names[i].name; i++) {
        if (!(flags & flag_names[i].flag)) continue;
        used += (size_t)snprintf(text + used, sizeof(text) - used, used ? " %s" : "%s",
                                 flag_names[i].name);
    }
    pthread_mutex_unlock(&lock);
    return used ? text : "none";
}

void ffdsp_emms(void) {
#if ARCH_X86
    __asm__ volatile("emms" ::: "memory");
#endif
}
