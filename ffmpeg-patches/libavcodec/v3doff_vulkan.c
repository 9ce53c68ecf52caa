/*
 * libv3doff: a program's Vulkan device (hw_device_ctx), which libv3doff borrows
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
#include "libavutil/mem.h"
#include "libavutil/thread.h"

#include "v3doff_compat.h"

/** A device of the program that libv3doff works on, shared by the decoders that have the same. */
struct FFV3DoffLoan {
    AVBufferRef *lender;     ///< the program's AVHWDeviceContext
    uint32_t family;         ///< libv3doff submits to the first queue of this family, as the program may do
    v3doff_mode mode;
    v3doff_device *device;
    unsigned users;          ///< number of decoders
    FFV3DoffLoan *next;
};

static AVMutex loans_mutex = AV_MUTEX_INITIALIZER;
static FFV3DoffLoan *loans;

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
#else /* FFmpeg's devices have queues that Vulkan itself locks. */
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

/* Prefers a family that cannot draw, because the program uses it less. Returns -1 if none can compute. */
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
static const char *open_borrowed(FFV3DoffLoan *loan)
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
    info.mode = loan->mode;
    res = v3doff_device_create_borrowed(&loan->device, &borrowed, &info);
    if (res < 0)
        return v3doff_result_text(res);
    if (v3doff_device_get_properties(loan->device, &properties) >= 0 &&
        properties.memory != V3DOFF_MEMORY_CPU)
        return NULL;
    v3doff_device_destroy(&loan->device);
    return "it shares no memory with the CPU, or its extensions for that are off";
}

/* Finds or begins a loan, with loans_mutex. Returns NULL if libv3doff cannot use the device. */
static FFV3DoffLoan *loan_of(void *logctx, AVBufferRef *lender, v3doff_mode mode, int begin)
{
    const char *refusal = "out of memory";
    FFV3DoffLoan *loan;

    for (loan = loans; loan; loan = loan->next)
        if (loan->mode == mode && loan->lender->data == lender->data)
            return loan;
    if (!begin)
        return NULL;
    loan = av_mallocz(sizeof(*loan));
    if (loan && (loan->lender = av_buffer_ref(lender))) {
        loan->mode = mode;
        refusal = open_borrowed(loan);
    }
    if (!refusal) {
        loan->next = loans;
        return loans = loan;
    }
    av_log(logctx, AV_LOG_WARNING, "libv3doff: not on the program's Vulkan device: %s; "
           "libv3doff opens one itself\n", refusal);
    if (loan)
        av_buffer_unref(&loan->lender);
    av_free(loan);
    return NULL;
}

FFV3DoffLoan *ff_v3doff_lend(void *logctx, AVBufferRef *lender, v3doff_stream *stream,
                             v3doff_mode mode, int begin)
{
    FFV3DoffLoan *loan;

    if (((AVHWDeviceContext *)lender->data)->type != AV_HWDEVICE_TYPE_VULKAN)
        return NULL;
    ff_mutex_lock(&loans_mutex);
    loan = loan_of(logctx, lender, mode, begin);
    if (loan)
        loan->users++;
    ff_mutex_unlock(&loans_mutex);
    if (!loan || v3doff_stream_lend(stream, loan->device) == V3DOFF_OK)
        return loan;
    ff_v3doff_loan_end(loan); // the stream has found another device before
    return NULL;
}

void ff_v3doff_loan_end(FFV3DoffLoan *loan)
{
    FFV3DoffLoan **at = &loans;
    int last;

    ff_mutex_lock(&loans_mutex);
    last = !--loan->users;
    if (last) {
        while (*at != loan)
            at = &(*at)->next;
        *at = loan->next;
    }
    ff_mutex_unlock(&loans_mutex);
    if (!last)
        return;
    v3doff_device_destroy(&loan->device);
    av_buffer_unref(&loan->lender); // this may call functions of the program
    av_free(loan);
}

#endif /* CONFIG_VULKAN */
