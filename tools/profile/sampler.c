// SPDX-License-Identifier: BSD-2-Clause
// A library to preload. It interrupts every thread after each PROFILE_US (2000) microseconds of its
// own CPU time, and notes where the thread is and the words on its stack, from which profile finds
// the callers. At exit it writes everything to the file PROFILE_OUT, with the process's map. It needs
// only libc, so that it runs without a profiler. It cannot sample faster than the kernel's tick.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_WORDS = 120, MOST_SAMPLES = 60000 };

struct sample {
    uint32_t thread, words;
    char name[16];
    uint64_t at;
    uint64_t stack[STACK_WORDS];
};

static struct sample *samples; // the kernel provides pages when they are written
static atomic_uint count;
static long period_us = 2000;
static __thread const uint64_t *stack_end;
extern void *__libc_stack_end; // of the first thread, set by the dynamic linker

static uint64_t program_counter(const ucontext_t *context, const uint64_t **stack) {
#if defined(__x86_64__)
    *stack = (const uint64_t *)context->uc_mcontext.gregs[REG_RSP];
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    *stack = (const uint64_t *)context->uc_mcontext.sp;
    return context->uc_mcontext.pc;
#else
#error "another processor: say where its program counter and stack are"
#endif
}

// Does only what is safe in a signal handler.
static void take_sample(int number, siginfo_t *info, void *context) {
    const unsigned n = atomic_fetch_add(&count, 1);
    const uint64_t *stack;
    (void)number, (void)info;
    if (n >= MOST_SAMPLES) return;
    struct sample *const sample = &samples[n];
    sample->at = program_counter(context, &stack);
    sample->thread = (uint32_t)syscall(SYS_gettid);
    prctl(PR_GET_NAME, sample->name);
    const long words = stack_end ? stack_end - stack : 0; // up to the end of the stack
    sample->words = words < 0 ? 0 : words < STACK_WORDS ? (uint32_t)words : STACK_WORDS;
    memcpy(sample->stack, stack, sample->words * sizeof *stack);
}

static void start_timer(void) {
    struct sigevent event = {0};
    const struct timespec period = {period_us / 1000000, period_us % 1000000 * 1000};
    const struct itimerspec times = {period, period};
    timer_t timer;
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = (int)syscall(SYS_gettid); // no other name for it before glibc 2.41
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
        timer_settime(timer, 0, &times, NULL);
}

struct start {
    void *(*function)(void *);
    void *argument;
};

static void *run(void *opaque) {
    const struct start start = *(struct start *)opaque;
    free(opaque);
    stack_end = __builtin_frame_address(0);
    if (samples) start_timer();
    return start.function(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) {
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    struct start *start = malloc(sizeof *start);
    if (!real)
        real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
            RTLD_NEXT, "pthread_create");
    if (!start) return real(thread, attributes, function, argument); // not sampled
    *start = (struct start){function, argument};
    return real(thread, attributes, run, start);
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction action = {0};
    const char *period = getenv("PROFILE_US");
    if (!getenv("PROFILE_OUT")) return;
    if (period && atol(period) > 0) period_us = atol(period);
    samples = mmap(NULL, MOST_SAMPLES * sizeof *samples, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (samples == MAP_FAILED) _exit(127);
    action.sa_sigaction = take_sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    stack_end = __libc_stack_end;
    start_timer();
}

__attribute__((destructor)) static void end(void) {
    if (!samples) return;
    signal(SIGPROF, SIG_IGN);
    FILE *const out = fopen(getenv("PROFILE_OUT"), "wb"), *const maps =
                                                              fopen("/proc/self/maps", "r");
    if (!out || !maps) return;
    const uint32_t taken = atomic_load(&count) < MOST_SAMPLES ? atomic_load(&count) : MOST_SAMPLES;
    const uint32_t head[2] = {taken, STACK_WORDS};
    fwrite(head, sizeof head, 1, out);
    fwrite(samples, sizeof *samples, taken, out);
    char text[4096];
    for (size_t bytes; (bytes = fread(text, 1, sizeof text, maps)) > 0;)
        fwrite(text, 1, bytes, out);
    fclose(out);
    fclose(maps);
}
