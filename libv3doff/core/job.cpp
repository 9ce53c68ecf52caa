// SPDX-License-Identifier: BSD-2-Clause
#include "core/job.hpp"

#include <bit>
#include <cstring>

namespace v3doff {
namespace {

// Behind the kept samples: 1 once all of them are there, so that a restore never uses half a copy.
constexpr size_t marker_bytes = 16;

template <typename Make>
void grow(std::unique_ptr<vk::Buffer> &buffer, size_t bytes, Make make) {
    if (buffer && buffer->size() >= bytes) return;
    buffer.reset(); // first: the old one is in nobody's use
    buffer = make(std::bit_ceil(std::max(bytes, size_t(64) << 10)));
}

size_t align16(size_t bytes) {
    return (bytes + 15) & ~size_t(15);
}

} // namespace

uint64_t Job::records() const {
    uint64_t sum = 0;
    for (auto &stage : stages_)
        if (stage) sum += stage->records();
    return sum;
}

void Job::clear() {
    for (auto &stage : stages_)
        if (stage) stage->clear();
}

// Visits (bytes of the samples buffer, offset in the backup) of each plane's overwritten rows.
template <typename Visit>
void Job::each_kept_range(const PictureMemory &memory, Visit visit) const {
    size_t kept = 0;
    for (unsigned p = 0; p < memory.map().format.planes(); p++) {
        const RowRange &rows = plan_.rows[p];
        if (rows.empty()) continue;
        size_t stride = size_t(memory.map().stride_words[p]) * 4;
        size_t from = size_t(memory.map().offset_words[p]) * 4 + rows.first * stride;
        // The last row ends with its samples: behind them the memory may be somebody else's.
        size_t row =
            size_t(memory.view().plane[p].padded_width) * memory.map().format.sample_bytes();
        size_t bytes = (rows.end - rows.first - 1) * stride + ((row + 3) & ~size_t(3));
        visit(p, from, bytes, kept);
        kept += align16(bytes);
    }
}

size_t Job::backup_bytes(const PictureMemory &memory) const {
    size_t end = 0;
    each_kept_range(memory,
                    [&](unsigned, size_t, size_t bytes, size_t at) { end = at + align16(bytes); });
    return end;
}

void Job::make_plan(const PictureMemory &memory) {
    plan_.clear();
    for (auto &stage : stages_)
        if (stage && stage->records()) stage->plan(memory.map(), plan_);
    const VkDeviceSize reach = device_->facts().limits.maxStorageBufferRange;
    if (memory.gpu()->size() > reach || plan_.arena.size() * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "picture beyond the device's buffer range");
    const auto &most = device_->facts().limits.maxComputeWorkGroupCount;
    for (const Dispatch &dispatch : plan_.dispatches)
        for (size_t i = 0; i < 3; i++)
            if (dispatch.groups[i] > most[i])
                throw Error(V3DOFF_ERROR_UNSUPPORTED, "more workgroups than the device takes");
}

void Job::upload() {
    size_t bytes = plan_.arena.size() * sizeof(uint32_t);
    grow(arena_, std::max(bytes, size_t(4)),
         [&](size_t size) { return vk::Buffer::create(*device_, V3DOFF_MEMORY_STAGING, size); });
    arena_->begin_cpu_access();
    std::memcpy(arena_->data(), plan_.arena.data(), bytes);
    arena_->end_cpu_access();
    if (plan_.scratch_words)
        grow(scratch_, plan_.scratch_words * 4,
             [&](size_t size) { return vk::Buffer::create_private(*device_, size); });
}

void Job::record_backup(const PictureMemory &memory) {
    size_t marker = backup_bytes(memory);
    grow(backup_, marker + marker_bytes,
         [&](size_t size) { return vk::Buffer::create(*device_, V3DOFF_MEMORY_STAGING, size); });
    backup_->begin_cpu_access();
    std::memset(backup_->data() + marker, 0, marker_bytes);
    backup_->end_cpu_access();
    each_kept_range(memory, [&](unsigned, size_t from, size_t bytes, size_t at) {
        commands_->copy({memory.gpu()->handle(), from, bytes}, backup_->handle(), at);
    });
    commands_->barrier();
    commands_->fill(backup_->handle(), marker, 1);
    commands_->barrier();
}

void Job::record_dispatches(const PictureMemory &memory) {
    vk::BufferView scratch;
    if (scratch_) scratch = {scratch_->handle(), 0, scratch_->size()};
    commands_->bind({vk::BufferView{memory.gpu()->handle(), 0, memory.gpu()->size()},
                     vk::BufferView{arena_->handle(), 0, arena_->size()}, scratch});
    for (size_t i = 0; i < plan_.dispatches.size(); i++) {
        const Dispatch &dispatch = plan_.dispatches[i];
        if (i) commands_->barrier();
        commands_->dispatch(device_->pipelines().get(dispatch.shader),
                            vk::shader_codes()[dispatch.shader].name, dispatch.groups,
                            dispatch.push.data(), dispatch.push_bytes);
    }
}

void Job::prepare(const PictureMemory &memory) {
    make_plan(memory);
    if (!commands_) commands_ = std::make_unique<vk::Commands>(*device_);
    keeps_backup_ = memory.in_place() && !plan_.dispatches.empty();
    commands_->begin();
    if (!plan_.dispatches.empty()) {
        upload();
        // Our buffers were last used by an earlier submit. The CPU has waited for it, which makes
        // its writes available but, without this, not visible to commands of the next.
        commands_->barrier();
        if (keeps_backup_) record_backup(memory);
        record_dispatches(memory);
    }
    recorded_ = commands_->end();
}

uint64_t Job::run_before_gpu(const PictureMemory &memory) {
    uint64_t done = 0;
    for (auto &stage : stages_)
        if (stage && stage->records()) done += stage->run_before_gpu(memory.view());
    return done;
}

VkResult Job::submit(vk::Submission &submission) {
    return device_->timeline().submit(recorded_, submission);
}

void Job::restore(const PictureMemory &memory) const {
    if (!keeps_backup_) return;
    backup_->begin_cpu_access();
    uint32_t complete = 0;
    std::memcpy(&complete, backup_->data() + backup_bytes(memory), sizeof complete);
    if (complete) // otherwise no shader has begun, and the samples are untouched
        each_kept_range(memory, [&](unsigned, size_t from, size_t bytes, size_t at) {
            std::memcpy(memory.gpu()->data() + from, backup_->data() + at, bytes);
        });
    backup_->end_cpu_access();
}

void Job::run_cpu(const PictureMemory &memory) {
    for (auto &stage : stages_)
        if (stage && stage->records()) stage->run_cpu(memory.view());
}

} // namespace v3doff
