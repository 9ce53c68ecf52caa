// SPDX-License-Identifier: BSD-2-Clause
// Limits, signals and little stacks. The device may be used or not; the frames are right.
#define _GNU_SOURCE
#include <dirent.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "hostile.h"

#include "../address_space.h" // which needs EXPECT

static Frames frames;

static void decode_and_compare(const char *what) {
    decode_clip(&job.clip, job.mode, NULL, &frames);
    expect_frames(&frames, &job.expected, what);
}

static void set_limit(int which, rlim_t to) {
    const struct rlimit limit = {to, to};
    EXPECT(!setrlimit((__rlimit_resource_t)which, &limit));
}

// limit NAME VALUE
void under_limit(void) {
    EXPECT(job.arguments == 2);
    const char *name = job.argument[0];
    const rlim_t value = (rlim_t)argument(1, 0);
    if (!strcmp(name, "nofile")) {
        set_limit(RLIMIT_NOFILE, value);
    } else if (!strcmp(name, "memlock")) {
        set_limit(RLIMIT_MEMLOCK, value);
    } else if (!strcmp(name, "as")) { // MiB beyond what is in use
        set_limit(RLIMIT_AS, address_space() + (value << 20));
    } else {
        EXPECT(!strcmp(name, "nproc"));
        if (!getuid()) EXPECT(!setgid(54321) && !setuid(54321)); // root has no such limit
        set_limit(RLIMIT_NPROC, value);
    }
    decode_and_compare(name);
}

static void *decode_on_thread(void *opaque) {
    decode_and_compare(opaque);
    return NULL;
}

// stack KIB: a program's thread with a small stack decodes.
void small_stack(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    EXPECT(!pthread_attr_setstacksize(&attributes, (size_t)argument(0, 64) << 10));
    EXPECT(!pthread_create(&thread, &attributes, decode_on_thread, "small stack"));
    pthread_join(thread, NULL);
}

static volatile sig_atomic_t alarms;
static void note_alarm(int number) {
    (void)number;
    alarms++;
}

// System calls end with EINTR again and again.
void alarm_storm(void) {
    const struct sigaction action = {.sa_handler = note_alarm};
    const struct itimerval each = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    EXPECT(!sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &each, NULL));
    decode_and_compare("frames between alarms");
    EXPECT(!setitimer(ITIMER_REAL, &never, NULL));
    EXPECT(alarms > 10);
}

// Signals that a thread blocks: all that a program may handle.
static bool blocks_all(const char *task, char name[200]) {
    char path[300], line[200];
    unsigned long long blocked = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", task);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        sscanf(line, "SigBlk: %llx", &blocked);
        if (!strncmp(line, "Name:", 5)) strcpy(name, line + 6);
    }
    if (file) fclose(file);
    const unsigned long long handled = 1ull << (SIGALRM - 1) | 1ull << (SIGINT - 1) |
                                       1ull << (SIGTERM - 1) | 1ull << (SIGCHLD - 1) |
                                       1ull << (SIGUSR1 - 1) | 1ull << (SIGPROF - 1);
    return !file || (blocked & handled) == handled;
}

static void look_at_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int threads = 0;
    for (struct dirent *task; folder && (task = readdir(folder));) {
        char name[200] = "";
        if (task->d_name[0] == '.' || atoi(task->d_name) == getpid()) continue;
        threads++;
        if (!blocks_all(task->d_name, name)) {
            printf("FAILED: a thread takes the program's signals: %s", name);
            exit(1);
        }
    }
    closedir(folder);
    EXPECT(threads > 0);
}

// A program's signals go to its own threads, whose mask, rounding and exceptions nobody changes.
// With one thread, all others belong to the library and its driver.
void threads_state(void) {
    sigset_t before, after;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    EXPECT(!pthread_sigmask(SIG_SETMASK, &before, NULL));
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    const int enabled = fegetexcept();
    Player player = start_playing(&job.clip, job.mode, NULL, note_frame, &frames);
    play_packets(&player, job.clip.packets);
    look_at_threads();
    drain(&player);
    stop_playing(&player);
    EXPECT(fegetround() == FE_UPWARD && fegetexcept() == enabled);
    EXPECT(!pthread_sigmask(SIG_SETMASK, NULL, &after));
    for (int i = 1; i < 32; i++)
        EXPECT(sigismember(&after, i) == (i == SIGUSR2));
    expect_frames(&frames, &job.expected, "frames");
}

// No folder can be written, and there is no home.
void read_only_root(void) {
    if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("/", "/", NULL, MS_BIND | MS_REC, NULL) ||
        mount("/", "/", NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL)) {
        printf("skipped: no right to mount\n");
        exit(0);
    }
    EXPECT(!chdir("/") && !unsetenv("HOME") && !setenv("XDG_CACHE_HOME", "/nowhere", 1));
    EXPECT(access("/", W_OK));
    decode_and_compare("frames without a folder to write to");
    EXPECT(!unsetenv("XDG_CACHE_HOME"));
    decode_and_compare("frames without a home");
}
