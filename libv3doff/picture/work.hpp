// SPDX-License-Identifier: BSD-2-Clause
// What a picture needs from its first record until its work is done: the stages with their
// records, the plan of passes, and the GPU memory of one submit. Works are kept and used again.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeinfo>

#include "picture/backup.hpp"
#include "picture/device_copy.hpp"
#include "picture/work_arena.hpp"
#include "util/error.hpp"
#include "vk/commands.hpp"
#include "vk/timeline.hpp"

namespace v3doff {

class Work {
  public:
    Work(vk::Device *device, WorkSupply &supply) // null: CPU only
        : device_(device), supply_(supply), arena_(device, supply) {
        plan_.arena = ArenaWords(arena_.source());
    }

    // The stage of a slot, made on first use. A pool's pictures have records of one codec.
    template <typename T>
    T &stage(Slot slot) {
        auto &ready = ready_[size_t(slot)];
        Stage *stage = ready.load(std::memory_order_acquire);
        if (!stage) {
            std::lock_guard lock(mutex_);
            auto &owned = stages_[size_t(slot)];
            if (!owned) owned = std::make_unique<T>();
            ready.store(stage = owned.get(), std::memory_order_release);
        }
        // Not dynamic_cast: on the way of every record.
        static_assert(std::is_final_v<T>);
        if (typeid(*stage) == typeid(T)) return static_cast<T &>(*stage);
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the pool's pictures have another codec's records");
    }

    uint64_t records() const;
    // Luma rows of all records; nothing where they cannot be submitted before others.
    std::optional<RowRange> extent(const PictureFormat &format) const;
    void clear();
    // The next records may be another codec's.
    void forget_codec();
    // Of all stages with records; false where one of them cannot.
    bool save(const PictureFormat &format, DumpWriter &writer) const;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture);

    // Makes the plan, all that needs no reference to be submitted, and throws where that is not
    // possible. It holds until more is recorded.
    void plan(const Surface &surface);
    // Whether each picture that this one is predicted from was submitted, or never will be.
    bool has_references() const;
    // It is submitted: its references stay what they are until clear().
    void begin_reading();
    // Makes the plan where there is none, and records its commands; throws where that is not
    // possible, with nothing changed.
    void prepare(const Surface &surface);
    // What only the CPU can do of it, after prepare() and before the GPU has the samples.
    uint64_t run_before_gpu(const Surface &surface);
    // Nothing, or why the device does not get it.
    std::string submit(vk::Pending &pending);

    // What the plan reads and overwrites.
    const PlaneRows &rows() const { return plan_.rows; }
    // It makes the picture from nothing.
    bool whole() const { return plan_.whole; }
    // Its passes work in the device's own memory.
    bool on_device_copy() const { return on_device_copy_; }
    uint32_t dispatches() const { return recorded_dispatches_; }
    // After the submit: the references were what they should have been when the GPU read them.
    bool references_held() const;

    // After a submit that failed: the samples as they were before it, then the work on the CPU.
    void restore(const Surface &surface) const;
    void run_cpu(const Surface &surface);

    // After a submit that succeeded.
    const std::vector<vk::Commands::Timer> &read_timers() { return commands_->read_timers(); }
    uint64_t gpu_ns() const { return commands_->span_ns(); }

  private:
    template <typename Visit>
    void each_reference(Visit visit) const {
        for (uint32_t i = 0; i < max_references; i++)
            if (const Surface *reference = plan_.references[i]) visit(i, *reference);
    }
    template <typename Visit>
    void each_source(Visit visit) const { // also those of which the plan reads nothing
        for (const auto &stage : stages_) {
            if (!stage) continue;
            for (const auto &source : stage->references())
                if (source) visit(*source);
        }
    }
    void check_plan(const Surface &surface) const;
    void check_groups(const Dispatch &dispatch) const;
    void lend_references();
    void take_buffers(const Surface &surface);
    void bind_buffers(const Surface &surface);
    uint32_t pieces_of(const Surface &surface) const;
    void record_backup(const Surface &surface);
    void record_copy_in(const Surface &surface);
    void record_passes(const Surface &surface);

    vk::Device *device_;
    WorkSupply &supply_;
    std::mutex mutex_; // making a stage
    std::array<std::unique_ptr<Stage>, size_t(Slot::count)> stages_;
    std::array<std::atomic<Stage *>, size_t(Slot::count)> ready_{};
    WorkArena arena_;
    Plan plan_;
    bool reading_ = false;
    uint64_t planned_records_ = 0; // 0: there is no plan of these records
    std::unique_ptr<vk::Commands> commands_;
    std::unique_ptr<vk::Buffer> scratch_;
    std::unique_ptr<Backup> backup_; // from prepare() until all is done
    DeviceCopy device_copy_;
    bool on_device_copy_ = false;
    uint32_t recorded_dispatches_ = 0;
    std::array<uint64_t, max_references> failed_submits_{}; // of the references, before the submit
};

} // namespace v3doff
