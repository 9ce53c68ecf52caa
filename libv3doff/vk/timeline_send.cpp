// SPDX-License-Identifier: BSD-2-Clause
// The way of submits to the driver: one by one on the threads that make them, or what has waited,
// in groups, on the thread that waits for the device or on one of its own.
#include <algorithm>

#include "util/fault.hpp"
#include "util/log.hpp"
#include "vk/device.hpp"
#include "vk/side_by_side.hpp"
#include "vk/timeline.hpp"

namespace v3doff::vk {
namespace {

constexpr uint64_t never = INT32_MAX; // no device waits for values much further ahead

} // namespace

// With mutex_.
Timeline::Place &Timeline::take_place() {
    const auto free = [](const Place &each) { return !each.value; };
    const auto found = std::find_if(places_.begin(), places_.end(), free);
    Place &place = found != places_.end()
                       ? *found
                       : places_.emplace_back(Place{0, std::make_unique<CommandBuffer>(device_)});
    place.value = taken;
    return place;
}

// Without the lock meanwhile, because it takes a while.
std::exception_ptr Timeline::write(Place &place, const Commands &commands,
                                   std::unique_lock<std::mutex> &lock) {
    const Commands *const part[] = {&commands};
    std::exception_ptr problem;
    lock.unlock();
    try {
        place.buffer->write(part);
    } catch (...) {
        problem = std::current_exception();
    }
    lock.lock();
    return problem;
}

// With mutex_, or with sending_.
VkResult Timeline::queue_submit(VkCommandBuffer commands, Submission &first) {
    const uint64_t value = last_value_ + 1;
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.pNext = &values;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore_;
    const uint64_t gate = fault::hit(fault::Point::hang) ? never : value;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    first.late_ = gate != never && fault::hit(fault::Point::late);
    if (first.late_ || gate == never) {
        if (!gate_) gate_ = make_semaphore();
        values.waitSemaphoreValueCount = 1;
        values.pWaitSemaphoreValues = &gate;
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &gate_;
        info.pWaitDstStageMask = &stage;
    }
    return device_.queue_submit(info);
}

void Timeline::run_sender() {
    pthread_setname_np(pthread_self(), "v3doff-send");
    std::unique_lock lock(mutex_);
    while (!stop_) {
        send_.wait(lock, [this] { return may_send() || stop_; });
        send_waiting(lock);
    }
}

// On one thread: as much of what waits as may be in flight, in groups.
void Timeline::send_waiting(std::unique_lock<std::mutex> &lock) {
    while (may_send()) {
        take_side_by_side(waiting_, group_, most_merged);
        sending_ = true;
        const bool sent = try_to_send(lock);
        sending_ = false;
        if (sent) continue;
        for (Submission *submission : group_) {
            submission->refused_ = true;
            append(*submission);
        }
        wake_.notify_one();
    }
}

bool Timeline::try_to_send(std::unique_lock<std::mutex> &lock) {
    if (device_.bad()) return false;
    bool sent = false;
    std::string reason;
    Place *place = nullptr;
    try {
        parts_.clear();
        for (const Submission *submission : group_)
            parts_.push_back(submission->commands_);
        place = &take_place();
        lock.unlock();
        place->buffer->write(parts_);
        const VkResult result = queue_submit(place->buffer->handle(), *group_.front());
        sent = result == VK_SUCCESS;
        if (!sent) reason = device_.why_refused(result);
    } catch (const std::exception &problem) {
        reason = problem.what();
    }
    if (!sent) LOG_WARNING_ONCE("submits not sent: %s", reason.c_str());
    if (!lock.owns_lock()) lock.lock();
    if (sent)
        count(group_, *place);
    else if (place)
        place->value = 0;
    return sent;
}

} // namespace v3doff::vk
