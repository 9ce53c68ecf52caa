// SPDX-License-Identifier: BSD-2-Clause
// Compute pipelines of one device, made on first use, and their cache on disk.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "vk/functions.hpp"
#include "vk/shaders.hpp"

namespace v3doff::vk {

class Device;

// All shaders use the same storage buffers, so that a picture binds one descriptor set once. V3D
// allows eight in a stage.
enum Binding : uint32_t {
    binding_samples,
    binding_arena,
    binding_scratch,
    binding_reference, // another picture's samples, only read
    // Used if the passes work on a copy: the original samples and arena, and the backup.
    binding_host_samples,
    binding_host_arena,
    binding_backup,
    binding_count
};
// The number of descriptor sets of a submit, which differ in the reference. V3D cannot index
// storage buffers dynamically, and a set for each dispatch costs less than branches in shaders.
inline constexpr uint32_t set_count = 17;

class Pipelines {
  public:
    explicit Pipelines(Device &device);
    ~Pipelines();

    // Throws if the driver cannot compile it. Calls for other pipelines do not wait for this one.
    VkPipeline get(uint32_t shader);
    size_t made() const;
    VkPipelineLayout layout() const { return layout_; }
    VkDescriptorSetLayout set_layout() const { return set_layout_; }

    // Writes the cache file if it lacks anything that was compiled.
    void save_if_new();

  private:
    struct Entry {
        std::mutex making;
        std::atomic<VkPipeline> pipeline{VK_NULL_HANDLE};
    };

    void create_layouts();
    void create_cache();
    VkPipeline create(uint32_t shader);
    size_t cache_bytes() const;
    std::string cache_path() const;

    Device &device_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::vector<Entry> entries_;
    std::atomic<bool> new_pipelines_ = false;
    std::mutex saving_;
    // The size of the cache when the file was last read or written. A larger cache has something
    // new.
    size_t saved_bytes_ = 0;
};

} // namespace v3doff::vk
