// SPDX-License-Identifier: BSD-2-Clause
// All that a picture needs from its first record until its work is done: the stages with their
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
        // Not dynamic_cast, which is too slow for every record.
        static_assert(std::is_final_v<T>);
        if (typeid(*stage) == typeid(T)) return static_cast<T &>(*stage);
        throw Error(V3DOFF_ERROR_INVALID_STATE, "the pool's pictures have another codec's records");
    }

    uint64_t records() const;
    // The luma rows of all records; nullopt if they must be submitted together with later ones.
    std::optional<RowRange> extent(const PictureFormat &format) const;
    void clear();
    // Deletes the stages, so that the next records may be another codec's.
    void forget_codec();
    // Saves the records of all stages; false if one of them cannot.
    bool save(const PictureFormat &format, DumpWriter &writer) const;
    uint64_t take_back(uint32_t lane, unsigned plane, const Rectangle &area,
                       const PictureView &picture);

    // Makes the plan, for which references need not be submitted. Throws if it is not possible. The
    // plan is valid until more is recorded.
    void plan(const Surface &surface);
    // Describes a pass of the plan; false: it has no such pass, or is not valid.
    bool fill_pass(const Surface &surface, uint32_t index, v3doff_pass &pass) const;
    // Whether each reference was submitted, or has no records to submit.
    bool has_references() const;
    // At the submit: the references must not change until clear().
    void begin_reading();
    // Records the commands of the plan, which it makes if there is none. Throws if it is not
    // possible; then nothing has changed.
    void record(Surface &surface);
    // Does the part that only the CPU can do, after record() and before the GPU has the samples.
    uint64_t run_before_gpu(const Surface &surface);
    // Returns an empty text, or why the device cannot do the work.
    std::string queue(vk::Pending &pending);

    // The rows that the plan reads and overwrites.
    const PlaneRows &rows() const { return plan_.rows; }
    Plan::Old old() const { return plan_.old; }
    // Whether the passes work in the device's own memory.
    bool on_device_copy() const { return on_device_copy_; }
    uint32_t dispatches() const { return recorded_dispatches_; }
    // After the submit: whether the references had the right samples when the GPU read them.
    bool references_held() const;

    // After a submit that failed: restore() brings back the old samples, run_cpu() does the work.
    void restore(const Surface &surface) const;
    void run_cpu(const Surface &surface);
    // The self-test of the stage that has one.
    SelfTest self_test() const;

    // After a submit that succeeded.
    const std::vector<vk::Commands::Timer> &read_timers() { return commands_->read_timers(); }
    uint64_t gpu_ns() const { return commands_->span_ns(); }

  private:
    template <typename Visit>
    void each_reference(Visit visit) const {
        for (uint32_t i = 0; i < max_references; i++)
            if (Surface *reference = plan_.references[i]) visit(i, *reference);
    }
    template <typename Visit>
    void each_source(Visit visit) const { // also those that the plan does not read
        for (const auto &stage : stages_) {
            if (!stage) continue;
            for (const auto &source : stage->references())
                if (source) visit(*source);
        }
    }
    bool is_planned() const { return planned_records_ && planned_records_ == records(); }
    void check_plan(const Surface &surface) const;
    void check_groups(const Dispatch &dispatch) const;
    void lend_references();
    void take_buffers(Surface &surface);
    void bind_buffers(const Surface &surface);
    uint32_t pieces_of(const Surface &surface, const Dispatch &dispatch) const;
    void record_backup(const Surface &surface);
    void record_copy_in(const Surface &surface);
    void record_passes(const Surface &surface);

    vk::Device *device_;
    WorkSupply &supply_;
    std::mutex mutex_; // for making a stage
    std::array<std::unique_ptr<Stage>, size_t(Slot::count)> stages_;
    std::array<std::atomic<Stage *>, size_t(Slot::count)> ready_{};
    WorkArena arena_;
    Plan plan_;
    bool reading_ = false;
    std::atomic<uint64_t> planned_records_{0}; // 0: there is no plan for the records
    std::unique_ptr<vk::Commands> commands_;
    // From record() until all is done.
    std::shared_ptr<vk::Buffer> scratch_, device_arena_;
    std::unique_ptr<Backup> backup_;
    bool on_device_copy_ = false;
    uint32_t recorded_dispatches_ = 0;
    std::array<uint64_t, max_references> failed_submits_{}; // of the references, before the submit
};

} // namespace v3doff
