// SPDX-License-Identifier: BSD-2-Clause
// hostile CELL MODE THREADS FILE [ARGUMENT...]: processes that fork, end, or live under limits
// while libavcodec decodes. Frames must equal those of -v3doff off. The script run has all cells.
#include "hostile.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void expect_end(pid_t child, int status, double limit, const char *what) {
    const double until = seconds() + limit;
    int ended = 0;
    while (!waitpid(child, &ended, WNOHANG)) {
        if (seconds() < until) {
            usleep(1000);
            continue;
        }
        printf("FAILED: %s hangs\n", what);
        kill(child, SIGKILL);
        waitpid(child, &ended, 0);
        exit(1);
    }
    ended = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
    if (ended == status) return;
    printf("FAILED: %s ended with %d instead of %d\n", what, ended, status);
    exit(1);
}

static const Cell cells[] = {
    {"fork", fork_matrix},
    {"daemon", daemon_after_open},
    {"spawn", spawn_after_open},
    {"end", end_in_phase},
    {"limit", under_limit},
    {"stack", small_stack},
    {"alarms", alarm_storm},
    {"threads", threads_state},
    {"read_only", read_only_root},
    {"measured", measured},
    {"cost", cost_without_device},
    {"refused", refused_calls},
    {"no_other_calls", no_other_calls},
    {"allocation", failing_allocation},
};

int main(int count, char **arguments) {
    return run_cell(count, arguments, cells, sizeof cells / sizeof cells[0]);
}
