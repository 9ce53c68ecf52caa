/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of DSP functions with FFmpeg's signatures (vp9dsp.h, h264dsp.h), for decoders that call
 * one function for each block. What a call does depends on the thread that makes it:
 *
 *   bound    the thread has chosen an open picture with v3doff_dsp_bind. If the call's destination
 *            is in that picture, the call is recorded. Nothing is computed before
 *            v3doff_picture_submit, which does everything in a few dispatches.
 *            If the destination is elsewhere, such as in a temporary buffer, the CPU executes the
 *            call immediately, in plain code.
 *   unbound  the call is executed immediately on a device, and returns when the device has
 * finished. This is correct but slow, and meant for tests.
 *
 * Recorded work runs later: transforms at submit, and the loop filter after all transforms. So the
 * decoder must not read transformed or filtered samples before the picture is done, and must
 * reconstruct a place before it calls the filter for it. Some calls cannot be recorded, for example
 * with a stride that is not the plane's. They are refused with a line in the log, and the picture
 * cannot be submitted, because it would be wrong. If the loop filter's calls do not form a picture
 * of the standard, the CPU executes them in their order, and the picture's report says so.
 */
#ifndef V3DOFF_DSP_H
#define V3DOFF_DSP_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Binds this thread to an open picture, which then records the thread's calls. lane: below
 * V3DOFF_LANES; threads that record into one picture at the same time use different lanes. This
 * replaces the thread's previous picture. Unbind before the picture is submitted or closed: calls
 * into a picture that is not open are refused.
 */
V3DOFF_API v3doff_result v3doff_dsp_bind(v3doff_picture *picture, uint32_t lane);

/* Unbinds this thread; does nothing if it is not bound. */
V3DOFF_API void v3doff_dsp_unbind(void);

/*
 * Sets the device of calls that are executed immediately, for the whole process. The default is
 * NULL: the first such call reads V3DOFF_DEBUG=dsp=... from the environment. Its values are auto (a
 * GPU, or the CPU if there is none; also if unset), force (any device, including software devices)
 * and cpu. Thread-safety: any thread, any time; calls in progress end on the device on which
 * they began.
 */
V3DOFF_API v3doff_result v3doff_dsp_set_device(v3doff_device *device);

/* How the calls of all threads were executed since the process began. */
typedef struct v3doff_dsp_counts {
    size_t struct_size;
    uint64_t recorded;
    uint64_t at_once_gpu; /* executed immediately by a Vulkan device */
    uint64_t at_once_cpu; /* by plain CPU code, in a bound thread or without a device */
    /* By the CPU because of their coefficients, which are too large for the device's 32 bits. Noise
     * with 10 and 12 bits makes such blocks, and recorded pictures leave them to the CPU, too. */
    uint64_t at_once_large;
    uint64_t refused;
} v3doff_dsp_counts;

V3DOFF_API v3doff_result v3doff_dsp_get_counts(v3doff_dsp_counts *counts);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_DSP_H */
