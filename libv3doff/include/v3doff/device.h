/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices: which there are, and opening one. v3doff.h has the rules of all functions. */
#ifndef V3DOFF_DEVICE_H
#define V3DOFF_DEVICE_H

#include "v3doff/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Thread-safety: a device may be used by any number of threads at once. */
typedef struct v3doff_device v3doff_device;

typedef enum v3doff_device_kind V3DOFF_ENUM {
    V3DOFF_DEVICE_KIND_OTHER = 0,
    V3DOFF_DEVICE_KIND_DISCRETE = 1,
    V3DOFF_DEVICE_KIND_INTEGRATED = 2,
    V3DOFF_DEVICE_KIND_VIRTUAL = 3,
    V3DOFF_DEVICE_KIND_SOFTWARE = 4, /* Vulkan on the CPU, such as lavapipe */
    V3DOFF_DEVICE_KIND_NONE = 5      /* no Vulkan: V3DOFF_MODE_CPU */
} v3doff_device_kind;

typedef enum v3doff_mode V3DOFF_ENUM {
    /* A GPU; a software device is refused with NO_DEVICE. If the process can open no GPU's device
     * node (/dev/dri/renderD* and others), not even the Vulkan loader is opened. */
    V3DOFF_MODE_AUTO = 0,
    V3DOFF_MODE_FORCE = 1, /* any device, including software devices */
    /* No Vulkan: the same interface, but the CPU does the work. A program that runs with the rights
     * of another user (set-user-ID) gets this in every mode. */
    V3DOFF_MODE_CPU = 2
} v3doff_mode;

/* How the CPU and the GPU share a picture's samples, best first. */
typedef enum v3doff_memory_path V3DOFF_ENUM {
    V3DOFF_MEMORY_AUTO = 0,
    V3DOFF_MEMORY_UDMABUF = 1,     /* cached pages, imported as a dma-buf */
    V3DOFF_MEMORY_DMA_HEAP = 2,    /* the same from the kernel's system heap */
    V3DOFF_MEMORY_HOST_IMPORT = 3, /* the CPU's own pages, imported by address */
    V3DOFF_MEMORY_HOST_CACHED = 4, /* cached memory of the driver, mapped */
    V3DOFF_MEMORY_STAGING = 5,     /* separate memory, copied before and after */
    V3DOFF_MEMORY_CPU = 6          /* plain memory, no GPU involved */
} v3doff_memory_path;

typedef enum v3doff_chroma V3DOFF_ENUM {
    V3DOFF_CHROMA_400 = 0,
    V3DOFF_CHROMA_420 = 1,
    V3DOFF_CHROMA_422 = 2,
    V3DOFF_CHROMA_444 = 3,
    V3DOFF_CHROMA_440 = 4
} v3doff_chroma;

enum {
    V3DOFF_DEVICE_TIMERS = 1 << 0, /* measure the GPU time of every pass, see get_timer */
    /* The library keeps the device open for 5 seconds after the caller has destroyed it and
     * everything made from it. A caller that asks for the same options in this time gets it at
     * once. This is for
     * programs that probe a stream before they decode it, or that decode one stream after the
     * other. The device's pools are kept too, up to 128 MiB of pictures. Borrowed devices are not
     * kept, and no device is kept if the environment has V3DOFF_KEEP=off. */
    V3DOFF_DEVICE_KEEP = 1 << 1
};

typedef struct v3doff_device_info {
    size_t struct_size;
    v3doff_mode mode;
    /* An index in v3doff_device_list's order, part of a name, or a UUID. NULL: the environment's
     * V3DOFF_DEVICE. Without it, the library prefers discrete, then integrated, then virtual, then
     * software devices. */
    const char *select;
    uint32_t flags; /* V3DOFF_DEVICE_* */
    /* A submit that takes longer marks the device bad. 0: the environment's V3DOFF_TIME_LIMIT;
     * without it, 2000, and 60000 on a software device. */
    uint32_t submit_timeout_ms;
    v3doff_memory_path memory; /* AUTO: the environment's V3DOFF_MEMORY, or the best */
    const char *cache_dir;     /* pipeline cache; NULL: $XDG_CACHE_HOME/v3doff; "": none */
    /* Bits 1 << V3DOFF_FAMILY_* (v3doff/stream.h). The library compiles the shaders that these
     * families need for pictures of this format before it returns the device. Otherwise the first
     * picture that needs a shader waits for it, up to a second for each shader that the pipeline
     * cache does not have. 0: nothing is compiled. */
    uint32_t prepare;
    uint32_t prepare_bit_depth;
    v3doff_chroma prepare_chroma;
    /* Not 0: the stream may have MBAFF frames (H.264, mb_adaptive_frame_field_flag), whose
     * deblocking has shaders of its own. */
    int32_t prepare_mbaff;
} v3doff_device_info;

typedef struct v3doff_device_properties {
    size_t struct_size;
    v3doff_device_kind kind;
    v3doff_memory_path memory; /* the path of this device's pools; AUTO if it is not open */
    uint32_t vendor_id, device_id;
    uint32_t api_version; /* as in VkPhysicalDeviceProperties */
    uint32_t subgroup_size;
    uint8_t uuid[16];
    uint64_t max_buffer_range; /* bytes of a picture that a shader can reach */
    uint32_t max_shared_bytes, max_push_bytes, max_group_size;
    int32_t usable; /* 0: missing says why */
    int32_t bad;    /* failed earlier in this process */
    char name[256];
    char driver[256];
    char missing[256];       /* required things this device lacks, comma separated */
    char memory_reason[256]; /* why that memory path */
} v3doff_device_properties;

/*
 * Lists the Vulkan devices of this machine in the order of their index. *count: in, the number of
 * elements of list; out, the number of devices. If list is NULL, only *count is set. Each element's
 * struct_size must be set. A machine without Vulkan: NO_VULKAN.
 */
V3DOFF_API v3doff_result v3doff_device_list(v3doff_device_properties *list, size_t *count);

/*
 * Opens a device. If info is NULL, the library chooses everything. The library reads the
 * environment once, when something asks for the first variable; this function and
 * v3doff_device_list read it again, so no other thread may change it meanwhile. On failure *out is
 * NULL. The caller then decodes on the CPU without the library, or opens a device with
 * V3DOFF_MODE_CPU.
 */
V3DOFF_API v3doff_result v3doff_device_create(v3doff_device **out, const v3doff_device_info *info);

/*
 * Not 0: this process was forked from one that had used a device through this library, or had begun
 * to open one, or in which a thread was in a function of this library. Such a child cannot use devices, because the threads that work with them are its
 * parent's. All functions that can fail return FORKED at once. Those that end a handle set it to
 * NULL and leave the object. The child can still read the samples of pictures that were done; where
 * they are in memory that it shares with its parent, the parent may change them. Samples that were
 * not final at the fork may never become so. exit() in the child leaves out the handlers that were
 * registered before the fork, as the driver's would use the parent's device. A child that calls
 * exec is a new process. A child that was forked before its parent used a device can use devices.
 * Thread-safety: any thread, any time, also in a signal handler.
 */
V3DOFF_API int v3doff_process_was_forked(void);

/* Releases a device. It is closed when its last pool and picture are closed. */
V3DOFF_API void v3doff_device_destroy(v3doff_device **device);

V3DOFF_API v3doff_result v3doff_device_get_properties(v3doff_device *device,
                                                      v3doff_device_properties *properties);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_DEVICE_H */
