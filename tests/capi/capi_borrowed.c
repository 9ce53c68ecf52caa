/* SPDX-License-Identifier: BSD-2-Clause */
/* Lending a VkDevice that the program made itself, with a lock round its queue. */
#include "v3doff/vulkan.h"

#include <dlfcn.h>
#include <string.h>

#include "capi_helpers.h"

static int locked, locks;

static void lock_queue(void *opaque) {
    (void)opaque;
    EXPECT(!locked);
    locked = 1;
    locks++;
}

static void unlock_queue(void *opaque) {
    (void)opaque;
    EXPECT(locked);
    locked = 0;
}

#define LOAD(name) PFN_##name name = (PFN_##name)get(instance, #name)

static void make_device(v3doff_borrowed_vulkan *lent, PFN_vkGetInstanceProcAddr get) {
    VkInstance instance = VK_NULL_HANDLE;
    LOAD(vkCreateInstance);
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    EXPECT(vkCreateInstance(&info, NULL, &instance) == VK_SUCCESS);
    LOAD(vkEnumeratePhysicalDevices);
    LOAD(vkCreateDevice);
    LOAD(vkGetDeviceQueue);
    uint32_t count = 1;
    EXPECT(vkEnumeratePhysicalDevices(instance, &count, &lent->physical_device) >= 0 && count);
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    features.timelineSemaphore = VK_TRUE;
    VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    create.pNext = &features;
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queue;
    EXPECT(vkCreateDevice(lent->physical_device, &create, NULL, &lent->device) == VK_SUCCESS);
    vkGetDeviceQueue(lent->device, 0, 0, &lent->queue);
    lent->instance = instance;
    lent->get_instance_proc_addr = get;
    lent->lock_queue = lock_queue;
    lent->unlock_queue = unlock_queue;
}

int main(void) {
    watch_log();
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
    EXPECT(loader != NULL);
    v3doff_borrowed_vulkan lent = {.struct_size = sizeof lent};
    make_device(&lent, (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr"));
    v3doff_device_info info = {.struct_size = sizeof info};
    info.mode = V3DOFF_MODE_FORCE;
    v3doff_device *device = NULL;

    v3doff_borrowed_vulkan broken = lent;
    broken.queue = VK_NULL_HANDLE;
    EXPECT_RESULT(v3doff_device_create_borrowed(&device, &broken, &info),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT(strstr(last_log_line, "queue") != NULL);
    broken = lent;
    broken.unlock_queue = NULL;
    EXPECT_RESULT(v3doff_device_create_borrowed(&device, &broken, &info),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT_RESULT(v3doff_device_create_borrowed(&device, NULL, &info),
                  V3DOFF_ERROR_INVALID_ARGUMENT);
    EXPECT(device == NULL);

    EXPECT_OK(v3doff_device_create_borrowed(&device, &lent, &info));
    v3doff_pool *pool = open_test_pool(device, 96, 80);
    for (unsigned i = 0; i < 5; i++) {
        v3doff_picture *picture = open_test_picture(pool);
        record_something(picture, i);
        finish(picture, V3DOFF_EXECUTOR_GPU);
        EXPECT(checksum_of(picture) == expected_checksum(96, 80, i));
        v3doff_picture_close(&picture);
    }
    EXPECT(locks == 5 && !locked); /* one submit a picture, each under the lock */
    v3doff_pool_destroy(&pool);
    v3doff_device_destroy(&device);

    /* The program must destroy the device that it lent. */
    PFN_vkGetInstanceProcAddr get = lent.get_instance_proc_addr;
    VkInstance instance = lent.instance;
    LOAD(vkDestroyDevice);
    LOAD(vkDestroyInstance);
    vkDestroyDevice(lent.device, NULL);
    vkDestroyInstance(instance, NULL);
    printf("5 pictures on a borrowed device\n");
    return 0;
}
