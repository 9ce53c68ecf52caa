// SPDX-License-Identifier: BSD-2-Clause
// The pictures of one stream. The parts of a closed picture (surface, work, the object itself) are
// kept for the next one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "picture/surface.hpp"
#include "picture/work.hpp"

namespace v3doff {

class Picture;

// Pools of the same kind can replace each other.
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

    // Throws LIMIT if max_pictures are open.
    Picture *open(const PictureView *planes);
    void close(Picture *picture);

    std::unique_ptr<Work> take_work();
    void give_work(std::unique_ptr<Work> work) noexcept;

    vk::Device *device() const { return device_.get(); }
    const PictureLayout &layout() const { return layout_; }
    const PoolKind &kind() const { return kind_; }

    // The functions below are for a pool that is not in use (policy/idle_pools.hpp).
    size_t picture_bytes() const;
    // leave_device() releases the device, which must outlive the pool. renew() takes it again, for
    // a new user.
    std::shared_ptr<vk::Device> leave_device() { return std::move(device_); }
    void renew(std::shared_ptr<vk::Device> device);

  private:
    std::shared_ptr<Surface> take_surface();
    std::shared_ptr<Surface> adopt(const PictureView &planes);
    vk::Device *usable_device() const; // null: bad, or CPU only

    std::shared_ptr<vk::Device> device_; // null: CPU only, or released
    const PoolKind kind_;
    const PictureLayout layout_;
    std::mutex mutex_;
    unsigned open_ = 0;
    // Other pictures may still predict from these surfaces of closed pictures.
    std::vector<std::shared_ptr<Surface>> surfaces_;
    std::vector<std::shared_ptr<Surface>> previous_; // have samples of an earlier user
    std::vector<std::shared_ptr<Surface>> staged_;   // copies of the caller's planes
    WorkSupply supply_;                              // for the works here and in pictures
    std::vector<std::unique_ptr<Work>> works_;
    std::vector<std::unique_ptr<Picture>> pictures_; // closed ones
};

} // namespace v3doff
