// SPDX-License-Identifier: BSD-2-Clause
#include "vk/commands.hpp"

#include "util/error.hpp"
#include "util/fault.hpp"
#include "vk/command_buffer.hpp"
#include "vk/shaders.hpp"

namespace v3doff::vk {

Commands::Commands(Device &device) : device_(device) {
    const DeviceFunctions &fn = device.fn();
    create_descriptors();
    timers_.reserve(max_timers);
    if (!device.options().timers || !device.facts().timestamps) return;
    VkQueryPoolCreateInfo queries{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = 2 * max_timers;
    check(fn.vkCreateQueryPool(device.handle(), &queries, nullptr, &queries_), "vkCreateQueryPool");
}

Commands::~Commands() {
    if (device_.abandoned()) return;
    const DeviceFunctions &fn = device_.fn();
    fn.vkDestroyQueryPool(device_.handle(), queries_, nullptr);
    fn.vkDestroyDescriptorPool(device_.handle(), descriptor_pool_, nullptr);
}

void Commands::create_descriptors() {
    const DeviceFunctions &fn = device_.fn();
    VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, binding_count * set_count};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = set_count;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(fn.vkCreateDescriptorPool(device_.handle(), &pool, nullptr, &descriptor_pool_),
          "vkCreateDescriptorPool");
    std::array<VkDescriptorSetLayout, set_count> layouts;
    layouts.fill(device_.pipelines().set_layout());
    VkDescriptorSetAllocateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    set.descriptorPool = descriptor_pool_;
    set.descriptorSetCount = set_count;
    set.pSetLayouts = layouts.data();
    check(fn.vkAllocateDescriptorSets(device_.handle(), &set, sets_.data()),
          "vkAllocateDescriptorSets");
}

void Commands::begin() {
    commands_.clear();
    steps_.clear();
    open_ = false;
    regions_.clear();
    dispatches_.clear();
    timers_.clear();
}

void Commands::add(const Command &command) {
    commands_.push_back(command);
    if (!open_) steps_.push_back({0, Scope::all});
    open_ = true;
    steps_.back().end = uint32_t(commands_.size());
}

// A binding that is not used any more gets the samples. Its old buffer may be gone, and Mesa's
// lavapipe looks at every binding of a set, even if no shader reads it.
void Commands::bind(uint32_t set, const std::array<BufferView, binding_count> &views) {
    const DeviceFunctions &fn = device_.fn();
    VkDescriptorBufferInfo infos[binding_count];
    VkWriteDescriptorSet writes[binding_count];
    uint32_t count = 0;
    for (uint32_t i = 0; i < binding_count; i++) {
        const bool no_longer = !views[i].buffer && views_[set][i].buffer;
        const BufferView &view = views[no_longer ? uint32_t(binding_samples) : i];
        if (!view.buffer || view == views_[set][i]) continue;
        views_[set][i] = view;
        infos[count] = {view.buffer, 0, view.bytes};
        writes[count] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        writes[count].dstSet = sets_[set];
        writes[count].dstBinding = i;
        writes[count].descriptorCount = 1;
        writes[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[count].pBufferInfo = &infos[count];
        count++;
    }
    if (count) fn.vkUpdateDescriptorSets(device_.handle(), count, writes, 0, nullptr);
}

// Drivers do not check this: a copy beyond the end would overwrite another buffer. Where dispatches
// are cut, copies are too, as the GPU cannot interrupt either. Otherwise this is one command.
void Commands::copy(const Buffer &from, const Buffer &to, std::span<const Region> regions) {
    for (const Region &region : regions)
        if (region.from + region.bytes > from.size() || region.to + region.bytes > to.size())
            throw Error(V3DOFF_ERROR_INTERNAL, "a copy beyond the end of a buffer");
    if (regions.empty()) return;
    const uint32_t first = uint32_t(regions_.size());
    const size_t piece = device_.caps().piece_bytes / 4 * 4;
    if (!piece) {
        for (const Region &region : regions)
            regions_.push_back({region.from, region.to, region.bytes});
        return add(Copy{from.handle(), to.handle(), first, uint32_t(regions.size())});
    }
    for (const Region &region : regions)
        for (size_t at = 0; at < region.bytes; at += piece) {
            regions_.push_back(
                {region.from + at, region.to + at, std::min(piece, region.bytes - at)});
            add(Copy{from.handle(), to.handle(), uint32_t(regions_.size() - 1), 1});
        }
}

void Commands::fill(const Buffer &buffer, size_t offset, uint32_t word) {
    add(Fill{buffer.handle(), offset, word});
}

void Commands::barrier(Scope scope) {
    if (fault::hit(fault::Point::barrier)) return;
    if (steps_.empty()) return; // there is one already
    steps_.back().behind = open_ ? scope : steps_.back().behind | scope;
    open_ = false;
}

uint32_t Commands::dispatch(const Dispatch &dispatch, uint32_t most) {
    const VkPipeline pipeline = device_.pipelines().get(dispatch.shader);
    const uint32_t pieces = most_pieces(dispatch, most), number = uint32_t(dispatches_.size());
    dispatches_.push_back(dispatch);
    for (uint32_t p = 0; p < pieces; p++) { // independent, as workgroups are: no barrier
        begin_timer(shader_codes()[dispatch.shader].name);
        // With the fault `idle`, nothing is recorded, as if the device had forgotten the dispatch.
        if (!fault::hit(fault::Point::idle))
            add(Run{pipeline, number, piece_of(dispatch, pieces, p)});
        end_timer();
    }
    return pieces;
}

void Commands::begin_timer(const char *name) {
    timing_ = queries_ && timers_.size() < max_timers;
    if (!timing_) return;
    add(Timestamp{VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 2 * uint32_t(timers_.size())});
    timers_.push_back({name, 0});
}

void Commands::end_timer() {
    if (!timing_) return;
    add(Timestamp{VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 2 * uint32_t(timers_.size()) - 1});
    timing_ = false;
}

void Commands::write_step(size_t step, CommandBuffer &buffer) const {
    if (!step && queries_)
        device_.fn().vkCmdResetQueryPool(buffer.handle(), queries_, 0, 2 * max_timers);
    for (uint32_t i = step ? steps_[step - 1].end : 0; i < steps_[step].end; i++)
        std::visit([&](const auto &command) { write(command, buffer); }, commands_[i]);
}

void Commands::write(const Copy &copy, CommandBuffer &buffer) const {
    device_.fn().vkCmdCopyBuffer(buffer.handle(), copy.from, copy.to, copy.count,
                                 regions_.data() + copy.first);
}

void Commands::write(const Fill &fill, CommandBuffer &buffer) const {
    device_.fn().vkCmdFillBuffer(buffer.handle(), fill.buffer, fill.offset, sizeof fill.word,
                                 fill.word);
}

void Commands::write(const Run &run, CommandBuffer &buffer) const {
    const DeviceFunctions &fn = device_.fn();
    const Dispatch &dispatch = dispatches_[run.dispatch];
    buffer.use(run.pipeline, sets_[dispatch.reference]);
    if (dispatch.push_bytes)
        fn.vkCmdPushConstants(buffer.handle(), device_.pipelines().layout(),
                              VK_SHADER_STAGE_COMPUTE_BIT, 0, dispatch.push_bytes,
                              dispatch.push.data());
    const auto &[x, y, z] = run.piece.count;
    const auto &first = run.piece.first;
    if (first[0] | first[1] | first[2])
        fn.vkCmdDispatchBase(buffer.handle(), first[0], first[1], first[2], x, y, z);
    else
        fn.vkCmdDispatch(buffer.handle(), x, y, z);
}

void Commands::write(const Timestamp &timestamp, CommandBuffer &buffer) const {
    device_.fn().vkCmdWriteTimestamp(buffer.handle(), timestamp.stage, queries_, timestamp.query);
}

const std::vector<Commands::Timer> &Commands::read_timers() {
    std::array<uint64_t, 2 * max_timers> ticks;
    size_t count = timers_.size();
    if (count && device_.fn().vkGetQueryPoolResults(
                     device_.handle(), queries_, 0, 2 * uint32_t(count), sizeof ticks, ticks.data(),
                     sizeof(uint64_t), VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        timers_.clear();
    const double period = double(device_.facts().limits.timestampPeriod);
    for (size_t i = 0; i < timers_.size(); i++)
        timers_[i].ns = uint64_t(double(ticks[2 * i + 1] - ticks[2 * i]) * period);
    span_ns_ =
        timers_.empty() ? 0 : uint64_t(double(ticks[2 * timers_.size() - 1] - ticks[0]) * period);
    return timers_;
}

} // namespace v3doff::vk
