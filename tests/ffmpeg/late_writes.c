// SPDX-License-Identifier: BSD-2-Clause
// A library to preload: makes races for freed memory fail always, and reports writes to it. Freed
// memory is filled and kept for a while, whoever allocated it, so that shaders of a software driver
// are watched too. The completion thread pauses after each unlock, so that other threads run before
// its next step. With LATE_WRITES_REPORT set, it prints at exit how often it paused.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void __libc_free(void *);

enum { kept_blocks = 1 << 14, largest = 4096, fill = 0xa5 };

static struct {
    unsigned char *data;
    size_t bytes;
} kept[kept_blocks];
static size_t next;
static pthread_spinlock_t lock; // not a mutex: unlocking one is watched
static int ready;
static unsigned held_up;
static int (*real_unlock)(pthread_mutex_t *);

__attribute__((constructor)) static void start(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    real_unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    ready = 1;
}

static void check(const unsigned char *data, size_t bytes) {
    static const char text[] = "late_writes: memory was written after it was freed\n";
    for (size_t i = 0; i < bytes; i++) {
        if (data[i] == fill) continue;
        if (write(2, text, sizeof text - 1) < 0) _exit(98);
        _exit(99);
    }
}

__attribute__((destructor)) static void end(void) {
    pthread_spin_lock(&lock);
    for (size_t i = 0; i < kept_blocks; i++)
        if (kept[i].data) check(kept[i].data, kept[i].bytes);
    pthread_spin_unlock(&lock);
    if (getenv("LATE_WRITES_REPORT")) fprintf(stderr, "late_writes: %u times held up\n", held_up);
}

__attribute__((visibility("default"))) void free(void *data) {
    size_t bytes = data ? malloc_usable_size(data) : 0;
    if (!ready || !data || bytes > largest) {
        __libc_free(data);
        return;
    }
    memset(data, fill, bytes);
    pthread_spin_lock(&lock);
    unsigned char *old = kept[next].data;
    if (old) check(old, kept[next].bytes);
    kept[next].data = data;
    kept[next].bytes = bytes;
    next = (next + 1) % kept_blocks;
    pthread_spin_unlock(&lock);
    __libc_free(old);
}

static int completes(void) {
    static __thread int known; // 1: no, 2: yes
    char name[16] = "";
    if (known != 2) { // it gets its name after its start
        pthread_getname_np(pthread_self(), name, sizeof name);
        known = strcmp(name, "v3doff-done") ? 1 : 2;
    }
    return known == 2;
}

__attribute__((visibility("default"))) int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!real_unlock)
        real_unlock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    int result = real_unlock(mutex);
    if (completes()) {
        __atomic_fetch_add(&held_up, 1, __ATOMIC_RELAXED);
        usleep(300);
    }
    return result;
}
