// SPDX-License-Identifier: BSD-2-Clause
// Devices that are opened on a thread of the library.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "api/device_request.hpp"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "policy/background_work.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace v3doff::api {

// Shared by the caller's handle and the thread. If the opening is cancelled, the thread may end
// later, and closes the device that nobody wants.
class Opening {
  public:
    explicit Opening(DeviceRequest request) : request_(std::move(request)) {}
    Opening(const Opening &) = delete;
    Opening &operator=(const Opening &) = delete;

    static std::shared_ptr<Opening> begin(DeviceRequest request) {
        if (request.mode != V3DOFF_MODE_CPU) process::uses_device();
        auto opening = std::make_shared<Opening>(std::move(request));
        background::run("v3doff-open", [opening] { opening->run(); });
        return opening;
    }

    bool wait(uint64_t timeout_ns) {
        std::unique_lock lock(mutex_);
        const auto done = [this] { return done_; };
        // A timeout that would overflow the clock means for ever.
        if (timeout_ns <= uint64_t(INT64_MAX) / 4)
            return changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), done);
        changed_.wait(lock, done);
        return true;
    }

    // Only after wait() has returned true.
    v3doff_result take(v3doff_device *&device) {
        device = std::exchange(device_, nullptr);
        return result_;
    }

    void cancel() {
        std::unique_lock lock(mutex_);
        stop_ = true;
        v3doff_device *const device = std::exchange(device_, nullptr);
        lock.unlock();
        if (device) slots<v3doff_device>().take(device);
    }

  private:
    void run() {
        v3doff_device *device = nullptr;
        const v3doff_result result = guarded("v3doff_opening", [&] {
            device = open_device(request_, &stop_);
            return V3DOFF_OK;
        });
        std::unique_lock lock(mutex_);
        if (!stop_) device_ = std::exchange(device, nullptr);
        result_ = result;
        done_ = true;
        changed_.notify_all();
        lock.unlock();
        if (device) slots<v3doff_device>().take(device);
    }

    const DeviceRequest request_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::atomic<bool> stop_ = false; // cancelled
    v3doff_result result_ = V3DOFF_OK;
    v3doff_device *device_ = nullptr;
};

} // namespace v3doff::api

struct v3doff_opening : HandleSlot<std::shared_ptr<Opening>> {};

// Neither a thread nor an exception is needed to know that there is no GPU. Both take memory, and
// this happens in every program of a machine without one.
v3doff_result v3doff_opening_begin(v3doff_opening **out, const v3doff_device_info *info) {
    const char *no_gpu = nullptr;
    const v3doff_result result = creating(__func__, out, [&]() -> v3doff_opening * {
        DeviceRequest request = read_request(info);
        if (request.mode == V3DOFF_MODE_AUTO && !request.open)
            no_gpu = vk::Device::why_no_gpu(request.options, vk::Node::exists);
        if (no_gpu) return nullptr;
        return slots<v3doff_opening>().give(Opening::begin(std::move(request)));
    });
    if (!no_gpu) return result;
    LOG_INFO("v3doff_opening_begin: %s", no_gpu);
    return V3DOFF_ERROR_NO_DEVICE;
}

v3doff_result v3doff_opening_end(v3doff_opening **opening, uint64_t timeout_ns,
                                 v3doff_device **device) {
    if (device) *device = nullptr;
    if (opening && process::forked()) *opening = nullptr;
    return guarded(__func__, [&] {
        require_pointer(device, "device");
        require_pointer(opening, "opening");
        auto &running = resolve(*opening, "opening");
        if (timeout_ns) refuse_in_callback();
        if (!running->wait(timeout_ns)) return V3DOFF_NOT_READY;
        auto finished = slots<v3doff_opening>().take(std::exchange(*opening, nullptr));
        return finished->take(*device);
    });
}

void v3doff_opening_cancel(v3doff_opening **opening) {
    ending(__func__, opening, [&] {
        resolve(*opening, "opening");
        refuse_in_callback();
        slots<v3doff_opening>().take(std::exchange(*opening, nullptr))->cancel();
    });
}
