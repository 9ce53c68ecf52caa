// SPDX-License-Identifier: BSD-2-Clause
#include "core/job.hpp"

#include <cstring>

#include "core/grow.hpp"

namespace v3doff {
namespace {

// Before the kept samples: the number of the submit once all of them are there, so that a restore
// never uses half a copy. The CPU does not touch the backup unless a submit failed.
constexpr size_t marker_bytes = 16;

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

bool Job::save(const PictureFormat &format, DumpWriter &writer) const {
    for (auto &stage : stages_)
        if (stage && stage->records() && !stage->save(format, writer)) return false;
    return true;
}

uint64_t Job::take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                        const PictureView &picture) {
    uint64_t done = 0;
    for (auto &ready : ready_) // not stages_: another lane may be making one
        if (Stage *stage = ready.load(std::memory_order_acquire))
            done += stage->take_back(lane, plane, area, picture);
    return done;
}

std::optional<RowRange> Job::extent(const PictureFormat &format) const {
    RowRange all;
    for (const auto &stage : stages_) {
        if (!stage || !stage->records()) continue;
        const auto rows = stage->extent(format);
        if (!rows) return rows;
        if (!rows->empty()) all.add(rows->first, rows->end);
    }
    return all;
}

void Job::clear() {
    for (auto &stage : stages_)
        if (stage) stage->clear();
}

// Visits (bytes of the samples buffer, offset in the backup) of each plane's overwritten rows.
template <typename Visit>
void Job::each_kept_range(const PictureMemory &memory, Visit visit) const {
    size_t kept = marker_bytes;
    memory.each_range(plan_.rows, [&](unsigned p, size_t from, size_t bytes) {
        visit(p, from, bytes, kept);
        kept += align16(bytes);
    });
}

size_t Job::backup_bytes(const PictureMemory &memory) const {
    size_t end = marker_bytes;
    each_kept_range(memory,
                    [&](unsigned, size_t, size_t bytes, size_t at) { end = at + align16(bytes); });
    return end;
}

void Job::make_plan(const PictureMemory &memory) {
    plan_.clear();
    arena_.begin();
    plan_.many_lanes = device_->caps().many_lanes;
    const auto &prediction = stages_[size_t(Slot::prediction)];
    const bool predicts = prediction && prediction->records();
    for (auto &stage : stages_) {
        if (!stage || !stage->records()) continue;
        if (predicts && stage->runs_before_gpu())
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "blocks for the CPU alone on top of predictions");
        stage->plan(memory.map(), plan_);
    }
    check_plan(memory);
}

void Job::check_plan(const PictureMemory &memory) const {
    const VkDeviceSize reach = device_->facts().limits.maxStorageBufferRange;
    if (memory.gpu()->size() > reach || plan_.arena_words() * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "picture beyond the device's buffer range");
    for (const PictureMemory *reference : plan_.references)
        if (reference && (!reference->gpu() || reference->gpu()->size() > reach))
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "a reference that the device does not reach");
    if (plan_.scratch_words * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "passes need more memory than one buffer reaches");
    const auto &most = device_->facts().limits.maxComputeWorkGroupCount;
    for (const Dispatch &dispatch : plan_.dispatches)
        for (size_t i = 0; i < 3; i++)
            if (dispatch.groups[i] > most[i])
                throw Error(V3DOFF_ERROR_UNSUPPORTED, "more workgroups than the device takes");
}

// A picture whose rows lie between those of another one (a field) stays where it is: copied back,
// it would take what the other one was meanwhile with it.
bool Job::works_in_local_memory(const PictureMemory &memory) const {
    if (!device_->caps().passes_in_local_memory) return false;
    for (unsigned p = 0; p < memory.map().format.planes(); p++) {
        if (size_t(memory.map().stride_words[p]) * 4 >= 2 * memory.row_bytes(p)) return false;
    }
    return true;
}

void Job::make_local(const PictureMemory &memory) {
    auto make = [&](size_t size) { return vk::Buffer::create_private(*device_, size); };
    grow(local_samples_, memory.gpu()->size(), make);
    grow(local_arena_, arena_.buffer().size(), make);
    for (uint32_t i = 0; i < max_references; i++)
        if (plan_.references[i])
            grow(local_references_[i], plan_.references[i]->gpu()->size(), make);
}

// One command for all planes; packed: to the place in the backup.
void Job::copy_kept(const PictureMemory &memory, const vk::Buffer &from, const vk::Buffer &to,
                    bool packed) {
    size_t count = 0;
    each_kept_range(memory, [&](unsigned, size_t first, size_t bytes, size_t kept) {
        regions_[count++] = {first, packed ? kept : first, bytes};
    });
    commands_->copy(from, to, {regions_.data(), count});
}

void Job::record_copy_in(const PictureMemory &memory) {
    commands_->begin_timer("copy in");
    commands_->copy(arena_.buffer(), 0, *local_arena_, 0, plan_.arena.size() * sizeof(uint32_t));
    copy_kept(memory, *memory.gpu(), *local_samples_, false);
    for (uint32_t i = 0; i < max_references; i++)
        if (const PictureMemory *reference = plan_.references[i])
            commands_->copy(*reference->gpu(), 0, *local_references_[i], 0,
                            reference->gpu()->size());
    commands_->end_timer();
}

void Job::record_copy_out(const PictureMemory &memory) {
    if (!keeps_backup_) commands_->barrier(); // else the marker's
    commands_->begin_timer("copy out");
    copy_kept(memory, *local_samples_, *memory.gpu(), false);
    commands_->end_timer();
}

void Job::record_backup(const PictureMemory &memory) {
    grow(backup_, backup_bytes(memory), [&](size_t size) {
        auto buffer = vk::Buffer::create_readable(*device_, size);
        buffer->begin_cpu_access();
        std::memset(buffer->data(), 0, marker_bytes);
        buffer->end_cpu_access();
        return buffer;
    });
    if (++submits_ == 0) submits_++; // 0 is what a new backup has
    commands_->begin_timer("backup");
    copy_kept(memory, *memory.gpu(), *backup_, true);
    commands_->end_timer();
}

// Behind the backup, before the picture's samples are changed.
void Job::record_marker() {
    commands_->barrier(local_ ? vk::Commands::Scope::all : vk::Commands::Scope::copies);
    commands_->fill(backup_->handle(), 0, submits_);
    commands_->barrier(local_ ? vk::Commands::Scope::copies : vk::Commands::Scope::all);
}

void Job::bind_buffers(const PictureMemory &memory) {
    static_assert(max_references <= vk::set_count);
    vk::BufferView scratch;
    if (scratch_) scratch = {scratch_->handle(), 0, scratch_->size()};
    const vk::Buffer &samples = local_ ? *local_samples_ : *memory.gpu();
    const vk::Buffer &arena = local_ ? *local_arena_ : arena_.buffer();
    for (uint32_t i = 0; i < max_references; i++) {
        const PictureMemory *reference = plan_.references[i];
        if (i && !reference) continue;
        vk::BufferView other;
        if (reference)
            other = {(local_ ? *local_references_[i] : *reference->gpu()).handle(), 0,
                     reference->gpu()->size()};
        commands_->bind(i, {vk::BufferView{samples.handle(), 0, memory.gpu()->size()},
                            vk::BufferView{arena.handle(), 0, arena_.buffer().size()}, scratch,
                            other});
    }
}

// Into how many a dispatch is cut whose time grows with the rows that it works on.
uint32_t Job::pieces_of(const PictureMemory &memory) const {
    const size_t limit = device_->caps().piece_bytes;
    size_t bytes = 0;
    for (unsigned p = 0; p < memory.map().format.planes(); p++)
        if (const RowRange &rows = plan_.rows[p]; !rows.empty())
            bytes += memory.row_bytes(p) * (rows.end - rows.first);
    return limit ? uint32_t((bytes + limit - 1) / limit) : 1;
}

void Job::record_dispatches(const PictureMemory &memory) {
    bind_buffers(memory);
    for (size_t i = 0; i < plan_.dispatches.size(); i++) {
        const Dispatch &dispatch = plan_.dispatches[i];
        // No copy needs what a pass waits for; a backup beside passes on a copy goes on.
        if (i) commands_->barrier(vk::Commands::Scope::shaders);
        const uint32_t pieces = most_pieces(dispatch, pieces_of(memory));
        for (uint32_t p = 0; p < pieces; p++) { // independent, as workgroups are: no barrier
            const Piece piece = piece_of(dispatch, pieces, p);
            commands_->dispatch(device_->pipelines().get(dispatch.shader),
                                vk::shader_codes()[dispatch.shader].name, piece.count,
                                dispatch.push.data(), dispatch.push_bytes, dispatch.reference,
                                piece.first);
        }
        recorded_dispatches_ += pieces;
    }
}

void Job::prepare(const PictureMemory &memory) {
    make_plan(memory);
    if (!commands_) commands_ = std::make_unique<vk::Commands>(*device_);
    keeps_backup_ = memory.in_place() && !plan_.dispatches.empty();
    recorded_dispatches_ = 0;
    commands_->begin();
    for (const PictureMemory *reference : plan_.references)
        if (reference) reference->lend_to_gpu();
    if (!plan_.dispatches.empty()) {
        arena_.finish(plan_);
        if (plan_.scratch_words)
            grow(scratch_, plan_.scratch_words * 4,
                 [&](size_t size) { return vk::Buffer::create_private(*device_, size); });
        // Our buffers were last used by an earlier submit. The CPU has waited for it, which makes
        // its writes available but, without this, not visible to commands of the next.
        commands_->barrier();
        local_ = works_in_local_memory(memory);
        if (local_) {
            make_local(memory);
            record_copy_in(memory);
            commands_->barrier();
        }
        if (keeps_backup_) record_backup(memory); // of a copy: beside the first passes
        if (keeps_backup_ && !local_) record_marker();
        record_dispatches(memory);
        if (keeps_backup_ && local_) record_marker();
        if (local_) record_copy_out(memory);
    }
    recorded_ = commands_->end();
}

uint64_t Job::run_before_gpu(const PictureMemory &memory) {
    uint64_t done = 0;
    for (auto &stage : stages_)
        if (stage && stage->records()) done += stage->run_before_gpu(memory.view());
    return done;
}

VkResult Job::submit(vk::Timeline &timeline, vk::Submission &submission) {
    return timeline.submit(recorded_, submission);
}

void Job::restore(const PictureMemory &memory) const {
    if (!keeps_backup_) return;
    backup_->begin_cpu_access();
    const std::byte *kept = backup_->data_to_read();
    uint32_t complete = 0;
    std::memcpy(&complete, kept, sizeof complete);
    if (complete == submits_) // otherwise no shader has begun, and the samples are untouched
        each_kept_range(memory, [&](unsigned p, size_t from, size_t bytes, size_t at) {
            // Row by row: what lies between the rows may be another picture's, a field's.
            const size_t stride = size_t(memory.map().stride_words[p]) * 4;
            for (size_t row = 0; row < bytes; row += stride)
                std::memcpy(memory.gpu()->data() + from + row, kept + at + row,
                            memory.row_bytes(p));
        });
    backup_->end_cpu_access();
}

void Job::run_cpu(const PictureMemory &memory) {
    for (auto &stage : stages_)
        if (stage && stage->records()) stage->run_cpu(memory.view());
}

} // namespace v3doff
