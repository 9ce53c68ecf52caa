/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of DSP functions with FFmpeg's signatures (vp9dsp.h, h264dsp.h): the door for decoders
 * that call one function a block. What a call does depends on the thread that makes it:
 *
 *   bound    the thread has named an open picture with v3doff_dsp_bind, and the call's destination
 *            lies in that picture: the call is recorded. Nothing is computed before
 *            v3doff_picture_submit, which does everything in a few dispatches.
 *            A destination elsewhere, such as in a temporary buffer: the call is done at once, on
 *            the CPU, in plain code.
 *   unbound  the call is done at once, on a device, and waits for it: correct, and slow. It is
 *            meant for tests.
 *
 * Recording postpones: transforms run at submit, and the loop filter after all of them. So nobody
 * may look at filtered or transformed samples before the picture is done, and a place must be
 * reconstructed before its filter is called. Calls that a picture cannot take as records, such as a
 * stride that is not the plane's, are refused with a line in the log; the picture then cannot be
 * submitted, because it would be wrong. Loop filter calls that no picture of the standard has are
 * recorded and done on the CPU, in the order of the calls; the picture's report says so.
 */
#ifndef V3DOFF_DSP_H
#define V3DOFF_DSP_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * From now on the calls of this thread are recorded into an open picture. lane: below
 * V3DOFF_LANES; threads that record into one picture at the same time take different lanes. A
 * picture that was bound before is not bound any more. Unbind before the picture is submitted or
 * closed: calls into a picture that is not open are refused.
 */
V3DOFF_API v3doff_result v3doff_dsp_bind(v3doff_picture *picture, uint32_t lane);

/* Ends it; a thread that is not bound is fine. */
V3DOFF_API void v3doff_dsp_unbind(void);

/*
 * The device that calls done at once use, for the whole process. NULL: none in particular, which is
 * also the beginning: at the first such call V3DOFF_DEBUG=dsp=... of the environment decides:
 * auto (a GPU; without one the CPU), force (any device, software too) or cpu; unset is auto.
 * Thread-safety: any thread, any time; calls under way end on the device they began with.
 */
V3DOFF_API v3doff_result v3doff_dsp_set_device(v3doff_device *device);

/* What became of the calls of all threads since the process began. */
typedef struct v3doff_dsp_counts {
    size_t struct_size;
    uint64_t recorded;
    uint64_t at_once_gpu; /* done at once by a Vulkan device */
    uint64_t at_once_cpu; /* done at once by plain CPU code: bound, or for want of a device */
    /* On the CPU too, but by rule: coefficients beyond what the device's 32 bits hold, which noise
     * at 10 and 12 bits makes; every picture does such blocks there. */
    uint64_t at_once_large;
    uint64_t refused;
} v3doff_dsp_counts;

V3DOFF_API v3doff_result v3doff_dsp_get_counts(v3doff_dsp_counts *counts);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_DSP_H */
