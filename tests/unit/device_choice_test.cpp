// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include "util/error.hpp"
#include "vk/instance.hpp"

using namespace v3doff;
using vk::Instance;

namespace {

vk::Facts sound_facts(const char *name, VkPhysicalDeviceType type, uint8_t id) {
    vk::Facts facts;
    facts.name = name;
    facts.type = type;
    facts.api_version = VK_API_VERSION_1_2;
    facts.uuid = {0xab, id};
    facts.timeline = true;
    facts.queue_family = 0;
    facts.limits.maxPerStageDescriptorStorageBuffers = 8;
    facts.limits.maxComputeWorkGroupInvocations = 256;
    facts.limits.maxComputeWorkGroupSize[0] = 256;
    facts.limits.maxComputeSharedMemorySize = 16384;
    facts.limits.maxPushConstantsSize = 128;
    return facts;
}

Instance::Candidate candidate(const vk::Facts &facts) {
    return {facts, vk::judge(facts), {}};
}

std::vector<Instance::Candidate> machine() {
    return {candidate(sound_facts("llvmpipe", VK_PHYSICAL_DEVICE_TYPE_CPU, 0)),
            candidate(sound_facts("Virtual one", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, 1)),
            candidate(sound_facts("V3D 7.1.7.0", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 2)),
            candidate(sound_facts("Big Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 3))};
}

v3doff_result refusal(const std::vector<Instance::Candidate> &list, const char *select,
                      bool software) {
    try {
        vk::select_device(list, select, software);
    } catch (const Error &problem) {
        return problem.code();
    }
    return V3DOFF_OK;
}

void add_memory(vk::Facts &facts, VkMemoryPropertyFlags flags) {
    facts.memory.memoryTypes[facts.memory.memoryTypeCount++].propertyFlags = flags;
}

} // namespace

TEST(DeviceChoice, DiscreteBeforeIntegratedBeforeVirtualBeforeSoftware) {
    auto list = machine();
    for (size_t expected = 3; expected > 0; expected--) {
        EXPECT_EQ(vk::select_device(list, "", true), expected);
        list.pop_back();
    }
    EXPECT_EQ(vk::select_device(list, "", true), 0u);
    EXPECT_EQ(refusal(list, "", false), V3DOFF_ERROR_NO_DEVICE);
    EXPECT_EQ(refusal({}, "", true), V3DOFF_ERROR_NO_DEVICE);
}

TEST(DeviceChoice, ByIndexNameOrUuid) {
    auto list = machine();
    EXPECT_EQ(vk::select_device(list, "1", false), 1u);
    EXPECT_EQ(vk::select_device(list, "v3d", false), 2u);
    EXPECT_EQ(vk::select_device(list, "BIG", false), 3u);
    EXPECT_EQ(vk::select_device(list, "ab010000-0000-0000-0000-000000000000", false), 1u);
    EXPECT_EQ(vk::select_device(list, "AB020000000000000000000000000000", false), 2u);
}

TEST(DeviceChoice, NonsenseIsRefused) {
    auto list = machine();
    for (const char *select : {"4", "-1", "99999999999999999999999", "radeon", "ab", "0x1"})
        EXPECT_EQ(refusal(list, select, true), V3DOFF_ERROR_NO_DEVICE) << select;
    EXPECT_EQ(refusal(list, "llvmpipe", false), V3DOFF_ERROR_NO_DEVICE);
    EXPECT_EQ(refusal(list, "llvmpipe", true), V3DOFF_OK);
}

TEST(DeviceChoice, WhatIsMissingIsNamed) {
    vk::Facts facts = sound_facts("Old", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 9);
    facts.api_version = VK_API_VERSION_1_1;
    facts.timeline = false;
    vk::Caps caps = vk::judge(facts);
    EXPECT_EQ(caps.missing, "Vulkan 1.2, timeline semaphore");
    EXPECT_EQ(refusal({candidate(facts)}, "", true), V3DOFF_ERROR_NO_DEVICE);
    EXPECT_EQ(refusal({candidate(facts)}, "Old", true), V3DOFF_ERROR_NO_DEVICE);
}

TEST(MemoryPaths, UncachedDriverGetsCachedPages) {
    vk::Facts facts = sound_facts("V3D", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 2);
    add_memory(facts, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    facts.dma_buf = true;
    auto paths = vk::judge(facts).memory_paths;
    EXPECT_EQ(paths, (std::vector<v3doff_memory_path>{V3DOFF_MEMORY_UDMABUF, V3DOFF_MEMORY_DMA_HEAP,
                                                      V3DOFF_MEMORY_STAGING}));
}

TEST(MemoryPaths, DesktopImportsThenCaches) {
    vk::Facts facts = sound_facts("Card", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 2);
    add_memory(facts, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT |
                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    facts.host_import_alignment = 4096;
    auto paths = vk::judge(facts).memory_paths;
    EXPECT_EQ(paths,
              (std::vector<v3doff_memory_path>{V3DOFF_MEMORY_HOST_IMPORT, V3DOFF_MEMORY_HOST_CACHED,
                                               V3DOFF_MEMORY_STAGING}));
}

TEST(MemoryPaths, NothingSharedIsStaging) {
    vk::Facts facts = sound_facts("Odd", VK_PHYSICAL_DEVICE_TYPE_OTHER, 2);
    EXPECT_EQ(vk::judge(facts).memory_paths,
              std::vector<v3doff_memory_path>{V3DOFF_MEMORY_STAGING});
}
