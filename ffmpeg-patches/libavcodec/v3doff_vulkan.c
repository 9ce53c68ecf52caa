/*
 * libv3doff: the program's Vulkan device, which libv3doff borrows
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#include "config.h"

#include "libavutil/buffer.h"
#include "libavutil/hwcontext.h"

#include "v3doff_internal.h"

#if CONFIG_VULKAN

#include <v3doff/vulkan.h>

#include "libavutil/hwcontext_vulkan.h"
#include "libavutil/internal.h"

#include "v3doff_compat.h"

#if V3DOFF_QUEUES_ARE_LOCKED
FF_DISABLE_DEPRECATION_WARNINGS
static void lock_queue(void *opaque)
{
    const FFV3DoffLoan *loan = opaque;
    AVHWDeviceContext *device = (AVHWDeviceContext *)loan->lender->data;

    ((AVVulkanDeviceContext *)device->hwctx)->lock_queue(device, loan->family, 0);
}

static void unlock_queue(void *opaque)
{
    const FFV3DoffLoan *loan = opaque;
    AVHWDeviceContext *device = (AVHWDeviceContext *)loan->lender->data;

    ((AVVulkanDeviceContext *)device->hwctx)->unlock_queue(device, loan->family, 0);
}

static void set_locks(v3doff_borrowed_vulkan *borrowed, const AVVulkanDeviceContext *vk,
                      FFV3DoffLoan *loan)
{
    if (!vk->lock_queue || !vk->unlock_queue)
        return;
    borrowed->lock_queue   = lock_queue;
    borrowed->unlock_queue = unlock_queue;
    borrowed->opaque       = loan;
}
FF_ENABLE_DEPRECATION_WARNINGS
#else /* Vulkan locks its queues itself. */
static void set_locks(v3doff_borrowed_vulkan *borrowed, const AVVulkanDeviceContext *vk,
                      FFV3DoffLoan *loan)
{
}
#endif

static int has_timelines(const VkPhysicalDeviceFeatures2 *features)
{
    for (const VkBaseInStructure *at = features->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES &&
            ((const VkPhysicalDeviceVulkan12Features *)at)->timelineSemaphore)
            return 1;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES &&
            ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)at)->timelineSemaphore)
            return 1;
    }
    return 0;
}

/* Prefers a family that cannot draw, because it has less work. Returns -1 if none can compute. */
static int find_queue_family(const AVVulkanDeviceContext *vk)
{
    int found = -1;

    for (int i = 0; i < vk->nb_qf; i++)
        if (vk->qf[i].flags & VK_QUEUE_COMPUTE_BIT && vk->qf[i].num > 0 &&
            (found < 0 || !(vk->qf[i].flags & VK_QUEUE_GRAPHICS_BIT)))
            found = vk->qf[i].idx;
    return found;
}

static VkQueue get_queue(const AVVulkanDeviceContext *vk, uint32_t family)
{
    const VkDeviceQueueInfo2 info = {
        .sType            = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
        .flags            = V3DOFF_QUEUE_FLAGS(vk),
        .queueFamilyIndex = family,
    };
    PFN_vkGetDeviceQueue2 get =
        (PFN_vkGetDeviceQueue2)vk->get_proc_addr(vk->inst, "vkGetDeviceQueue2");
    VkQueue queue = VK_NULL_HANDLE;

    if (get)
        get(vk->act_dev, &info, &queue);
    return queue;
}

/* Returns NULL, or why libv3doff cannot use the device. */
static const char *open_borrowed(FFV3DoffLoan *loan, v3doff_mode mode, v3doff_device **device)
{
    AVHWDeviceContext *lender = (AVHWDeviceContext *)loan->lender->data;
    const AVVulkanDeviceContext *vk = lender->hwctx;
    v3doff_device_info info = { sizeof(info) };
    v3doff_device_properties properties = { sizeof(properties) };
    v3doff_borrowed_vulkan borrowed = { sizeof(borrowed) };
    const int family = find_queue_family(vk);
    v3doff_result res;

    if (!has_timelines(&vk->device_features))
        return "its timelineSemaphore feature is off";
    if (family < 0)
        return "none of its queues computes";
    loan->family = family;
    borrowed.get_instance_proc_addr = vk->get_proc_addr;
    borrowed.instance        = vk->inst;
    borrowed.physical_device = vk->phys_dev;
    borrowed.device          = vk->act_dev;
    borrowed.queue           = get_queue(vk, family);
    borrowed.queue_family    = family;
    borrowed.extensions      = vk->enabled_dev_extensions;
    borrowed.extension_count = vk->nb_enabled_dev_extensions;
    set_locks(&borrowed, vk, loan);
    info.mode = mode;
    res = v3doff_device_create_borrowed(device, &borrowed, &info);
    if (res < 0)
        return v3doff_result_text(res);
    if (v3doff_device_get_properties(*device, &properties) >= 0 &&
        properties.memory != V3DOFF_MEMORY_CPU)
        return NULL;
    v3doff_device_destroy(device);
    return "it shares no memory with the CPU, or its extensions for that are off";
}

int ff_v3doff_borrow(void *logctx, AVBufferRef *lender, v3doff_mode mode, FFV3DoffLoan *loan,
                     v3doff_device **device)
{
    const char *refusal = "out of memory";

    if (((AVHWDeviceContext *)lender->data)->type != AV_HWDEVICE_TYPE_VULKAN)
        return 0;
    loan->lender = av_buffer_ref(lender);
    if (loan->lender)
        refusal = open_borrowed(loan, mode, device);
    if (!refusal)
        return 1;
    av_log(logctx, AV_LOG_WARNING, "libv3doff: not on the program's Vulkan device: %s; "
           "libv3doff opens one itself\n", refusal);
    av_buffer_unref(&loan->lender);
    return 0;
}

#endif /* CONFIG_VULKAN */
