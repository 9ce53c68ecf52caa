// SPDX-License-Identifier: BSD-2-Clause
// A storage buffer that the CPU can reach, by one of the memory paths.
#pragma once

#include <atomic>
#include <memory>

#include "vk/device.hpp"
#include "vk/host_pages.hpp"

namespace v3doff::vk {

class Buffer {
  public:
    // Our own memory by the given path. Throws with the reason if the path is unavailable.
    static std::unique_ptr<Buffer> create(Device &device, v3doff_memory_path path, size_t bytes);

    // Memory that the CPU may read, by the first path with cached memory. Throws UNSUPPORTED if
    // there is none, unless the environment allows uncached memory.
    static std::unique_ptr<Buffer> create_readable(Device &device, size_t bytes);

    // Memory by this path that the CPU may read. Null: it is unavailable, and the log says why.
    static std::unique_ptr<Buffer> try_shared(Device &device, v3doff_memory_path path,
                                              size_t bytes);

    // The caller's pages, imported by address; both are multiples of the import alignment.
    static std::unique_ptr<Buffer> import_host(Device &device, void *data, size_t bytes);

    // Memory that only shaders touch.
    static std::unique_ptr<Buffer> create_private(Device &device, size_t bytes);

    ~Buffer();
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    VkBuffer handle() const { return buffer_; }
    // Unique in the process, while a handle may be used again once its buffer is gone.
    uint64_t id() const { return id_; }
    size_t size() const { return size_; }
    std::byte *data() const { return data_; }
    int dma_buf_fd() const { return pages_.dma_buf_fd(); } // -1: none
    bool cached() const { return cached_; } // false: the CPU should only write, in order
    // False: the CPU must not read it. Readers take the address from data_to_read().
    bool readable() const { return cached_ || device_.caps().uncached_reads; }
    const std::byte *data_to_read() const;

    // Called before and after CPU access, for the cache maintenance that the memory may need.
    void begin_cpu_access() const;
    void end_cpu_access() const;

    // If splits(): the same for a part, while others work on other parts.
    bool splits() const { return pages_.splits() && (!mapped_ || coherent_); }
    void begin_cpu_access(size_t at, size_t bytes) const { pages_.begin_cpu_access(at, bytes); }
    void end_cpu_access(size_t at, size_t bytes) const { pages_.end_cpu_access(at, bytes); }

  private:
    explicit Buffer(Device &device) : device_(device) {}
    void create_buffer(size_t bytes, VkExternalMemoryHandleTypeFlags external);
    VkMemoryRequirements requirements() const;
    void import_pages(void *data);
    void import_dma_buf();
    void allocate_mapped(VkMemoryPropertyFlags required, VkMemoryPropertyFlags preferred);
    void allocate(const VkMemoryAllocateInfo &info, const char *what);
    VkMappedMemoryRange whole() const;

    static inline std::atomic<uint64_t> last_id_{0};

    Device &device_;
    const uint64_t id_ = ++last_id_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    HostPages pages_;
    std::byte *data_ = nullptr;
    size_t size_ = 0;
    bool cached_ = true, mapped_ = false, coherent_ = true;
};

} // namespace v3doff::vk
