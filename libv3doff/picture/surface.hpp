// SPDX-License-Identifier: BSD-2-Clause
// The samples of one picture, which the CPU can access and, except on the CPU path, the GPU, too.
// The CPU never reads samples from uncached memory: a path that needs this is not used.
//
// This class alone knows where the samples are. path() says which copies exist, and the state who
// may read and write them.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "picture/stage.hpp"
#include "vk/buffer.hpp"

namespace v3doff {

class Surface {
  public:
    // device null: plain memory. path AUTO: the best path that works; otherwise this path is tried
    // first. If it does not work, the log says so. Throws OUT_OF_MEMORY if no path works.
    static std::unique_ptr<Surface> create(vk::Device *device, const PictureLayout &layout,
                                           v3doff_memory_path path);
    // For the caller's planes. Null: the device cannot import them.
    static std::unique_ptr<Surface> import(vk::Device *device, v3doff_memory_path path,
                                           const PictureView &planes);
    // For the caller's planes, which are copied at each submit.
    static std::unique_ptr<Surface> stage(vk::Device *device, v3doff_memory_path path,
                                          const PictureView &planes);
    // The same for a staging picture whose planes are gone: other planes of its format, which need no
    // new memory.
    void stage_others(const PictureView &planes);

    const PictureView &view() const { return view_; }
    const SampleMap &map() const { return map_; }
    v3doff_memory_path path() const { return path_; }
    // Null: the GPU cannot access the samples.
    const vk::Buffer *gpu() const { return gpu_.get(); }
    // CPU and GPU use the same memory. A submit then needs a backup of what the GPU overwrites.
    bool in_place() const { return path_ != V3DOFF_MEMORY_STAGING; }
    // The copy in the device's own memory (picture/device_copy.hpp). make_device_copy() allocates
    // its memory, once. Another thread may do this for the picture that it references; submits use
    // the copy one after the other, in the order of the queue.
    void make_device_copy(vk::Device &device, size_t bytes);
    const vk::Buffer &device_copy() const { return *device_copy_; }
    // Whether the copy is up to date, or will be when the submits on the queue are done.
    bool device_copy_holds() const;
    // Whether the GPU can work on some rows while the CPU and other submits work on other rows.
    bool splits() const { return !gpu_ || (in_place() && gpu_->splits()); }

    // Only for the surface's own memory, while the CPU has it.
    void fill_with_zeros();

    // What a submit does with the samples.
    enum class Use {
        all,   // reads and changes the picture
        rows,  // the same for some rows, while the CPU and other submits work on other rows
        field, // writes every second line, and reads none of its old samples
        make,  // writes the whole picture, and reads none of its old samples
    };
    // Passes the samples to the GPU, and back. rows: those that the submit may write.
    void give_to_gpu(Use use, const PlaneRows &rows);
    void take_from_gpu(Use use, const PlaneRows &rows);
    // Replaces a staging picture's samples by what the GPU has made. Other paths have it already.
    void copy_out(const PlaneRows &rows);

    // The functions below concern other pictures, which may predict from the samples on any thread.

    // The samples will change: a copy that was lent is not up to date any more.
    void changed();
    // Lets the GPU read the samples while the CPU keeps them and does not change them. One call is
    // enough until they change. If a submit on the queue makes the samples, nothing has to be done,
    // because of the queue's order. If the CPU makes them, this waits.
    void lend_to_gpu();
    // Lets other devices and processes read the samples until they change. Throws UNSUPPORTED if
    // the memory is not a dma-buf.
    void share();
    // The picture has records and will be submitted. Until then no thread can wait for the samples.
    void begin_records() {
        if (!recorded()) recorded_.store(true, std::memory_order_relaxed);
    }
    void forget_records() { recorded_.store(false, std::memory_order_relaxed); }
    bool recorded() const { return recorded_.load(std::memory_order_relaxed); }
    // The picture is submitted. A reader of the samples waits for end_submit().
    void begin_submit();
    // The submit is on the queue and makes all samples that the GPU cannot see yet. Later submits
    // may read them, and with on_device_copy also the copy in the device's own memory.
    void queued(bool on_device_copy);
    // The submit failed: from now on the CPU writes the samples.
    void submit_failed();
    void end_submit();
    void wait_for_submit();
    // Called at the submit of a picture that is predicted from this one, and when that picture is
    // done.
    void begin_reading() { readers_.fetch_add(1, std::memory_order_relaxed); }
    void end_reading() { readers_.fetch_sub(1, std::memory_order_release); }
    bool being_read() const { return readers_.load(std::memory_order_acquire); }
    // The number of failed submits. A submit keeps its references' numbers and compares them when
    // it is done. If a reference's own submit has failed meanwhile, the submit has read wrong
    // samples.
    uint64_t failed_submits() const;

  private:
    Surface() = default;
    void use_own(const PictureLayout &layout, std::byte *base);
    void map_plane(unsigned plane, size_t offset, size_t stride);
    void map_planes(const PictureLayout &layout);
    void use_callers(const PictureView &planes);
    void stage_copies(vk::Device &device, const PictureLayout &layout);
    bool import_planes(vk::Device &device);
    template <typename Visit>
    void each_row(const PlaneRows &rows, Visit visit);
    void copy_in(); // only for a staging picture

    v3doff_memory_path path_ = V3DOFF_MEMORY_CPU;
    PictureView view_;
    std::span<std::byte> own_; // empty: the caller's memory
    SampleMap map_;
    std::unique_ptr<vk::Buffer> gpu_;
    vk::HostPages plain_;

    enum class State {
        cpu,       // the CPU has the samples, and the GPU has no current copy
        lent,      // the CPU has the samples, and the GPU may read them
        submitted, // the CPU makes them, or passes do and the CPU may have to do it again
        queued,    // a submit on the queue makes them
    };
    void become(State state); // needs mutex_
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    State state_ = State::cpu;
    std::unique_ptr<vk::Buffer> device_copy_;
    bool device_copy_holds_ = false;
    std::atomic<bool> recorded_{false}; // has records and is not submitted
    std::atomic<uint32_t> readers_{0};
    uint64_t failed_submits_ = 0;
    bool shared_ = false; // other devices or processes may read the samples
};

} // namespace v3doff
