// SPDX-License-Identifier: BSD-2-Clause
#include "picture/work.hpp"

#include <algorithm>

#include "picture/grow.hpp"

namespace v3doff {

uint64_t Work::records() const {
    uint64_t sum = 0;
    for (auto &stage : stages_)
        if (stage) sum += stage->records();
    return sum;
}

bool Work::save(const PictureFormat &format, DumpWriter &writer) const {
    for (auto &stage : stages_)
        if (stage && stage->records() && !stage->save(format, writer)) return false;
    return true;
}

uint64_t Work::take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                        const PictureView &picture) {
    uint64_t done = 0;
    for (auto &ready : ready_) // not stages_: another lane may be making one
        if (Stage *stage = ready.load(std::memory_order_acquire))
            done += stage->take_back(lane, plane, area, picture);
    return done;
}

std::optional<RowRange> Work::extent(const PictureFormat &format) const {
    RowRange all;
    for (const auto &stage : stages_) {
        if (!stage || !stage->records()) continue;
        const auto rows = stage->extent(format);
        if (!rows) return rows;
        if (!rows->empty()) all.add(rows->first, rows->end);
    }
    return all;
}

void Work::clear() {
    for (auto &stage : stages_)
        if (stage) stage->clear();
    if (backup_) supply_.backups.give(std::move(backup_));
}

void Work::forget_codec() {
    for (size_t slot = 0; slot < stages_.size(); slot++) {
        ready_[slot] = nullptr;
        stages_[slot].reset();
    }
}

void Work::make_plan(const Surface &memory) {
    plan_.clear();
    arena_.begin();
    plan_.is_discrete = device_->caps().is_discrete;
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

void Work::check_plan(const Surface &memory) const {
    const size_t reach = device_->facts().buffer_reach();
    if (memory.gpu()->size() > reach || plan_.arena_words() * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "picture beyond the device's buffer range");
    for (const Surface *reference : plan_.references)
        if (reference && (!reference->gpu() || reference->gpu()->size() > reach))
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "a reference that the device does not reach");
    if (plan_.scratch_words * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "passes need more memory than one buffer reaches");
    for (const Dispatch &dispatch : plan_.dispatches)
        check_groups(dispatch);
}

void Work::check_groups(const Dispatch &dispatch) const {
    const auto most = device_->facts().most_groups();
    for (size_t i = 0; i < 3; i++)
        if (dispatch.groups[i] > most[i])
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "more workgroups than the device takes");
}

void Work::bind_buffers(const Surface &memory) {
    static_assert(Plan::scratch_as_samples < vk::set_count);
    // Buffers with room to spare may be larger than what a shader reaches.
    const size_t reach = device_->facts().buffer_reach();
    auto all_of = [&](const vk::Buffer &buffer) { return vk::BufferView(buffer, reach); };
    std::array<vk::BufferView, vk::binding_count> views;
    views[vk::binding_samples] = all_of(local_ ? local_memory_.samples() : *memory.gpu());
    views[vk::binding_arena] = all_of(local_ ? local_memory_.arena() : arena_.buffer());
    if (scratch_) views[vk::binding_scratch] = all_of(*scratch_);
    if (local_) {
        views[vk::binding_host_samples] = all_of(*memory.gpu());
        views[vk::binding_host_arena] = all_of(arena_.buffer());
        // The shader names it also where it writes none.
        views[vk::binding_backup] =
            backup_ ? all_of(backup_->buffer()) : views[vk::binding_samples];
    }
    for (uint32_t i = 0; i < max_references; i++) {
        const Surface *reference = plan_.references[i];
        if (i && !reference) continue;
        if (reference)
            views[vk::binding_reference] =
                all_of(local_ ? local_memory_.reference(i) : *reference->gpu());
        commands_->bind(i, views);
    }
    if (!scratch_) return;
    views[vk::binding_samples] = all_of(*scratch_);
    commands_->bind(Plan::scratch_as_samples, views);
}

// Into how many a dispatch is cut whose time grows with the rows that it works on.
uint32_t Work::pieces_of(const Surface &memory) const {
    const size_t limit = device_->caps().piece_bytes;
    size_t bytes = 0;
    for (unsigned p = 0; p < memory.map().format.planes(); p++)
        if (const RowRange &rows = plan_.rows[p]; !rows.empty())
            bytes += memory.row_bytes(p) * (rows.end - rows.first);
    return limit ? uint32_t((bytes + limit - 1) / limit) : 1;
}

// How many dispatches it has become.
uint32_t Work::record(const Dispatch &dispatch, uint32_t most) {
    const uint32_t pieces = most_pieces(dispatch, most);
    for (uint32_t p = 0; p < pieces; p++) { // independent, as workgroups are: no barrier
        const Piece piece = piece_of(dispatch, pieces, p);
        commands_->dispatch(device_->pipelines().get(dispatch.shader),
                            vk::shader_codes()[dispatch.shader].name, piece.count,
                            dispatch.push.data(), dispatch.push_bytes, dispatch.reference,
                            piece.first);
    }
    return pieces;
}

// For passes in place: complete, and known to be, before the first of them.
void Work::record_backup(const Surface &memory) {
    size_t count = 0;
    Backup::each_range(memory, plan_.rows, [&](unsigned, size_t at, size_t bytes, size_t kept) {
        regions_[count++] = {at, kept, bytes};
    });
    commands_->begin_timer("backup");
    commands_->copy(*memory.gpu(), backup_->buffer(), {regions_.data(), count});
    commands_->end_timer();
    commands_->barrier(vk::Commands::Scope::copies);
    commands_->fill(backup_->buffer(), 0, backup_->number());
    commands_->barrier();
}

// The backup's number is written beside the first pass: only the copy back waits for it.
void Work::record_copy_in(const Surface &memory) {
    const Dispatch copy = DeviceCopy::copy_in(memory, plan_, backup_ != nullptr);
    check_groups(copy); // more than the way back has
    record(copy, pieces_of(memory));
    for (uint32_t i = 0; i < max_references; i++)
        if (const Surface *reference = plan_.references[i])
            commands_->copy(*reference->gpu(), 0, local_memory_.reference(i), 0,
                            reference->gpu()->size());
    commands_->barrier();
    if (backup_) commands_->fill(backup_->buffer(), 0, backup_->number());
}

void Work::record_copy_out(const Surface &memory) {
    commands_->barrier();
    record(DeviceCopy::copy_out(memory, plan_), pieces_of(memory));
}

void Work::record_passes(const Surface &memory) {
    const uint32_t pieces = pieces_of(memory);
    for (size_t i = 0; i < plan_.dispatches.size(); i++) {
        // No copy needs what a pass waits for; the number of a backup beside passes on a copy goes
        // on.
        if (i && !plan_.dispatches[i].follows) commands_->barrier(vk::Commands::Scope::shaders);
        recorded_dispatches_ += record(plan_.dispatches[i], pieces);
    }
}

void Work::lend_references() {
    for (size_t i = 0; i < max_references; i++)
        if (const Surface *reference = plan_.references[i]) {
            failed_writes_[i] = reference->failed_writes();
            reference->lend_to_gpu();
        }
}

void Work::prepare(const Surface &memory) {
    make_plan(memory);
    if (!commands_) commands_ = std::make_unique<vk::Commands>(*device_);
    local_ = DeviceCopy::suits(*device_, memory);
    recorded_dispatches_ = 0;
    lend_references();
    commands_->begin();
    if (!plan_.dispatches.empty()) {
        arena_.finish(plan_);
        if (plan_.scratch_words)
            grow(scratch_, plan_.scratch_words * 4,
                 [&](size_t size) { return vk::Buffer::create_private(*device_, size); });
        if (memory.in_place() && !plan_.whole) backup_ = supply_.backups.take(*device_, memory, plan_.rows);
        if (local_) local_memory_.make(*device_, memory, arena_.buffer(), plan_);
        bind_buffers(memory);
        if (local_)
            record_copy_in(memory);
        else if (backup_)
            record_backup(memory);
        record_passes(memory);
        if (local_) record_copy_out(memory);
    }
}

bool Work::references_held() const {
    for (size_t i = 0; i < max_references; i++)
        if (plan_.references[i] && plan_.references[i]->failed_writes() != failed_writes_[i])
            return false;
    return true;
}

uint64_t Work::run_before_gpu(const Surface &memory) {
    uint64_t done = 0;
    for (auto &stage : stages_)
        if (stage && stage->records()) done += stage->run_before_gpu(memory.view());
    return done;
}

std::string Work::submit(vk::Timeline &timeline, vk::Pending &pending) {
    return timeline.submit(*commands_, pending);
}

void Work::restore(const Surface &memory) const {
    if (backup_) backup_->restore(memory, plan_.rows);
}

void Work::run_cpu(const Surface &memory) {
    for (auto &stage : stages_)
        if (stage && stage->records()) stage->run_cpu(memory.view());
}

} // namespace v3doff
