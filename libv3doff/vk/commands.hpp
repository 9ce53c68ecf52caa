// SPDX-License-Identifier: BSD-2-Clause
// What one submit needs of Vulkan, kept and used again: a command buffer, a descriptor set, and
// timestamps with names.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "vk/buffer.hpp"
#include "vk/pipelines.hpp"

namespace v3doff::vk {

struct BufferView {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0; // from its beginning
    uint64_t id = 0;        // Buffer::id()

    BufferView() = default;
    explicit BufferView(const Buffer &of, VkDeviceSize most = VK_WHOLE_SIZE)
        : buffer(of.handle()), bytes(std::min<VkDeviceSize>(of.size(), most)), id(of.id()) {}
    bool operator==(const BufferView &) const = default;
};

class Commands {
  public:
    explicit Commands(Device &device);
    ~Commands();
    Commands(const Commands &) = delete;
    Commands &operator=(const Commands &) = delete;

    void begin();
    // Says what a set of bindings is, before any dispatch; views may be empty but for the samples
    // and the arena. What is as it was the last time costs nothing.
    void bind(uint32_t set, const std::array<BufferView, binding_count> &views);
    // Throws where the bytes do not lie inside both buffers.
    void copy(const Buffer &from, VkDeviceSize from_offset, const Buffer &to,
              VkDeviceSize to_offset, VkDeviceSize bytes) {
        const VkBufferCopy region{from_offset, to_offset, bytes};
        copy(from, to, {&region, bytes ? size_t(1) : 0});
    }
    void copy(const Buffer &from, const Buffer &to, std::span<const VkBufferCopy> regions);
    // Measures what is recorded between the two; name as for dispatch().
    void begin_timer(const char *name);
    void end_timer();
    void fill(VkBuffer buffer, VkDeviceSize offset, uint32_t word);
    // Makes everything before visible to everything after.
    // shaders, copies: of dispatches alone, or of copies alone; the others go on beside them.
    enum class Scope { all, shaders, copies };
    void barrier(Scope scope = Scope::all);
    // name must outlive the library's use of it: a literal or a shader's name.
    void dispatch(VkPipeline pipeline, const char *name, std::array<uint32_t, 3> groups,
                  const void *push, size_t push_bytes, uint32_t set = 0,
                  std::array<uint32_t, 3> first = {});
    VkCommandBuffer end(); // also makes the results visible to the CPU

    struct Timer {
        const char *name;
        uint64_t ns;
    };
    // After the submit has finished; empty unless the device measures.
    const std::vector<Timer> &read_timers();
    uint64_t span_ns() const { return span_ns_; } // from the first timer's begin to the last's end

  private:
    static constexpr uint32_t max_timers = 64;
    void create_descriptors();

    Device &device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
    VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
    std::array<VkDescriptorSet, set_count> sets_{};
    std::array<std::array<BufferView, binding_count>, set_count> views_; // in the sets
    uint32_t bound_ = set_count;                                         // none
    VkQueryPool queries_ = VK_NULL_HANDLE;
    std::vector<Timer> timers_;
    bool timing_ = false;
    uint64_t span_ns_ = 0;
};

} // namespace v3doff::vk
