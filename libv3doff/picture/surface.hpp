// SPDX-License-Identifier: BSD-2-Clause
// The samples of one picture, reachable for the CPU and, except on the CPU path, for the GPU. The
// CPU reads none of it through memory that is not cached: a path that would need that is not taken.
//
// One place answers where the samples are: path() says which copies exist, in_place() and
// wants_device_copy() where passes find them, and the state who may read and who writes.
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

using PlaneRows = RowRange[max_planes];

class Surface {
  public:
    // device null: plain memory. path AUTO: the best that works; another: that one first. The
    // path that did not work is named in the log. Throws OUT_OF_MEMORY when nothing is left.
    static std::unique_ptr<Surface> create(vk::Device *device, const PictureLayout &layout,
                                           v3doff_memory_path path);
    // The caller's planes: imported where the device can, else copied at each submit.
    static std::unique_ptr<Surface> adopt(vk::Device *device, v3doff_memory_path path,
                                          const PictureView &planes);

    const PictureView &view() const { return view_; }
    const SampleMap &map() const { return map_; }
    v3doff_memory_path path() const { return path_; }
    // Null: the GPU has no way to the samples.
    const vk::Buffer *gpu() const { return gpu_.get(); }
    // The CPU's samples are the GPU's: what the GPU overwrites must be kept elsewhere meanwhile.
    bool in_place() const { return path_ != V3DOFF_MEMORY_STAGING; }
    // Whether passes of this device should work on a copy in its own memory, and can.
    bool wants_device_copy(const vk::Device &device) const;
    // Room for it, which stays; and the copy. It may be that of another thread's picture, too: the
    // queue does one submit after the other.
    void make_device_copy(vk::Device &device) const;
    const vk::Buffer &device_copy() const { return *device_copy_; }
    // Whether it is what the samples are, or will be when the submits on the queue are done.
    bool device_copy_holds() const;
    // Rows can be the GPU's while the CPU and other submits work on others.
    bool splits() const { return !gpu_ || (in_place() && gpu_->splits()); }

    // Own memory that the CPU has.
    void fill_with_zeros() const;

    // What a submit does with the samples.
    enum class Use {
        all,  // reads and changes the picture
        rows, // the same of some rows, while the CPU and other submits work on other rows
        make, // writes all of the picture, and reads nothing that is there
    };
    // Hands them to the GPU, and back. wrote false: nothing came of it.
    void give_to_gpu(Use use, const PlaneRows &rows) const;
    void take_from_gpu(Use use, const PlaneRows &rows, bool wrote) const;

    // Calls visit(plane, offset, bytes) for each plane's rows in the samples buffer. The last row
    // ends with its samples: behind them the memory may be somebody else's.
    template <typename Visit>
    void each_range(const PlaneRows &rows, Visit visit) const {
        for (unsigned p = 0; p < map_.format.planes(); p++) {
            if (rows[p].empty()) continue;
            const size_t stride = size_t(map_.stride_words[p]) * 4;
            const size_t from = size_t(map_.offset_words[p]) * 4 + rows[p].first * stride;
            visit(p, from,
                  (rows[p].end - rows[p].first - 1) * stride + ((row_bytes(p) + 3) & ~size_t(3)));
        }
    }
    size_t row_bytes(unsigned plane) const {
        return size_t(view_.plane[plane].padded_width) * map_.format.sample_bytes();
    }

    // What follows concerns other pictures, which may predict from the samples on any thread.

    // The samples will be other ones: what was lent is not up to date.
    void changed();
    // Lets the GPU read the samples while the CPU keeps them and does not change them; once is
    // enough until they change. Samples that a submit on the queue makes need nothing: the queue's
    // order is enough. Waits while the CPU has to make them.
    void lend_to_gpu() const;
    // Lets other devices and processes read them, until they change. Throws UNSUPPORTED where the
    // memory is no dma-buf.
    void share();
    // The picture is recorded, and will be submitted: until then nobody can wait for the samples.
    void begin_records() {
        if (!recorded()) recorded_.store(true, std::memory_order_relaxed);
    }
    void forget_records() { recorded_.store(false, std::memory_order_relaxed); }
    bool recorded() const { return recorded_.load(std::memory_order_relaxed); }
    // The picture is submitted. A reader of the samples waits for end_submit().
    void begin_submit();
    // The submit is on the queue and makes all of the samples: later submits may read them, also
    // those of the copy in the device's own memory if it was made there.
    void queued(bool on_device_copy);
    // It failed: from here on the CPU writes them.
    void submit_failed();
    void end_submit();
    void wait_for_submit() const;
    // From the submit of a picture that is predicted from it until that one is done.
    void begin_reading() { readers_.fetch_add(1, std::memory_order_relaxed); }
    void end_reading() { readers_.fetch_sub(1, std::memory_order_release); }
    bool being_read() const { return readers_.load(std::memory_order_acquire); }
    // What a submit remembers of a reference, to ask when it is done whether the reference's own
    // submit has failed meanwhile: then it has read something else.
    uint64_t failed_submits() const;

  private:
    Surface() = default;
    void use_own(const PictureLayout &layout, std::byte *base);
    void map_planes(const PictureLayout &layout);
    void stage_copies(vk::Device &device, const PictureLayout &layout);
    bool import_planes(vk::Device &device);
    template <typename Visit>
    void each_row(Visit visit) const;
    void copy_in() const; // of a staging picture; others need none
    void copy_out() const;

    v3doff_memory_path path_ = V3DOFF_MEMORY_CPU;
    PictureView view_;
    std::span<std::byte> own_; // empty: the caller's
    SampleMap map_;
    std::unique_ptr<vk::Buffer> gpu_;
    vk::HostPages plain_;

    enum class State {
        cpu,       // the CPU has them, and the GPU not as they are
        lent,      // the CPU has them, and the GPU may read them
        submitted, // the CPU has to make them, or passes that may be put back
        queued,    // a submit on the queue makes them
    };
    void become(State state) const; // with mutex_
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    mutable State state_ = State::cpu;
    mutable std::unique_ptr<vk::Buffer> device_copy_;
    mutable bool device_copy_holds_ = false;
    std::atomic<bool> recorded_{false}; // and not submitted
    std::atomic<uint32_t> readers_{0};
    uint64_t failed_submits_ = 0;
    bool shared_ = false; // others may still read them
};

} // namespace v3doff
