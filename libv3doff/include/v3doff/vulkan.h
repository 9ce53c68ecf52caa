/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lending libv3doff a Vulkan device that the program already has. Needs the Vulkan headers.
 */
#ifndef V3DOFF_VULKAN_H
#define V3DOFF_VULKAN_H

#include <vulkan/vulkan_core.h>

#include "v3doff/v3doff.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The device still belongs to the caller. It must outlive everything that the library makes from
 * it. It must have been created for Vulkan 1.2 or later with the timelineSemaphore feature on.
 *
 * A VkQueue is not thread-safe. If the program also submits to the queue, lock_queue and
 * unlock_queue must use the program's lock for it. The library holds the lock only during
 * vkQueueSubmit. If only the library uses the queue, both may be NULL.
 */
typedef struct v3doff_borrowed_vulkan {
    size_t struct_size;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue;
    uint32_t queue_family; /* must have VK_QUEUE_COMPUTE_BIT */
    /* The device's enabled extensions; the library uses no others. */
    const char *const *extensions;
    uint32_t extension_count;
    void (*lock_queue)(void *opaque);
    void (*unlock_queue)(void *opaque);
    void *opaque;
} v3doff_borrowed_vulkan;

/* As v3doff_device_create, but info->select is ignored. The mode AUTO refuses a software device
 * here, too. */
V3DOFF_API v3doff_result v3doff_device_create_borrowed(v3doff_device **out,
                                                       const v3doff_borrowed_vulkan *borrowed,
                                                       const v3doff_device_info *info);

#ifdef __cplusplus
}
#endif

#endif /* V3DOFF_VULKAN_H */
