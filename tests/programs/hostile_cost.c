// SPDX-License-Identifier: BSD-2-Clause
// What auto costs where no device can be used.
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include "hostile.h"

enum { rounds = 9 };

typedef struct Cost {
    double milliseconds[rounds], kibibytes[rounds];
} Cost;

// One decode in this process, for those who measure it.
void measured(void) {
    static Frames frames;
    const double from = seconds();
    decode_clip(&job.clip, job.mode, NULL, &frames);
    const double took = seconds() - from;
    struct rusage usage;
    EXPECT(!getrusage(RUSAGE_SELF, &usage));
    printf("measured %.2f %ld\n", 1e3 * took, usage.ru_maxrss);
}

static void measure(const char *mode, Cost *cost, int round) {
    char program[300] = "", command[900];
    EXPECT(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(command, sizeof command, "'%s' measured %s %d '%s' 2>/dev/null", program, mode,
             job.threads, job.path);
    FILE *pipe = popen(command, "r");
    EXPECT(pipe && fscanf(pipe, "measured %lf %lf", &cost->milliseconds[round],
                          &cost->kibibytes[round]) == 2);
    EXPECT(!pclose(pipe));
}

static int compare(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double least(double *values) {
    qsort(values, rounds, sizeof *values, compare);
    return values[0];
}

static bool has_render_node(void) {
    DIR *folder = opendir("/dev/dri");
    bool found = !access("/dev/nvidiactl", R_OK) || !access("/dev/dxg", R_OK);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        found |= !strncmp(entry->d_name, "renderD", 7);
    if (folder) closedir(folder);
    return found;
}

// At most 1 MiB and 5 ms more than off. The least of several, because others use the machine too.
void cost_without_device(void) {
    static Cost off, now;
    if (has_render_node()) {
        printf("skipped: this machine has a GPU\n");
        return;
    }
    for (int i = 0; i < rounds; i++) {
        measure("off", &off, i);
        measure(job.mode, &now, i);
    }
    const double time = least(now.milliseconds) - least(off.milliseconds);
    const double memory = least(now.kibibytes) - least(off.kibibytes);
    printf("%.2f ms, %.0f KiB more than off (%.2f ms, %.0f KiB)\n", time, memory,
           least(off.milliseconds), least(off.kibibytes));
    EXPECT(memory <= 1024 && time <= 5);
}
