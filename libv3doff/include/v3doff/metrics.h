/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quality metrics of pictures, on any Vulkan device, with the same bits as on the CPU.
 *
 *     v3doff_metrics_create    makes a session: format, size, which metrics
 *     v3doff_metrics_push      takes one pair of pictures after the other
 *     v3doff_metrics_pull      returns their scores in the same order, some frames later
 *     v3doff_metrics_finish    says that there are no more pairs; pull then returns the rest
 *     v3doff_metrics_destroy
 *
 * Frames overlap: while the GPU works on one, the next is uploaded. Every frame is one queue
 * submit, no matter which metrics it has. If the GPU fails, the CPU does the frame, and its scores
 * say so.
 *
 * docs/metrics.md explains the metrics and how exact they are.
 */
#ifndef V3DOFF_METRICS_H
#define V3DOFF_METRICS_H

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    V3DOFF_METRIC_PSNR = 1 << 0,     /* psnr: every plane */
    V3DOFF_METRIC_SSIM = 1 << 1,     /* ssim: luma */
    V3DOFF_METRIC_PSNR_HVS = 1 << 2, /* psnr_hvs: every plane and combined; not for 4:0:0 */
    V3DOFF_METRIC_MOTION = 1 << 3,   /* motion_v2: luma of the reference alone */
    V3DOFF_METRIC_VIF = 1 << 4,      /* vif: luma */
    V3DOFF_METRIC_ALL = (1 << 5) - 1
};

/* Thread-safety: one thread pushes and finishes, one pulls; they may be two. */
typedef struct v3doff_metrics v3doff_metrics;

typedef struct v3doff_metrics_info {
    size_t struct_size;
    uint32_t width, height; /* luma samples, 16x16 to 8192x4320 (or 4320x8192) */
    uint32_t bit_depth;     /* 8 to 12; above 8 a sample is a 16-bit little-endian word */
    v3doff_chroma chroma;
    uint32_t metrics; /* V3DOFF_METRIC_*, at least one */
} v3doff_metrics_info;

/* Members of metrics that the session does not have are 0. */
typedef struct v3doff_metrics_scores {
    size_t struct_size;
    uint64_t frame; /* number of the pair, from 0 */
    v3doff_executor executor;
    uint32_t dispatches; /* 0 on the CPU */
    uint64_t gpu_ns;     /* with V3DOFF_DEVICE_TIMERS; else 0 */
    uint32_t timers;     /* the number of timers of get_timer so far */
    double psnr[3];      /* y, cb, cr; dB, at most 6 bit_depth + 12 */
    double ssim;
    double psnr_hvs[3], psnr_hvs_combined; /* dB; infinite where nothing visible differs */
    double motion, motion2;                /* motion_v2's sad and motion2 */
    double vif, vif_num, vif_den;
    double vif_scale[4], vif_num_scale[4], vif_den_scale[4];
    char reason[128]; /* why the CPU did the work, or empty */
    double motion3;   /* motion_v2's motion3: motion2; for the first pair, the next pair's motion */
} v3doff_metrics_scores;

/*
 * Makes a session. UNSUPPORTED: a bit depth above 12, or psnr_hvs of 4:0:0. If the device has
 * V3DOFF_MODE_CPU, push does all the work on the calling thread.
 */
V3DOFF_API v3doff_result v3doff_metrics_create(v3doff_metrics **out, v3doff_device *device,
                                               const v3doff_metrics_info *info);

/* Waits for the frames in progress and deletes all scores. */
V3DOFF_API void v3doff_metrics_destroy(v3doff_metrics **metrics);

/*
 * Adds a pair of pictures. It copies the samples before it returns, and of the planes it reads only
 * data, stride and count. If a sample has more bits than info->bit_depth, the result is
 * INVALID_ARGUMENT and the pair is not added. If too many frames are in progress, push waits for
 * one.
 */
V3DOFF_API v3doff_result v3doff_metrics_push(v3doff_metrics *metrics,
                                             const v3doff_planes *reference,
                                             const v3doff_planes *distorted);

/* No more pairs will come. */
V3DOFF_API v3doff_result v3doff_metrics_finish(v3doff_metrics *metrics);

/*
 * Returns the scores of the next pair. NOT_READY: the pair is not done after timeout_ns. With
 * motion, a pair is done only when the next one is, or after finish. INVALID_STATE: the session is
 * finished, and all scores were pulled.
 */
V3DOFF_API v3doff_result v3doff_metrics_pull(v3doff_metrics *metrics, v3doff_metrics_scores *scores,
                                             uint64_t timeout_ns);

/*
 * With V3DOFF_DEVICE_TIMERS: the GPU time of kernel number index over all frames that are done.
 * *name stays valid while the library is loaded. INVALID_ARGUMENT: no kernel has that number.
 */
V3DOFF_API v3doff_result v3doff_metrics_get_timer(v3doff_metrics *metrics, uint32_t index,
                                                  const char **name, uint64_t *ns);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_METRICS_H */
