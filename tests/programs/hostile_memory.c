// SPDX-License-Identifier: BSD-2-Clause
// allocation N: the N-th allocation of libv3doff fails, on whatever thread. This program's
// functions take the place of libc's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>

#include "hostile.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uintptr_t first_code, end_code; // of libv3doff
static atomic_int calls, failures;
static int failing;                   // from 1; 0: none
static _Thread_local bool fails_next; // the malloc of operator new

static bool is_ours(void *caller) {
    return (uintptr_t)caller >= first_code && (uintptr_t)caller < end_code;
}

static bool fails(void *caller) {
    if (!failing) return false;
    if (fails_next) {
        fails_next = false;
        return true;
    }
    if (!is_ours(caller)) return false;
    if (++calls != failing) return false;
    failures++;
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t size) {
    return fails(CALLER) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    return fails(CALLER) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    return fails(CALLER) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails(CALLER) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **data, size_t alignment, size_t size) {
    if (fails(CALLER)) return ENOMEM;
    *data = __libc_memalign(alignment, size);
    return *data ? 0 : ENOMEM;
}

// operator new calls malloc from libstdc++, and throws if that fails.
void *_Znwm(size_t size);
void *_Znwm(size_t size) {
    static void *(*real)(size_t);
    if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "_Znwm");
    fails_next = fails(CALLER);
    return real(size);
}
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow) {
    (void)nothrow;
    return fails(CALLER) ? NULL : malloc(size);
}

static int find_library(struct dl_phdr_info *info, size_t size, void *opaque) {
    (void)size, (void)opaque;
    if (!strstr(info->dlpi_name, "libv3doff")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        first_code = info->dlpi_addr + part->p_vaddr;
        end_code = first_code + part->p_memsz;
    }
    return 1;
}

// Argument: which allocation, counted from the first picture's, so also those for opening the
// device. A packet whose picture is lost is an error; frames that are predicted from it are wrong
// with off, too. The next decode has no failures.
void failing_allocation(void) {
    static Frames frames;
    EXPECT(job.arguments == 1);
    dl_iterate_phdr(find_library, NULL);
    EXPECT(first_code);
    failing = (int)argument(0, 1);
    const int errors = decode_clip(&job.clip, job.mode, NULL, &frames);
    failing = 0;
    printf("%d allocations, %d failed, %d errors\n", calls, failures, errors);
    if (!errors) expect_frames(&frames, &job.expected, "frames");
    EXPECT(!decode_clip(&job.clip, job.mode, NULL, &frames));
    expect_frames(&frames, &job.expected, "frames of the next decoder");
}
