// SPDX-License-Identifier: BSD-2-Clause
#include "picture/work.hpp"

#include <utility>

#include "vk/device.hpp"

namespace v3doff {

uint64_t Work::records() const {
    uint64_t sum = 0;
    for (auto &stage : stages_)
        if (stage) sum += stage->records();
    return sum;
}

bool Work::save(const PictureFormat &format, DumpWriter &writer) const {
    for (auto &stage : stages_)
        if (stage && stage->active() && !stage->save(format, writer)) return false;
    return true;
}

uint64_t Work::take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                         const PictureView &picture) {
    uint64_t done = 0;
    for (auto &ready : ready_) // not stages_: another lane may be making one
        if (Stage *stage = ready.load(std::memory_order_acquire))
            done += stage->take_back(lane, plane, area, picture);
    if (done) planned_records_ = 0;
    return done;
}

std::optional<RowRange> Work::extent(const PictureFormat &format) const {
    RowRange all;
    for (const auto &stage : stages_) {
        if (!stage || !stage->active()) continue;
        const auto rows = stage->extent(format);
        if (!rows) return rows;
        if (!rows->empty()) all.add(rows->first, rows->end);
    }
    return all;
}

void Work::clear() {
    if (std::exchange(reading_, false)) each_source([](Surface &source) { source.end_reading(); });
    for (auto &stage : stages_)
        if (stage) stage->clear();
    planned_records_ = 0;
    arena_.release(plan_.arena);
    scratch_.reset();
    device_arena_.reset();
    if (backup_) supply_.backups.give(std::move(backup_));
}

bool Work::has_references() const {
    bool all = true;
    each_source([&](const Surface &source) { all &= !source.recorded(); });
    return all;
}

void Work::begin_reading() {
    reading_ = true;
    each_source([](Surface &source) { source.begin_reading(); });
}

void Work::forget_codec() {
    for (size_t slot = 0; slot < stages_.size(); slot++) {
        ready_[slot] = nullptr;
        stages_[slot].reset();
    }
}

void Work::plan(const Surface &surface) {
    planned_records_ = 0;
    plan_.clear();
    arena_.begin(plan_.arena);
    plan_.is_discrete = device_->caps().is_discrete;
    bool first = true;
    for (auto &stage : stages_) {
        if (!stage || !stage->active()) continue;
        if (!first && stage->runs_before_gpu())
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "blocks for the CPU alone on top of predictions");
        first &= !stage->records();
        stage->plan(surface.map(), plan_);
    }
    check_plan(surface);
    if (!plan_.dispatches.empty()) arena_.finish(plan_);
    planned_records_ = records();
}

void Work::check_plan(const Surface &surface) const {
    const size_t reach = device_->facts().buffer_reach();
    if (surface.gpu()->size() > reach || plan_.arena_words() * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED, "picture beyond the device's buffer range");
    each_reference([&](uint32_t, const Surface &reference) {
        if (!reference.gpu() || reference.gpu()->size() > reach)
            throw Error(V3DOFF_ERROR_UNSUPPORTED,
                        "a reference is beyond the device's buffer range");
    });
    if (plan_.scratch_words * 4 > reach)
        throw Error(V3DOFF_ERROR_UNSUPPORTED,
                    "the passes need more memory than one buffer can have");
    for (const Dispatch &dispatch : plan_.dispatches)
        check_groups(dispatch);
}

void Work::check_groups(const Dispatch &dispatch) const {
    const auto most = device_->facts().most_groups();
    for (size_t i = 0; i < 3; i++)
        if (dispatch.groups[i] > most[i])
            throw Error(V3DOFF_ERROR_UNSUPPORTED, "more workgroups than the device allows");
}

void Work::lend_references() {
    each_reference([&](uint32_t i, Surface &reference) {
        failed_submits_[i] = reference.failed_submits();
        reference.lend_to_gpu();
    });
}

bool Work::references_held() const {
    bool held = true;
    each_reference([&](uint32_t i, const Surface &reference) {
        held &= reference.failed_submits() == failed_submits_[i];
    });
    return held;
}

uint64_t Work::run_before_gpu(const Surface &surface) {
    uint64_t done = 0;
    for (auto &stage : stages_)
        if (stage && stage->records()) done += stage->run_before_gpu(surface.view());
    return done;
}

std::string Work::queue(vk::Pending &pending) {
    return device_->timeline().submit(*commands_, pending);
}

void Work::restore(const Surface &surface) const {
    if (backup_) backup_->restore(surface, plan_.rows);
}

void Work::run_cpu(const Surface &surface) {
    for (auto &stage : stages_)
        if (stage && stage->records()) stage->run_cpu(surface.view());
}

SelfTest Work::self_test() const {
    for (auto &stage : stages_)
        if (stage && stage->records() && stage->self_test().kind) return stage->self_test();
    return {};
}

} // namespace v3doff
