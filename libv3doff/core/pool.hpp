// SPDX-License-Identifier: BSD-2-Clause
// The pictures of one stream. What a closed picture leaves (memory, job, the object itself) is
// kept for the next one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "core/job.hpp"
#include "core/one_by_one.hpp"
#include "core/picture_memory.hpp"

namespace v3doff {

class Picture;

// Pools of one kind can stand for each other.
struct PoolKind {
    PictureFormat format;
    unsigned max_pictures = 0;
    v3doff_memory_path path = V3DOFF_MEMORY_AUTO;
    PlaneStrides strides = {};
    bool operator==(const PoolKind &) const = default;
};

class Pool : public std::enable_shared_from_this<Pool> {
  public:
    Pool(std::shared_ptr<vk::Device> device, const PoolKind &kind);
    ~Pool();

    // Throws LIMIT when max_pictures are open.
    Picture *open(const PictureView *planes);
    void close(Picture *picture);

    std::unique_ptr<Job> take_job();
    void give_job(std::unique_ptr<Job> job);

    // Said with each submit to the GPU; whether all pictures are made by the calling thread, and
    // whether it waits for each before it begins the next.
    OneByOne::Answer one_by_one();
    // Said when a picture is under way, and when it is done.
    void begin_picture() { under_way_++; }
    void end_picture() { under_way_--; }

    vk::Device *device() const { return device_.get(); }
    const PictureLayout &layout() const { return layout_; }
    const PoolKind &kind() const { return kind_; }

    // While nobody uses it (policy/idle_pools.hpp).
    size_t picture_bytes() const;
    // Lets go of the device, which then must go after the pool; and has it again, for somebody
    // else.
    std::shared_ptr<vk::Device> leave_device() { return std::move(device_); }
    void renew(std::shared_ptr<vk::Device> device);

  private:
    std::shared_ptr<PictureMemory> take_memory();
    vk::Device *usable_device() const; // null: bad, or CPU only

    std::shared_ptr<vk::Device> device_; // null: CPU only, or left
    const PoolKind kind_;
    const PictureLayout layout_;
    std::mutex mutex_;
    unsigned open_ = 0;
    std::atomic<unsigned> under_way_ = 0;
    OneByOne makers_;
    std::vector<std::shared_ptr<PictureMemory>> memories_;
    std::vector<std::shared_ptr<PictureMemory>> of_before_; // with samples of somebody else's
    JobSupply supply_;                                      // of the jobs, here and in pictures
    std::vector<std::unique_ptr<Job>> jobs_;
    std::vector<std::unique_ptr<Picture>> pictures_; // closed ones
};

} // namespace v3doff
