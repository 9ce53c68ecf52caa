/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools of pictures of one format. v3doff.h has the rules of all functions. */
#ifndef V3DOFF_POOL_H
#define V3DOFF_POOL_H

#include "v3doff/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Thread-safety: a pool may be used by any number of threads at once. */
typedef struct v3doff_pool v3doff_pool;

typedef struct v3doff_pool_info {
    size_t struct_size;
    uint32_t width, height; /* luma samples, 1 to 16384 each */
    uint32_t bit_depth;     /* 8 to 14; above 8 a sample is a 16-bit little-endian word */
    v3doff_chroma chroma;
    uint32_t max_pictures;     /* open at the same time; 0: 64. Another one is refused: LIMIT. */
    v3doff_memory_path memory; /* AUTO: as the device */
    /*
     * Bytes from a row of each plane to the next; 0: the library chooses. If a decoder also has
     * pictures in memory of its own, it gives their strides here, so that all pictures of a stream
     * have the same layout. Strides are multiples of 16 and hold the plane's width, rounded up to 8
     * luma samples. Both chroma planes have the same stride.
     */
    uint32_t stride[3];
} v3doff_pool_info;

/*
 * Makes a pool of pictures of one format. No picture is allocated yet. The pool keeps the memory of
 * closed pictures for the next ones, so a stream allocates nothing after its first pictures.
 */
V3DOFF_API v3doff_result v3doff_pool_create(v3doff_pool **out, v3doff_device *device,
                                            const v3doff_pool_info *info);

/* Releases a pool. Pictures that are still open stay valid. */
V3DOFF_API void v3doff_pool_destroy(v3doff_pool **pool);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_POOL_H */
