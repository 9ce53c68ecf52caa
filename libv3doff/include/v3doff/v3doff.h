/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libv3doff does most of the work of decoding a video picture with a few Vulkan dispatches.
 * This header includes what every program needs:
 *
 *     result.h     results, and the log
 *     device.h     which devices there are, opening one
 *     pool.h       the format and size of pictures
 *     picture.h    a picture's samples, and its life
 *     submit.h     from records to final samples, and the report
 *
 * The life of a picture:
 *
 *     v3doff_device_create     once for each process (or lend your own VkDevice, see vulkan.h)
 *     v3doff_pool_create       once for each stream: the format and size of its pictures
 *     v3doff_picture_open      gives a picture memory, into which the CPU reconstructs
 *     v3doff_vp9_record_itx    collects work in records (vp9.h); nothing reaches the GPU yet
 *     v3doff_picture_submit    sends the records to the GPU with one queue submit, and returns
 *     v3doff_picture_wait      returns when the samples are final; a callback can say the same
 *     v3doff_picture_reopen    uses the same memory again, or
 *     v3doff_picture_close     returns the memory to the pool
 *
 * If anything fails after a submit (no memory, device lost, time-out), the CPU does the work from
 * the records, with the same bits. v3doff_picture_wait still succeeds, and the picture's report
 * says who did the work and why.
 *
 * Rules that hold for every function of the library:
 *  - A function that can fail returns a v3doff_result, negative for errors. After an error nothing
 *    has changed, and the log callback has got one line that names the argument.
 *  - If a struct begins with struct_size, set that to sizeof of the struct. A caller that was built
 *    with an older header has a smaller struct; the library takes the missing fields as zero.
 *  - _destroy and _close take the address of the handle and set the handle to NULL. A handle that
 *    is NULL already is allowed.
 *  - Children keep their parents alive: a device may be destroyed while it has pools.
 *  - The library never prints, never aborts and never throws across this boundary.
 *  - After a fork the child cannot use what its parent has opened: v3doff_process_was_forked.
 *  - The library recognises a destroyed handle until a new object gets the same slot.
 */
#ifndef V3DOFF_V3DOFF_H
#define V3DOFF_V3DOFF_H

#include "v3doff/device.h"
#include "v3doff/picture.h"
#include "v3doff/pool.h"
#include "v3doff/result.h"
#include "v3doff/submit.h"

#endif /* V3DOFF_V3DOFF_H */
