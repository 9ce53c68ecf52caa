// SPDX-License-Identifier: BSD-2-Clause
#include "policy/opening.hpp"

#include <chrono>

#include "util/background_work.hpp"
#include "util/log.hpp"

namespace v3doff {

const char *why_in_vain(const DeviceRequest &request) {
    if (request.mode != V3DOFF_MODE_AUTO || request.open) return nullptr;
    return vk::Device::why_no_gpu(request.options, vk::Node::exists);
}

std::shared_ptr<Opening> Opening::begin(DeviceRequest request) {
    if (request.mode != V3DOFF_MODE_CPU) process::uses_device();
    auto opening = std::make_shared<Opening>(std::move(request));
    background::run("v3doff-open", [opening] { opening->run(); });
    return opening;
}

bool Opening::wait(uint64_t timeout_ns) {
    std::unique_lock lock(mutex_);
    const auto done = [this] { return done_; };
    // A timeout that would overflow the clock means for ever.
    if (timeout_ns <= uint64_t(INT64_MAX) / 4)
        return changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), done);
    changed_.wait(lock, done);
    return true;
}

std::shared_ptr<const OpenDevice> Opening::take() {
    if (problem_) std::rethrow_exception(std::move(problem_));
    return std::move(device_);
}

// A device that nobody wants is closed after the lock is released, because that takes long.
void Opening::cancel() {
    std::shared_ptr<const OpenDevice> unwanted;
    std::lock_guard lock(mutex_);
    stop_ = true;
    unwanted.swap(device_);
}

void Opening::run() {
    std::shared_ptr<const OpenDevice> device;
    std::exception_ptr problem;
    {
        const DeviceRequest request = std::move(request_); // ends before anybody who waits goes on
        const log::Quiet quiet(request.quiet);
        try {
            device = open_device(request, &stop_);
        } catch (...) {
            problem = std::current_exception();
        }
    }
    std::unique_lock lock(mutex_);
    if (stop_) {
        lock.unlock();
        device.reset();
        lock.lock();
    }
    device_.swap(device);
    problem_ = std::move(problem); // the thread that takes it alone has the exception then
    done_ = true;
    changed_.notify_all();
}

} // namespace v3doff
