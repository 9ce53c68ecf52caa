// SPDX-License-Identifier: BSD-2-Clause
// The samples of one picture, reachable for the CPU and, except on the CPU path, for the GPU. The
// CPU reads none of it through memory that is not cached: a path that would need that is not taken.
#pragma once

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
    // device null: plain memory. path AUTO: the best that works; another: that one first. The
    // path that did not work is named in the log. Throws OUT_OF_MEMORY when nothing is left.
    static std::unique_ptr<Surface> create(vk::Device *device, const PictureLayout &layout,
                                                 v3doff_memory_path path);
    // The caller's planes: imported where the device can, else copied at each submit.
    static std::unique_ptr<Surface> adopt(vk::Device *device, v3doff_memory_path path,
                                                const PictureView &planes);

    const PictureView &view() const { return view_; }
    v3doff_memory_path path() const { return path_; }
    const vk::Buffer *gpu() const { return gpu_.get(); }
    const SampleMap &map() const { return map_; }

    // The CPU's samples are the GPU's: what the GPU overwrites must be kept elsewhere meanwhile.
    bool in_place() const { return path_ != V3DOFF_MEMORY_STAGING; }

    // Own memory that the CPU has.
    void fill_with_zeros() const;

    // Hands the samples to the GPU, and back. gpu_wrote false: nothing came of it.
    void give_to_gpu();
    void take_from_gpu(bool gpu_wrote);

    // The same for some rows of each plane, while the CPU and other submits work on other rows.
    // Not with copies: what comes back would be mixed with what the next submit changes.
    using PlaneRows = RowRange[max_planes];
    bool splits() const { return !gpu_ || (in_place() && gpu_->splits()); }
    void give_rows_to_gpu(const PlaneRows &rows) const;
    void take_rows_from_gpu(const PlaneRows &rows) const;

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

    // Lets the GPU read the samples while the CPU keeps them and does not change them; once is
    // enough until changed() says that they are other ones. Samples that an earlier submit writes
    // need nothing: the queue's order is enough.
    void lend_to_gpu() const;
    void changed() { lent_ = false; }

    // The picture was submitted. Who wants to read the samples waits for end_write().
    void begin_write();
    // The GPU writes all of the samples and needs none that are there: later submits may read them.
    void begin_gpu_write();
    // The submit failed: from here on the CPU writes them.
    void gpu_write_failed();
    void end_write();
    // What a submit remembers of a reference, to ask when it is done whether the reference's own
    // submit has failed meanwhile: then it has read something else.
    uint64_t failed_writes() const;
    void wait_for_write() const;

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
    enum class Write { none, by_gpu, by_cpu };
    mutable std::mutex lending_;
    mutable std::condition_variable written_;
    mutable bool lent_ = false;
    Write write_ = Write::none; // under way, of lending_
    uint64_t failed_writes_ = 0;
};

} // namespace v3doff
