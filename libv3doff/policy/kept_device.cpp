// SPDX-License-Identifier: BSD-2-Clause
#include "policy/kept_device.hpp"

#include <pthread.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "util/log.hpp"
#include "util/process.hpp"

namespace v3doff {
namespace {

// Longer than the time from probing a stream to decoding it, or from one file of a list to the
// next.
constexpr auto kept_for = std::chrono::seconds(5);

} // namespace

KeptDevice &KeptDevice::get() {
    static auto *kept = new KeptDevice; // outlives every static of the program
    return *kept;
}

std::shared_ptr<vk::Device> KeptDevice::open(const vk::DeviceOptions &options) {
    if (!options.keep) return vk::Device::open(options);
    auto device = get().take(options);
    if (device)
        device->forget_said();
    else
        device = vk::Device::open(options);
    return {device.release(),
            [](vk::Device *unused) { get().keep(std::unique_ptr<vk::Device>(unused)); }};
}

std::unique_ptr<vk::Device> KeptDevice::take(const vk::DeviceOptions &options) {
    std::unique_lock lock(mutex_);
    if (!device_ || !device_->serves(options)) return nullptr;
    auto device = std::move(device_);
    changed_.notify_one();
    lock.unlock();
    LOG_INFO("device: %s is still open", device->facts().name.c_str());
    return device;
}

void KeptDevice::keep(std::unique_ptr<vk::Device> device) noexcept {
    std::lock_guard lock(mutex_);
    if (device->bad() || !start_thread()) return;
    std::swap(device_, device); // the previous one is closed after the lock is released
    until_ = Clock::now() + kept_for;
    changed_.notify_one();
}

// Needs mutex_.
bool KeptDevice::start_thread() noexcept {
    if (stop_) return false;
    if (running_) return true;
    if (!registered_ && std::atexit([] { get().end_with_process(); })) return false;
    registered_ = true;
    if (thread_.joinable()) thread_.join(); // it has ended
    process::SignalsBlocked blocked;
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::exception &) { // no thread, or no memory for one
        return false;
    }
    return running_ = true;
}

void KeptDevice::run() {
    pthread_setname_np(pthread_self(), "v3doff-kept");
    std::unique_lock lock(mutex_);
    while (device_ && !stop_) {
        if (changed_.wait_until(lock, until_) != std::cv_status::timeout || Clock::now() < until_)
            continue;
        std::unique_ptr<vk::Device> old = std::move(device_);
        lock.unlock();
        old.reset();
        lock.lock();
    }
    running_ = false;
}

// Called at exit(). Parts of the driver may have ended already, so the device is not closed here.
// But the thread must not be closing it while other parts end.
void KeptDevice::end_with_process() {
    if (process::forked()) return;
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_one();
    lock.unlock();
    if (thread_.joinable()) thread_.join();
}

} // namespace v3doff
