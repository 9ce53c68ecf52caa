/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture: its samples, and its life. v3doff.h has the rules of all functions. */
#ifndef V3DOFF_PICTURE_H
#define V3DOFF_PICTURE_H

#include "v3doff/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Thread-safety: several threads may add records at the same time, each in a lane of its own. Any
 * thread may call v3doff_picture_wait and _get_report at any time. All other functions need one
 * thread at a time for each picture. Different pictures are independent.
 */
typedef struct v3doff_picture v3doff_picture;

enum {
    V3DOFF_LANES = 64 /* record lanes of a picture, numbered from 0 */
};

/*
 * Where a picture's samples lie. stride is in bytes; the rest is in samples. Records may write up
 * to padded_*. For the caller's own memory these say how much memory there is (0: no more than the
 * picture). The library uses none of it that reaches the picture in another plane, and writes only
 * rows that have records; get_planes tells what is left. In a pool's memory they are whole 64x64
 * superblocks.
 */
enum {
    /* The planes are in different allocations, and the memory between them is not the picture's.
     * The device works on a copy, even if it could import all of that memory. */
    V3DOFF_PLANES_SEPARATE = 1
};

typedef struct v3doff_planes {
    size_t struct_size;
    uint32_t count; /* 1 for 4:0:0, else 3 */
    void *data[3];
    ptrdiff_t stride[3];
    uint32_t width[3], height[3]; /* filled by get_planes, ignored by open */
    uint32_t padded_width[3], padded_height[3];
    uint32_t flags; /* V3DOFF_PLANES_*; get_planes sets none */
} v3doff_planes;

/*
 * Opens a picture for reconstruction and records. If planes is NULL, the picture is in memory of
 * the pool, with the layout that FFmpeg's decoders expect: rows are padded to whole superblocks,
 * and strides are the pool's, or multiples of 64 bytes. The contents are undefined. Otherwise the
 * picture is in the caller's memory, which must stay valid until the picture is closed, and those
 * that are predicted from it are done. The device imports planes that lie in one allocation if it
 * can; otherwise they are copied.
 */
V3DOFF_API v3doff_result v3doff_picture_open(v3doff_picture **out, v3doff_pool *pool,
                                             const v3doff_planes *planes);

/*
 * The addresses stay the same until the picture is closed. The caller may read the samples while
 * the picture is open (not submitted), and after a wait has returned OK. It may write them while
 * the picture is open. A picture that is done, or that another one has been predicted from, must be
 * reopened first, because the device may have a copy of its own.
 *
 * From the submit of a picture until it is done, the device reads the samples of its references.
 * Until then, nobody may write them, and their memory may be given to nobody else who could, such
 * as a program that filters its frames in place. A caller knows when it is over from the done
 * callback of each picture that predicts from them (v3doff_submit_info), or from a wait.
 */
V3DOFF_API v3doff_result v3doff_picture_get_planes(v3doff_picture *picture, v3doff_planes *planes);

/* Where the samples lie in a dma-buf, which a display, another device or another process can
 * import. */
typedef struct v3doff_dma_buf {
    size_t struct_size;
    int32_t fd;     /* The library closes it with the picture. Duplicate it to keep it longer. */
    uint32_t count; /* 1 for 4:0:0, else 3 */
    uint64_t size;
    uint32_t offset[3], stride[3]; /* bytes; the layout is linear */
} v3doff_dma_buf;

/*
 * Lets other devices and processes read a picture's samples in place, as they are now. Waits for a
 * picture that was submitted. An open picture must have no records, and its bands must be done
 * (INVALID_STATE). Call this again when the samples have changed. Readers must have finished before
 * the picture is closed or reopened. If a device's read has a fence in the dma-buf, the library
 * waits for it. Once the picture is done, any thread may call this. UNSUPPORTED: the memory is not
 * a dma-buf. With V3DOFF_MEMORY_UDMABUF and _DMA_HEAP it is.
 */
V3DOFF_API v3doff_result v3doff_picture_get_dma_buf(v3doff_picture *picture,
                                                    v3doff_dma_buf *dma_buf);

/*
 * Deletes the records of an open picture; the samples stay. Bands for which
 * v3doff_picture_submit_rows returned V3DOFF_OK are not affected: they are executed, and their done
 * is called. Deleted is what was recorded after them, including records before a call that returned
 * NOT_READY.
 */
V3DOFF_API v3doff_result v3doff_picture_discard(v3doff_picture *picture);

/*
 * Opens a picture that is done again, with the same memory and no records. An open picture loses
 * its records, and the function waits for its bands, or for its first field: the caller then does
 * the rest of that picture itself.
 *
 * A picture in flight can be opened if a field of it was submitted (v3doff/h264_words.h). The
 * function then waits only if samples are copied to the GPU and back, or pictures are dumped. The
 * caller may record and submit the other field, and must not touch samples until the first one is
 * done. Each field calls its own done, the first one first. Wait and report are about both.
 *
 * INVALID_STATE: a submitted picture that is predicted from it is not done. A picture that
 * is only recorded does not prevent this; it will read the samples as they are when it is
 * submitted. So do not submit it in another thread at the same time.
 */
V3DOFF_API v3doff_result v3doff_picture_reopen(v3doff_picture *picture);

/*
 * Closes a picture: waits for it and its bands in flight, and deletes the records of an open one.
 * Pictures that are predicted from it can still be in flight, or only recorded. Memory of the pool
 * is not used for another picture before these are done or discarded. The caller's memory must stay
 * valid until then.
 */
V3DOFF_API void v3doff_picture_close(v3doff_picture **picture);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_PICTURE_H */
