// SPDX-License-Identifier: BSD-2-Clause
// The commands of one submit, with the descriptor sets and named timestamps that they need. All are
// used again. Commands stay plain data until they are submitted. So recording cannot fail half way,
// and any thread can write the command buffer.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <variant>
#include <vector>

#include "vk/buffer.hpp"
#include "vk/dispatch.hpp"
#include "vk/pipelines.hpp"

namespace v3doff::vk {

class CommandBuffer;

struct BufferView {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0; // from its beginning
    uint64_t id = 0;        // Buffer::id()

    BufferView() = default;
    explicit BufferView(const Buffer &of, VkDeviceSize most = VK_WHOLE_SIZE)
        : buffer(of.handle()), bytes(std::min<VkDeviceSize>(of.size(), most)), id(of.id()) {}
    bool operator==(const BufferView &) const = default;
};

// Bytes that a copy takes from one buffer to another.
struct Region {
    size_t from, to, bytes; // where they begin in each, and how many
};

class Commands {
  public:
    explicit Commands(Device &device);
    ~Commands();
    Commands(const Commands &) = delete;
    Commands &operator=(const Commands &) = delete;

    void begin();
    // Sets the buffers of a set, before any dispatch. Only samples and arena must be given. Views
    // that did not change since the last call cost nothing. Buffers of earlier calls may be gone.
    void bind(uint32_t set, const std::array<BufferView, binding_count> &views);
    // Throws where the bytes do not lie inside both buffers.
    void copy(const Buffer &from, size_t from_offset, const Buffer &to, size_t to_offset,
              size_t bytes) {
        const Region region{from_offset, to_offset, bytes};
        copy(from, to, {&region, bytes ? size_t(1) : 0});
    }
    void copy(const Buffer &from, const Buffer &to, std::span<const Region> regions);
    // Measures what is recorded between the two calls. The name is a literal or a shader's.
    void begin_timer(const char *name);
    void end_timer();
    void fill(const Buffer &buffer, size_t offset, uint32_t word);
    // Makes the results of all earlier commands visible to all later ones. There always is one
    // before the first command and one after the last. With `shaders` or `copies`, only dispatches
    // or only copies wait; the other commands may overlap.
    enum class Scope { shaders = 1, copies = 2, all = 3 };
    void barrier(Scope scope = Scope::all);
    // Cuts it into at most `most` pieces, if it is by_area. Returns their number.
    uint32_t dispatch(const Dispatch &dispatch, uint32_t most = 1);

    // A step is what lies between two barriers.
    size_t steps() const { return steps_.size(); }
    Scope scope_behind(size_t step) const { return steps_[step].behind; }
    void write_step(size_t step, CommandBuffer &buffer) const;

    struct Timer {
        const char *name;
        uint64_t ns;
    };
    // After the submit has finished; empty unless the device measures.
    const std::vector<Timer> &read_timers();
    uint64_t span_ns() const { return span_ns_; } // from the first timer's begin to the last's end

  private:
    struct Copy {
        VkBuffer from, to;
        uint32_t first, count; // in regions_
    };
    struct Fill {
        VkBuffer buffer;
        VkDeviceSize offset;
        uint32_t word;
    };
    struct Run {
        VkPipeline pipeline;
        uint32_t dispatch; // in dispatches_
        Piece piece;
    };
    struct Timestamp {
        VkPipelineStageFlagBits stage;
        uint32_t query;
    };
    using Command = std::variant<Copy, Fill, Run, Timestamp>;
    struct Step {
        uint32_t end; // in commands_
        Scope behind;
    };

    static constexpr uint32_t max_timers = 256;
    void create_descriptors();
    void add(const Command &command);
    void write(const Copy &copy, CommandBuffer &buffer) const;
    void write(const Fill &fill, CommandBuffer &buffer) const;
    void write(const Run &run, CommandBuffer &buffer) const;
    void write(const Timestamp &timestamp, CommandBuffer &buffer) const;

    Device &device_;
    std::vector<Command> commands_;
    std::vector<Step> steps_;
    bool open_ = false; // the last step has no barrier behind it yet
    std::vector<VkBufferCopy> regions_;
    std::vector<Dispatch> dispatches_;
    VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
    std::array<VkDescriptorSet, set_count> sets_{};
    std::array<std::array<BufferView, binding_count>, set_count> views_; // in the sets
    VkQueryPool queries_ = VK_NULL_HANDLE;
    std::vector<Timer> timers_;
    bool timing_ = false;
    uint64_t span_ns_ = 0;
};

constexpr Commands::Scope operator|(Commands::Scope a, Commands::Scope b) {
    return Commands::Scope(int(a) | int(b));
}

} // namespace v3doff::vk
