/* SPDX-License-Identifier: BSD-2-Clause */
/* From records to final samples, and the report. v3doff.h has the rules of all functions. */
#ifndef V3DOFF_SUBMIT_H
#define V3DOFF_SUBMIT_H

#include "v3doff/picture.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum v3doff_picture_state V3DOFF_ENUM {
    V3DOFF_PICTURE_OPEN = 0,
    V3DOFF_PICTURE_IN_FLIGHT = 1,
    V3DOFF_PICTURE_DONE = 2
} v3doff_picture_state;

typedef enum v3doff_executor V3DOFF_ENUM {
    V3DOFF_EXECUTOR_NONE = 0, /* not done yet */
    V3DOFF_EXECUTOR_GPU = 1,
    V3DOFF_EXECUTOR_CPU = 2 /* reason says why */
} v3doff_executor;

typedef struct v3doff_picture_report {
    size_t struct_size;
    v3doff_picture_state state;
    v3doff_executor executor;
    uint64_t records;     /* of the submit */
    uint64_t cpu_records; /* how many of them the CPU did, even if the GPU did the rest */
    uint32_t dispatches;  /* of the submit; 0 on the CPU */
    uint32_t timers;      /* the number of timers of get_timer */
    uint64_t gpu_ns;      /* from the first pass to the end, with V3DOFF_DEVICE_TIMERS; else 0 */
    uint64_t submit_ns;   /* time of the calling thread in the submit */
    char reason[128];     /* why the CPU did the work, or empty */
    uint32_t bands;       /* the number of submits */
} v3doff_picture_report;

/*
 * The library calls this when the samples are final: on one of its threads, or inside submit if
 * the work was done there. Calls for several pictures may come at once. The callback may read the
 * picture and signal other threads. It must not wait, submit or close: they return WRONG_THREAD.
 */
typedef void (*v3doff_done_callback)(void *opaque, v3doff_picture *picture);

struct v3doff_stream; /* v3doff/stream.h */

typedef struct v3doff_submit_info {
    size_t struct_size;
    v3doff_done_callback done; /* may be NULL */
    void *opaque;
    /* The stream to which the picture belongs, or NULL. It counts who did the picture, and why,
     * before done is called. */
    struct v3doff_stream *stream;
    int32_t counted; /* v3doff_policy_answer.counted: v3doff_stream_done is called, too */
    int32_t whole;   /* not 0: counted as one that the decoder only parses */
} v3doff_submit_info;

/*
 * Makes the unfiltered samples of a rectangle final before the submit, because intra prediction
 * needs them. The CPU immediately does the transforms that this lane has recorded there, and
 * removes them from the records. The report counts them in cpu_records. Filters stay recorded. The
 * function ignores blocks of other lanes: a lane is a slice or tile, and no prediction crosses its
 * borders. The rectangle may reach outside the plane; that part is ignored.
 */
V3DOFF_API v3doff_result v3doff_picture_require(v3doff_picture *picture, uint32_t lane,
                                                uint32_t plane, uint32_t x, uint32_t y,
                                                uint32_t width, uint32_t height);

/*
 * Does the part of a submit that needs no other picture. A caller can use the time in which it
 * waits for the submits of the pictures that this one is predicted from. The call is optional. If
 * more is recorded afterwards, the submit does this part again.
 */
V3DOFF_API v3doff_result v3doff_picture_prepare(v3doff_picture *picture);

/* A pass of a picture's plan: a shader, and how often it runs. */
typedef struct v3doff_pass {
    size_t struct_size;
    const char *shader;  /* its name, which stays valid while the library is loaded */
    uint32_t groups[3];  /* workgroups */
    uint32_t dispatches; /* how many dispatches these are cut into, so that none takes long */
    uint32_t waits;      /* 1: it begins when all passes before it have ended */
} v3doff_pass;

/*
 * Pass number index of the plan that v3doff_picture_prepare made of an open picture's records, in
 * the order of the queue, and without the copies of a submit. NOT_READY: the plan has fewer passes,
 * or there is none, because no device can do the work or more was recorded since.
 */
V3DOFF_API v3doff_result v3doff_picture_get_pass(v3doff_picture *picture, uint32_t index,
                                                 v3doff_pass *pass);

/*
 * Sends the records to the device with one queue submit, and does not wait. info may be NULL.
 * INVALID_STATE, and nothing happens: a picture that this one is predicted from has records and was
 * not submitted.
 */
V3DOFF_API v3doff_result v3doff_picture_submit(v3doff_picture *picture,
                                               const v3doff_submit_info *info);

/*
 * Does the same on the CPU before it returns, and calls done. A caller whose submit was refused
 * gets the picture in this way. Pictures that this one is predicted from must be done.
 */
V3DOFF_API v3doff_result v3doff_picture_do_on_cpu(v3doff_picture *picture,
                                                  const v3doff_submit_info *info);

/* As v3doff_done_callback, for a band: the work of the submit of rows above row_end is done. */
typedef void (*v3doff_rows_callback)(void *opaque, v3doff_picture *picture, uint32_t row_end);

typedef struct v3doff_rows_info {
    size_t struct_size;
    uint32_t row_end; /* luma rows; more than in the call before, less than the picture has */
    v3doff_rows_callback done; /* may be NULL */
    void *opaque;
} v3doff_rows_info;

/*
 * Submits a band of the picture: the rows from the previous call's row_end (at first 0) to this
 * row_end. All records so far must be for these rows. The picture stays open for the rows below.
 * v3doff_picture_submit submits the last band, and only then the picture is in flight. Bands are
 * done in their order. Each calls its own done; the picture's done follows the last one.
 *
 * In planes with fewer rows, row_end is scaled down. After the call
 * - rows from row_end on stay the caller's. The device neither reads nor writes them.
 * - the caller must not read or write the rows above. Intra prediction in the first rows below
 * needs unfiltered samples of the last row above. The caller copies this row before the call, and
 * first makes it final with v3doff_picture_require.
 * - when done is called, the rows above are final, except those that filters across row_end still
 *   change: for the VP9 loop filter, the last 8 rows of each plane. In this way every band may
 * change the last rows of the band above it. No other thread may record during the call. If a band
 * fails, the CPU does it and all later ones, with the same bits, on a thread of the library or
 * inside later calls.
 *
 * NOT_READY, and nothing happens: a band cannot be submitted alone, because the samples are copied
 * to the GPU and back, pictures are dumped, or there are records that only whole pictures can have.
 * A later band or v3doff_picture_submit then submits these records, and done is not called.
 * INVALID_ARGUMENT, and nothing happens: records lie outside the rows.
 */
V3DOFF_API v3doff_result v3doff_picture_submit_rows(v3doff_picture *picture,
                                                    const v3doff_rows_info *info);

/* Waits until a submitted picture is done; UINT64_MAX: as long as it takes. NOT_READY: it is not
 * done after timeout_ns. */
V3DOFF_API v3doff_result v3doff_picture_wait(v3doff_picture *picture, uint64_t timeout_ns);

V3DOFF_API v3doff_result v3doff_picture_get_report(v3doff_picture *picture,
                                                   v3doff_picture_report *report);

/* GPU time of pass number index of the last submit. *name stays valid while the library is loaded.
 */
V3DOFF_API v3doff_result v3doff_picture_get_timer(v3doff_picture *picture, uint32_t index,
                                                  const char **name, uint64_t *ns);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_SUBMIT_H */
