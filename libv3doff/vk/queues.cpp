// SPDX-License-Identifier: BSD-2-Clause
#include "vk/queues.hpp"

#include <algorithm>
#include <utility>

#include "vk/timeline.hpp"

namespace v3doff::vk {

QueueUse::QueueUse(Timeline &timeline) : timeline_(&timeline) {
    timeline.users.fetch_add(1, std::memory_order_relaxed);
}

QueueUse::QueueUse(QueueUse &&other) noexcept
    : timeline_(std::exchange(other.timeline_, nullptr)) {}

QueueUse &QueueUse::operator=(QueueUse &&other) noexcept {
    std::swap(timeline_, other.timeline_); // the other one releases what this had
    return *this;
}

void QueueUse::release() {
    if (timeline_) timeline_->users.fetch_sub(1, std::memory_order_relaxed);
    timeline_ = nullptr;
}

Queues::Queues(Device &device, std::span<const VkQueue> handles, unsigned count) {
    for (VkQueue handle : handles)
        driver_.push_back(std::make_unique<DriverQueue>(handle));
    for (unsigned i = 0; i < count; i++)
        timelines_.push_back(std::make_unique<Timeline>(device, *driver_[i % driver_.size()]));
}

Queues::~Queues() = default;

QueueUse Queues::take() {
    std::lock_guard lock(mutex_); // two that choose at the same time choose different ones
    const auto users = [](const auto &timeline) {
        return timeline->users.load(std::memory_order_relaxed);
    };
    return QueueUse(
        **std::min_element(timelines_.begin(), timelines_.end(),
                           [&](const auto &a, const auto &b) { return users(a) < users(b); }));
}

uint64_t Queues::threads_cpu_ns() {
    uint64_t sum = 0;
    for (auto &timeline : timelines_)
        sum += timeline->threads_cpu_ns();
    return sum;
}

} // namespace v3doff::vk
