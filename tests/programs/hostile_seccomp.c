// SPDX-License-Identifier: BSD-2-Clause
// System calls that a sandbox refuses, as Firefox's and others do.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

enum { most_calls = 512, most_rules = 2 * most_calls + 8 };

static struct sock_filter rules[most_rules];
static int rule_count;

static void add_rule(unsigned short code, uint32_t value, int if_true, int if_false) {
    EXPECT(rule_count < most_rules);
    rules[rule_count++] = (struct sock_filter){code, (uint8_t)if_true, (uint8_t)if_false, value};
}

static void load_number(void) {
    add_rule(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
}

// Before the last rule.
static void answer(long number, uint32_t with) {
    add_rule(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    add_rule(BPF_RET | BPF_K, with, 0, 0);
}

static void install(uint32_t otherwise) {
    add_rule(BPF_RET | BPF_K, otherwise, 0, 0);
    struct sock_fprog program = {(unsigned short)rule_count, rules};
    EXPECT(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return;
    printf("skipped: no seccomp\n");
    exit(0);
}

static void refuse_seals(uint32_t with) {
    add_rule(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 3);
    add_rule(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1]), 0, 0);
    add_rule(BPF_JMP | BPF_JEQ | BPF_K, F_ADD_SEALS, 0, 1);
    add_rule(BPF_RET | BPF_K, with, 0, 0);
    load_number();
}

// refused ENOSYS|EPERM SET...: frames are right, in time.
void refused_calls(void) {
    EXPECT(job.arguments > 1);
    const bool unknown = !strcmp(job.argument[0], "ENOSYS");
    const uint32_t with = SECCOMP_RET_ERRNO | (unknown ? ENOSYS : EPERM);
    static const struct {
        const char *set;
        long number;
    } calls[] = {
        {"threads", SYS_sched_setscheduler},
        {"threads", SYS_sched_setaffinity},
        {"threads", SYS_sched_getaffinity},
        {"threads", SYS_sched_setparam},
        {"threads", SYS_sched_getscheduler},
        {"threads", SYS_sched_setattr},
        {"threads", SYS_setpriority},
        {"threads", SYS_sysinfo},
        {"files", SYS_flock},
        {"files", SYS_fsync},
        {"files", SYS_fdatasync},
        {"files", SYS_statx},
        {"memory", SYS_memfd_create},
        {"memory", SYS_mlock},
        {"network", SYS_socket},
        {"network", SYS_socketpair},
        {"madvise", SYS_madvise},
    };
    static Frames frames;
    load_number();
    for (int k = 1; k < job.arguments; k++) {
        // glibc starts threads in another way only if there is no clone3.
        if (!strcmp(job.argument[k], "threads")) answer(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
        if (!strcmp(job.argument[k], "memory")) refuse_seals(with);
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            if (!strcmp(calls[i].set, job.argument[k])) answer(calls[i].number, with);
    }
    install(SECCOMP_RET_ALLOW);
    decode_clip(&job.clip, job.mode, NULL, &frames);
    expect_frames(&frames, &job.expected, "frames");
}

// Which system calls a new process makes that decodes with this mode.
static void learn(const char *mode, bool used[most_calls]) {
    char threads[12];
    snprintf(threads, sizeof threads, "%d", job.threads);
    const pid_t child = fork();
    int status;
    EXPECT(child >= 0);
    if (!child) {
        EXPECT(!ptrace(PTRACE_TRACEME, 0, 0, 0));
        execl("/proc/self/exe", "hostile", "measured", mode, threads, job.path, NULL);
        _exit(3);
    }
    EXPECT(waitpid(child, &status, 0) == child && WIFSTOPPED(status));
    EXPECT(!ptrace(PTRACE_SETOPTIONS, child, 0,
                   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL));
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    for (pid_t stopped; (stopped = waitpid(-1, &status, __WALL)) > 0;) {
        if (!WIFSTOPPED(status)) {
            if (stopped == child) EXPECT(WIFEXITED(status) && !WEXITSTATUS(status));
            continue;
        }
        struct __ptrace_syscall_info info;
        const bool is_call = WSTOPSIG(status) == (SIGTRAP | 0x80);
        if (is_call && ptrace(PTRACE_GET_SYSCALL_INFO, stopped, sizeof info, &info) > 0 &&
            info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr < most_calls)
            used[info.entry.nr] = true;
        ptrace(PTRACE_SYSCALL, stopped, 0, 0);
    }
}

// A sandbox kills a program that makes another system call than usual. Without a usable device,
// auto makes those of off.
void no_other_calls(void) {
    static bool off[most_calls], now[most_calls];
    int known = 0, others = 0;
    learn("off", off);
    learn(job.mode, now);
    for (int i = 0; i < most_calls; i++) {
        known += off[i];
        if (!now[i] || off[i]) continue;
        printf("FAILED: system call %d\n", i);
        others++;
    }
    printf("off makes %d system calls\n", known);
    EXPECT(known > 5 && !others);
}
