// SPDX-License-Identifier: BSD-2-Clause
// Devices that are opened on a thread of the library.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <system_error>
#include <thread>

#include "api/device_request.hpp"
#include "api/guard.hpp"
#include "api/handles.hpp"

using namespace v3doff;
using namespace v3doff::api;

namespace v3doff::api {

// The destructor joins the thread.
class Opening {
  public:
    explicit Opening(DeviceRequest request) : request_(std::move(request)) {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error &problem) {
            throw Error(V3DOFF_ERROR_OUT_OF_MEMORY,
                        std::string("a thread cannot be started: ") + problem.what());
        }
    }
    ~Opening() {
        stop_ = true;
        thread_.join();
        if (device_) slots<v3doff_device>().take(device_);
    }
    Opening(const Opening &) = delete;
    Opening &operator=(const Opening &) = delete;

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

  private:
    void run() {
        pthread_setname_np(pthread_self(), "v3doff-open");
        v3doff_device *device = nullptr;
        const v3doff_result result = guarded("v3doff_opening", [&] {
            device = open_device(request_, &stop_);
            return V3DOFF_OK;
        });
        std::lock_guard lock(mutex_);
        device_ = device;
        result_ = result;
        done_ = true;
        changed_.notify_all();
    }

    const DeviceRequest request_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::atomic<bool> stop_ = false;
    v3doff_result result_ = V3DOFF_OK;
    v3doff_device *device_ = nullptr;
    std::thread thread_; // last: it uses the others
};

} // namespace v3doff::api

struct v3doff_opening : HandleSlot<std::unique_ptr<Opening>> {};

v3doff_result v3doff_opening_begin(v3doff_opening **out, const v3doff_device_info *info) {
    return guarded(__func__, [&] {
        require_pointer(out, "out");
        *out = nullptr;
        *out = slots<v3doff_opening>().give(std::make_unique<Opening>(read_request(info)));
        return V3DOFF_OK;
    });
}

v3doff_result v3doff_opening_end(v3doff_opening **opening, uint64_t timeout_ns,
                                 v3doff_device **device) {
    return guarded(__func__, [&] {
        require_pointer(device, "device");
        *device = nullptr;
        require_pointer(opening, "opening");
        auto &running = resolve(*opening, "opening");
        if (timeout_ns) refuse_in_callback();
        if (!running->wait(timeout_ns)) return V3DOFF_NOT_READY;
        auto finished = slots<v3doff_opening>().take(std::exchange(*opening, nullptr));
        return finished->take(*device);
    });
}

void v3doff_opening_cancel(v3doff_opening **opening) {
    guarded(__func__, [&] {
        if (!opening || !*opening) return V3DOFF_OK;
        resolve(*opening, "opening");
        refuse_in_callback();
        slots<v3doff_opening>().take(std::exchange(*opening, nullptr));
        return V3DOFF_OK;
    });
}
