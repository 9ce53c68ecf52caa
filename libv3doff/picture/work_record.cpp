// SPDX-License-Identifier: BSD-2-Clause
// Turns a plan into commands: its passes, the barriers between them, and the copies that they need.
#include <algorithm>

#include "picture/work.hpp"
#include "vk/device.hpp"

namespace v3doff {

void Work::record(Surface &surface) {
    if (!is_planned()) plan(surface);
    if (!commands_) commands_ = std::make_unique<vk::Commands>(*device_);
    recorded_dispatches_ = 0;
    on_device_copy_ = false;
    lend_references();
    commands_->begin();
    if (plan_.dispatches.empty()) return;
    take_buffers(surface);
    bind_buffers(surface);
    if (on_device_copy_)
        record_copy_in(surface);
    else if (backup_)
        record_backup(surface);
    record_passes(surface);
    if (!on_device_copy_) return;
    commands_->barrier();
    const Dispatch copy = device_copy::copy_out(surface, plan_);
    commands_->dispatch(copy, pieces_of(surface, copy));
}

void Work::take_buffers(Surface &surface) {
    if (plan_.scratch_words) scratch_ = supply_.scratch.take(*device_, plan_.scratch_words * 4);
    if (surface.in_place() && plan_.old == Plan::Old::read)
        backup_ = supply_.take_backup(*device_, surface.map(), plan_.rows);
    on_device_copy_ = device_copy::wanted(*device_, surface);
    if (!on_device_copy_) return;
    device_arena_ = supply_.device_arena.take(*device_, arena_.buffer().size());
    device_copy::make(*device_, surface, plan_);
}

void Work::bind_buffers(const Surface &surface) {
    static_assert(Plan::scratch_as_samples < vk::set_count);
    // A buffer with spare room may be larger than what a shader can access.
    const size_t reach = device_->facts().buffer_reach();
    const auto all_of = [&](const vk::Buffer &buffer) { return vk::BufferView(buffer, reach); };
    std::array<vk::BufferView, vk::binding_count> views;
    views[vk::binding_samples] = all_of(*surface.gpu());
    views[vk::binding_arena] = all_of(arena_.buffer());
    if (scratch_) views[vk::binding_scratch] = all_of(*scratch_);
    if (on_device_copy_) {
        views[vk::binding_host_samples] =
            std::exchange(views[vk::binding_samples], all_of(surface.device_copy()));
        views[vk::binding_host_arena] =
            std::exchange(views[vk::binding_arena], all_of(*device_arena_));
        // The shader declares this binding even if it writes no backup.
        views[vk::binding_backup] =
            backup_ ? all_of(backup_->buffer()) : views[vk::binding_samples];
    }
    if (!plan_.references[0]) commands_->bind(0, views);
    each_reference([&](uint32_t i, const Surface &reference) {
        views[vk::binding_reference] =
            all_of(on_device_copy_ ? reference.device_copy() : *reference.gpu());
        commands_->bind(i, views);
    });
    views[vk::binding_reference] = views[vk::binding_samples];
    for (uint32_t i = 0; i < max_references; i++)
        if (plan_.own_references >> i & 1) commands_->bind(i, views);
    if (!scratch_) return;
    views[vk::binding_samples] = all_of(*scratch_);
    commands_->bind(Plan::scratch_as_samples, views);
}

// The number of pieces of a dispatch whose time grows with the rows that it works on.
uint32_t Work::pieces_of(const Surface &surface, const Dispatch &dispatch) const {
    const size_t limit = device_->caps().piece_bytes;
    size_t bytes = 0;
    for (unsigned p = 0; p < surface.map().format.planes(); p++)
        if (const RowRange &rows = plan_.rows[p]; !rows.empty())
            bytes += size_t(surface.map().row_bytes[p]) * (rows.end - rows.first);
    return limit ? uint32_t((bytes * dispatch.area_cost + limit - 1) / limit) : 1;
}

bool Work::fill_pass(const Surface &surface, uint32_t index, v3doff_pass &pass) const {
    if (!is_planned() || index >= plan_.dispatches.size()) return false;
    const Dispatch &wanted = plan_.dispatches[index];
    plan_.each_pass([&](const Dispatch &each, bool barrier) {
        if (&each == &wanted) pass.waits = barrier;
    });
    pass.shader = vk::shader_codes()[wanted.shader].name;
    pass.dispatches = vk::most_pieces(wanted, pieces_of(surface, wanted));
    std::copy(wanted.groups.begin(), wanted.groups.end(), pass.groups);
    return true;
}

// For passes in place: the backup is complete, and has its number, before the first pass.
void Work::record_backup(const Surface &surface) {
    std::array<vk::Region, max_planes> regions;
    size_t count = 0;
    Backup::each_range(surface.map(), plan_.rows,
                       [&](unsigned, size_t at, size_t bytes, size_t kept) {
                           regions[count++] = {at, kept, bytes};
                       });
    commands_->begin_timer("backup");
    commands_->copy(*surface.gpu(), backup_->buffer(), {regions.data(), count});
    commands_->end_timer();
    commands_->barrier(vk::Commands::Scope::copies);
    commands_->fill(backup_->buffer(), 0, backup_->number());
    commands_->barrier();
}

// The backup's number may be written during the first pass: only the copy back waits for it.
void Work::record_copy_in(const Surface &surface) {
    const Dispatch copy = device_copy::copy_in(surface, plan_, backup_ != nullptr);
    check_groups(copy); // it has more of them than the copy back
    commands_->dispatch(copy, pieces_of(surface, copy));
    each_reference([&](uint32_t, const Surface &reference) {
        if (reference.device_copy_holds()) return;
        commands_->copy(*reference.gpu(), 0, reference.device_copy(), 0, reference.gpu()->size());
    });
    commands_->barrier();
    if (backup_) commands_->fill(backup_->buffer(), 0, backup_->number());
}

void Work::record_passes(const Surface &surface) {
    plan_.each_pass([&](const Dispatch &dispatch, bool barrier) {
        // Only between dispatches: no copy waits for a pass, and a backup's number may still be
        // being written.
        if (barrier) commands_->barrier(vk::Commands::Scope::shaders);
        recorded_dispatches_ += commands_->dispatch(dispatch, pieces_of(surface, dispatch));
    });
}

} // namespace v3doff
