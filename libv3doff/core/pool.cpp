// SPDX-License-Identifier: BSD-2-Clause
#include "core/pool.hpp"

#include "core/picture.hpp"
#include "util/error.hpp"

namespace v3doff {
namespace {

template <typename Pointer>
Pointer take_last(std::vector<Pointer> &list) {
    if (list.empty()) return nullptr;
    Pointer last = std::move(list.back());
    list.pop_back();
    return last;
}

} // namespace

Pool::Pool(std::shared_ptr<vk::Device> device, const PictureFormat &format, unsigned max_pictures,
           v3doff_memory_path path)
    : device_(std::move(device)), layout_(lay_out(format)), max_pictures_(max_pictures),
      path_(path) {
    memories_.reserve(max_pictures);
    jobs_.reserve(max_pictures);
    pictures_.reserve(max_pictures);
}

Pool::~Pool() = default;

vk::Device *Pool::usable_device() const {
    return device_ && !device_->bad() ? device_.get() : nullptr;
}

std::shared_ptr<PictureMemory> Pool::take_memory() {
    {
        std::lock_guard lock(mutex_);
        if (auto memory = take_last(memories_)) return memory;
    }
    return PictureMemory::create(usable_device(), layout_, path_);
}

Picture *Pool::open(const PictureView *planes) {
    std::unique_ptr<Picture> picture;
    {
        std::lock_guard lock(mutex_);
        if (open_ == max_pictures_)
            throw Error(V3DOFF_ERROR_LIMIT, "pool: " + std::to_string(max_pictures_) +
                                                " pictures are open, as many as it may have");
        open_++;
        makers_.open(under_way_ > 0);
        picture = take_last(pictures_);
    }
    try {
        if (!picture) picture = std::make_unique<Picture>();
        picture->open(shared_from_this(),
                      planes ? PictureMemory::adopt(usable_device(), layout_, path_, *planes)
                             : take_memory(),
                      planes != nullptr);
        return picture.release();
    } catch (...) {
        std::lock_guard lock(mutex_);
        open_--;
        throw;
    }
}

void Pool::close(Picture *picture) {
    auto keep_alive = shared_from_this(); // the picture's own reference goes in finish_close
    bool borrowed = picture->borrowed();
    std::shared_ptr<PictureMemory> memory = picture->finish_close();
    std::lock_guard lock(mutex_);
    open_--;
    pictures_.emplace_back(picture);
    // The GPU may still write to what an abandoned device has: it is not used again.
    // Another picture may still predict from it: then it goes when that one is done.
    bool reusable = !borrowed && memory.use_count() == 1 && !(device_ && device_->abandoned());
    if (reusable) memories_.push_back(std::move(memory));
}

std::unique_ptr<Job> Pool::take_job() {
    {
        std::lock_guard lock(mutex_);
        if (auto job = take_last(jobs_)) return job;
    }
    return std::make_unique<Job>(device_.get(), supply_);
}

void Pool::give_job(std::unique_ptr<Job> job) {
    job->clear();
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
}

bool Pool::one_by_one() {
    std::lock_guard lock(mutex_);
    return makers_.submit(std::this_thread::get_id());
}

} // namespace v3doff
