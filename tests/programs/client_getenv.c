// SPDX-License-Identifier: BSD-2-Clause
// A program may call setenv on one thread as long as no other thread reads the environment. So
// decoders must not read it for each picture. This program's getenv takes the place of libc's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client.h"

static atomic_bool counting, storming;
static atomic_int calls;
static char first[80];

// Of libv3doff or libavcodec, which is in this program: drivers may read the environment.
static bool is_ours(void *caller) {
    Dl_info found, self;
    return dladdr(caller, &found) && dladdr((void *)getenv_calls, &self) &&
           (found.dli_fbase == self.dli_fbase || strstr(found.dli_fname, "libv3doff"));
}

static char *count_call(const char *function, const char *name, void *caller) {
    typedef char *Get(const char *);
    static _Atomic(Get *) real;
    Get *get = real;
    if (!get) real = get = (Get *)dlsym(RTLD_NEXT, function);
    if (counting && is_ours(caller)) {
        if (!calls++) snprintf(first, sizeof first, "%s(\"%s\")", function, name);
    }
    if (storming && !is_ours(caller)) return NULL; // a driver may crash, but here it does not
    return get(name);
}

char *getenv(const char *name) {
    return count_call("getenv", name, __builtin_return_address(0));
}
char *secure_getenv(const char *name) {
    return count_call("secure_getenv", name, __builtin_return_address(0));
}

void getenv_calls(void) {
    static Frames frames;
    decode_clip(&job.clip, job.mode, NULL, &frames);
    frames.count = 0;
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, &frames);
    play_packets(&player, 3 + job.threads);
    counting = true;
    play_packets(&player, job.clip.packets - 3 - job.threads);
    counting = false;
    drain(&player);
    stop_playing(&player);
    expect_frames(&frames, &job.expected, "frames");
    if (!calls) return;
    printf("FAILED: %d calls of getenv for %d pictures, first %s\n", calls,
           job.clip.packets - 3 - job.threads, first);
    exit(1);
}

static atomic_bool ended;
static void *decode_many(void *opaque) {
    Player *player = opaque;
    for (int i = 0; i < 8; i++) {
        static Frames frames;
        frames.count = 0;
        player->opaque = &frames;
        play_packets(player, job.clip.packets);
        drain(player);
        avcodec_flush_buffers(player->context);
        expect_frames(&frames, &job.expected, "frames beside setenv");
    }
    ended = true;
    return NULL;
}

// glibc's getenv may crash while setenv moves the array of variables. The decoder, which reads
// some, was opened before.
void setenv_storm(void) {
    pthread_t thread;
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, &(Frames){0});
    play_packets(&player, job.clip.packets);
    drain(&player);
    avcodec_flush_buffers(player.context);
    player.sent = 0;
    storming = true;
    EXPECT(!pthread_create(&thread, NULL, decode_many, &player));
    char name[32];
    for (unsigned i = 0; !ended; i++) {
        snprintf(name, sizeof name, "STORM_%u", i % 5000);
        EXPECT(!setenv(name, i % 2 ? "a" : "a value that needs more room", 1));
        if (i % 7 == 0) unsetenv(name);
    }
    pthread_join(thread, NULL);
    storming = false;
    stop_playing(&player);
}
