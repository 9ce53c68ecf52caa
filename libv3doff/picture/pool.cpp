// SPDX-License-Identifier: BSD-2-Clause
#include "picture/pool.hpp"

#include <algorithm>
#include <new>

#include "picture/picture.hpp"
#include "util/error.hpp"
#include "util/fault.hpp"

namespace v3doff {
namespace {

template <typename Pointer>
Pointer take_last(std::vector<Pointer> &list) {
    if (list.empty()) return nullptr;
    Pointer last = std::move(list.back());
    list.pop_back();
    return last;
}

// The last one that no picture predicts from. Needs the pool's mutex. A picture that is not
// submitted yet only holds its references, and does not read them: hence the count. What the last
// reader did is over for this thread only once being_read() says so; the count orders nothing.
std::shared_ptr<Surface> take_unread(std::vector<std::shared_ptr<Surface>> &surfaces) {
    const auto found = std::find_if(surfaces.rbegin(), surfaces.rend(), [](const auto &surface) {
        return surface.use_count() == 1 && !surface->being_read();
    });
    if (found == surfaces.rend()) return nullptr;
    std::swap(*found, surfaces.back());
    return take_last(surfaces);
}

} // namespace

Pool::Pool(std::shared_ptr<vk::Device> device, const PoolKind &kind)
    : device_(std::move(device)), kind_(kind), layout_(lay_out(kind.format, kind.strides)) {
    surfaces_.reserve(kind.max_pictures);
    staged_.reserve(kind.max_pictures);
    works_.reserve(kind.max_pictures);
    pictures_.reserve(kind.max_pictures);
}

Pool::~Pool() = default;

void Pool::renew(std::shared_ptr<vk::Device> device) {
    device_ = std::move(device);
    previous_.insert(previous_.end(), surfaces_.begin(), surfaces_.end());
    surfaces_.clear();
    for (auto &work : works_)
        work->forget_codec();
}

vk::Device *Pool::usable_device() const {
    return device_ && !device_->bad() ? device_.get() : nullptr;
}

std::shared_ptr<Surface> Pool::take_surface() {
    std::shared_ptr<Surface> surface;
    {
        std::lock_guard lock(mutex_);
        if ((surface = take_unread(surfaces_))) return surface;
        surface = take_unread(previous_);
    }
    if (!surface) return Surface::create(usable_device(), layout_, kind_.path);
    surface->changed();
    surface->fill_with_zeros(); // as new memory is
    return surface;
}

// A program that brings its own memory brings other planes each time. New memory for copies of each cost
// 4 ms of CPU time (docs/journal/programs.md).
std::shared_ptr<Surface> Pool::adopt(const PictureView &planes) {
    vk::Device *device = usable_device();
    if (auto imported = Surface::import(device, kind_.path, planes)) return imported;
    std::shared_ptr<Surface> kept;
    if (device) {
        std::lock_guard lock(mutex_);
        kept = take_unread(staged_);
    }
    if (!kept) return Surface::stage(device, kind_.path, planes);
    kept->stage_others(planes);
    return kept;
}

size_t Pool::picture_bytes() const {
    return (surfaces_.size() + previous_.size() + staged_.size()) * layout_.bytes;
}

Picture *Pool::open(const PictureView *planes) {
    if (fault::hit(fault::Point::switching))
        throw Error(V3DOFF_ERROR_OUT_OF_MEMORY, "pool: no picture, by V3DOFF_FAULT");
    std::unique_ptr<Picture> picture;
    {
        std::lock_guard lock(mutex_);
        if (open_ == kind_.max_pictures)
            throw Error(V3DOFF_ERROR_LIMIT, "pool: " + std::to_string(kind_.max_pictures) +
                                                " pictures are open, which is its limit");
        open_++;
        picture = take_last(pictures_);
    }
    try {
        if (!picture) picture = std::make_unique<Picture>();
        picture->open(shared_from_this(),
                      planes ? adopt(*planes) : take_surface(), planes != nullptr);
        return picture.release();
    } catch (...) {
        std::lock_guard lock(mutex_);
        open_--;
        throw;
    }
}

void Pool::close(Picture *picture) {
    auto keep_alive = shared_from_this(); // finish_close() drops the picture's own reference
    bool borrowed = picture->borrowed();
    std::shared_ptr<Surface> surface = picture->finish_close();
    std::lock_guard lock(mutex_);
    open_--;
    pictures_.emplace_back(picture);
    // The GPU may still write to a surface of an abandoned device, so it is not used again.
    if ((device_ && device_->abandoned()) || (borrowed && surface->in_place())) return;
    // Those that other pictures still predict from can be more than there is room for.
    auto &kept = borrowed ? staged_ : surfaces_;
    if (kept.size() < kept.capacity()) kept.push_back(std::move(surface));
}

std::unique_ptr<Work> Pool::take_work() {
    {
        std::lock_guard lock(mutex_);
        if (auto work = take_last(works_)) return work;
    }
    return std::make_unique<Work>(device_.get(), supply_);
}

void Pool::give_work(std::unique_ptr<Work> work) noexcept {
    work->clear();
    std::lock_guard lock(mutex_);
    try {
        works_.push_back(std::move(work));
    } catch (const std::bad_alloc &) { // then the next picture makes one
    }
}

} // namespace v3doff
