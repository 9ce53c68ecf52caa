// SPDX-License-Identifier: BSD-2-Clause
// Submits that the library refuses: this program's functions take the place of the library's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>

#include <v3doff/submit.h>

#include "client.h"

static struct {
    const char *function; // submit or submit_rows
    int from, to;         // which calls are refused, from 1
    atomic_int calls, refused;
} plan;

static bool refuse(const char *function) {
    if (!plan.function || strcmp(function, plan.function)) return false;
    const int call = ++plan.calls;
    if (call < plan.from || call > plan.to) return false;
    plan.refused++;
    return true;
}

typedef v3doff_result Submit(v3doff_picture *, const v3doff_submit_info *);
v3doff_result v3doff_picture_submit(v3doff_picture *picture, const v3doff_submit_info *info) {
    static Submit *real;
    if (!real) real = (Submit *)dlsym(RTLD_NEXT, "v3doff_picture_submit");
    return refuse("submit") ? V3DOFF_ERROR_OUT_OF_MEMORY : real(picture, info);
}

typedef v3doff_result SubmitRows(v3doff_picture *, const v3doff_rows_info *);
v3doff_result v3doff_picture_submit_rows(v3doff_picture *picture, const v3doff_rows_info *info) {
    static SubmitRows *real;
    if (!real) real = (SubmitRows *)dlsym(RTLD_NEXT, "v3doff_picture_submit_rows");
    return refuse("submit_rows") ? V3DOFF_ERROR_OUT_OF_MEMORY : real(picture, info);
}

// Arguments: submit or submit_rows, the first and the last call that is refused.
void refused_submits(void) {
    static Frames frames;
    EXPECT(job.arguments == 3);
    plan.from = (int)argument(1, 1);
    plan.to = (int)argument(2, 1);
    plan.function = job.argument[0];
    decode_clip(&job.clip, job.mode, NULL, &frames);
    printf("%d of %d calls were refused\n", plan.refused, plan.calls);
    expect_frames(&frames, &job.expected, "frames");
    EXPECT(plan.refused > 0);
}
