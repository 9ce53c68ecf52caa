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

class Pool : public std::enable_shared_from_this<Pool> {
  public:
    Pool(std::shared_ptr<vk::Device> device, const PictureFormat &format, unsigned max_pictures,
         v3doff_memory_path path);
    ~Pool();

    // Throws LIMIT when max_pictures are open.
    Picture *open(const PictureView *planes);
    void close(Picture *picture);

    std::unique_ptr<Job> take_job();
    void give_job(std::unique_ptr<Job> job);

    // Said with each submit to the GPU; whether all pictures are made by the calling thread, which
    // waits for each before it begins the next.
    bool one_by_one();
    // Said when a picture is under way, and when it is done.
    void begin_picture() { under_way_++; }
    void end_picture() { under_way_--; }

    vk::Device *device() const { return device_.get(); }
    const PictureLayout &layout() const { return layout_; }

  private:
    std::shared_ptr<PictureMemory> take_memory();
    vk::Device *usable_device() const; // null: bad, or CPU only

    const std::shared_ptr<vk::Device> device_; // null: CPU only
    const PictureLayout layout_;
    const unsigned max_pictures_;
    const v3doff_memory_path path_;
    std::mutex mutex_;
    unsigned open_ = 0;
    std::atomic<unsigned> under_way_ = 0;
    OneByOne makers_;
    std::vector<std::shared_ptr<PictureMemory>> memories_;
    JobSupply supply_; // of the jobs, here and in pictures
    std::vector<std::unique_ptr<Job>> jobs_;
    std::vector<std::unique_ptr<Picture>> pictures_; // closed ones
};

} // namespace v3doff
