/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device hangs (V3DOFF_FAULT=hang), and at exit() a handler waits for ever, as NVIDIA's driver
 * then does. The process ends nevertheless, with its status and with all that it has written.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capi_helpers.h"

static const char output[] = "written before exit()";

static void wait_for_ever(void) {
    for (;;)
        pause();
}

static void be_child(int output_to) {
    v3doff_picture *picture = NULL;
    alarm(30); /* ends it if it hangs */
    atexit(wait_for_ever);
    EXPECT(dup2(output_to, STDOUT_FILENO) == STDOUT_FILENO);
    fputs(output, stdout); /* stays in the buffer: this is a pipe */
    v3doff_device *device = open_test_device(V3DOFF_MODE_FORCE);
    EXPECT_OK(v3doff_picture_open(&picture, open_test_pool(device, 64, 64), NULL));
    record_something(picture, 1);
    EXPECT_OK(v3doff_picture_submit(picture, NULL));
    v3doff_picture_wait(picture, UINT64_MAX);
    exit(report_of(picture).executor == V3DOFF_EXECUTOR_GPU ? 1 : 7);
}

int main(void) {
    int pipe_ends[2], status = 0;
    char text[sizeof output] = "";
    EXPECT(!pipe(pipe_ends));
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (!child) be_child(pipe_ends[1]);
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status));
    EXPECT(WEXITSTATUS(status) == 7);
    EXPECT(read(pipe_ends[0], text, sizeof output - 1) == sizeof output - 1);
    EXPECT(!strcmp(text, output));
    return 0;
}
