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

// Every shader sees the same storage buffers, so that a picture binds one descriptor set once. V3D
// has eight a stage.
enum Binding : uint32_t {
    binding_samples,
    binding_arena,
    binding_scratch,
    binding_reference, // another picture's samples, only read
    // Only where the passes work on a copy: what it is a copy of, and the backup.
    binding_host_samples,
    binding_host_arena,
    binding_backup,
    binding_count
};
// Sets of them that a submit can choose from: they differ in the reference. V3D has no dynamic
// index of storage buffers, and a set for each dispatch costs less than branches in every shader.
inline constexpr uint32_t set_count = 17;

class Pipelines {
  public:
    explicit Pipelines(Device &device);
    ~Pipelines();

    // Throws where the driver does not compile it. Who wants another one meanwhile does not wait.
    VkPipeline get(uint32_t shader);
    size_t made() const;
    VkPipelineLayout layout() const { return layout_; }
    VkDescriptorSetLayout set_layout() const { return set_layout_; }

    // Writes the cache file when it does not have all that was compiled.
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
    // Of the cache, when it was read from the file or written to it: a larger one has something
    // new.
    size_t saved_bytes_ = 0;
};

} // namespace v3doff::vk
