/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quality metrics of pictures, with the bits that the CPU gives, on any Vulkan device.
 *
 *     v3doff_metrics_create    a session: format, size, which metrics
 *     v3doff_metrics_push      one pair of pictures after the other
 *     v3doff_metrics_pull      scores, in the same order; some frames behind
 *     v3doff_metrics_finish    no more pairs: pull then gives the rest
 *     v3doff_metrics_destroy
 *
 * Frames overlap: while the GPU has one, the next is uploaded. Every frame is one queue submit,
 * whatever metrics it has. Where the GPU fails, the CPU does the frame, and its scores say so.
 *
 * What the metrics are, and how exact, is in docs/metrics.md.
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

/* Members of metrics that were not asked for are 0. */
typedef struct v3doff_metrics_scores {
    size_t struct_size;
    uint64_t frame; /* number of the pair, from 0 */
    v3doff_executor executor;
    uint32_t dispatches; /* 0 on the CPU */
    uint64_t gpu_ns;     /* with V3DOFF_DEVICE_TIMERS; else 0 */
    uint32_t timers;     /* how many get_timer knows by now */
    double psnr[3];      /* y, cb, cr; dB, at most 6 bit_depth + 12 */
    double ssim;
    double psnr_hvs[3], psnr_hvs_combined; /* dB; infinite where nothing visible differs */
    double motion, motion2;                /* motion_v2's sad and motion2 */
    double vif, vif_num, vif_den;
    double vif_scale[4], vif_num_scale[4], vif_den_scale[4];
    char reason[128]; /* why the CPU did it, else empty */
    double motion3;   /* motion_v2's motion3: motion2, but of the first pair the motion that follows */
} v3doff_metrics_scores;

/*
 * Makes a session. UNSUPPORTED: a bit depth above 12, or psnr_hvs of 4:0:0. The device may be one
 * of V3DOFF_MODE_CPU: then all is done inside push, on the calling thread.
 */
V3DOFF_API v3doff_result v3doff_metrics_create(v3doff_metrics **out, v3doff_device *device,
                                               const v3doff_metrics_info *info);

/* Waits for what is under way and drops all scores. */
V3DOFF_API void v3doff_metrics_destroy(v3doff_metrics **metrics);

/*
 * Adds a pair of pictures. The samples are copied before it returns; of the planes, data, stride
 * and count are read. A sample of more bits than info->bit_depth is INVALID_ARGUMENT, and the pair is
 * not added. Waits while as many frames as the session keeps are under way.
 */
V3DOFF_API v3doff_result v3doff_metrics_push(v3doff_metrics *metrics,
                                             const v3doff_planes *reference,
                                             const v3doff_planes *distorted);

/* No more pairs will come. */
V3DOFF_API v3doff_result v3doff_metrics_finish(v3doff_metrics *metrics);

/*
 * The scores of the next pair, in order. NOT_READY: not done within timeout_ns (with motion, a pair
 * is done when the next one is, or after finish). INVALID_STATE: finished, and all were pulled.
 */
V3DOFF_API v3doff_result v3doff_metrics_pull(v3doff_metrics *metrics,
                                             v3doff_metrics_scores *scores, uint64_t timeout_ns);

/*
 * With V3DOFF_DEVICE_TIMERS: the GPU time of kernel number index over all frames that are done.
 * *name stays valid as long as the library. INVALID_ARGUMENT: no kernel has that number.
 */
V3DOFF_API v3doff_result v3doff_metrics_get_timer(v3doff_metrics *metrics, uint32_t index,
                                                  const char **name, uint64_t *ns);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_METRICS_H */
